package acp

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// groupAlive reports whether a process of the group still runs. Ended ones
// that nobody has waited for don't count: in a container there may be no one
// who ever does.
func groupAlive(pid int) bool {
	if syscall.Kill(-pid, 0) != nil {
		return false
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return true
	}
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		if state := parseStat(string(stat)); state.group == strconv.Itoa(pid) && state.runs() {
			return true
		}
	}
	return false
}

// procState is what a line of /proc/PID/stat says of a process.
type procState struct{ state, group, threads string }

func parseStat(stat string) (s procState) {
	// After the name in parentheses: state, parent, group and, fifteen fields
	// on, the number of threads.
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) > 17 {
		s = procState{fields[0], fields[2], fields[17]}
	}
	return s
}

// runs reports whether anything of the process still runs. Its first thread
// can have ended before the others, which hold its files and locks until they
// have ended too.
func (s procState) runs() bool {
	return s.state != "Z" && s.state != "X" || s.state == "Z" && s.threads != "1" && s.threads != "0"
}
