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
	all, err := processes()
	if err != nil {
		return true
	}
	for _, p := range all {
		if p.group == pid && p.runs() {
			return true
		}
	}
	return false
}

// processes are all processes of the machine that can be seen, by id.
func processes() (map[int]procState, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	all := map[int]procState{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if stat, err := os.ReadFile("/proc/" + e.Name() + "/stat"); err == nil {
			all[pid] = parseStat(string(stat))
		}
	}
	return all, nil
}

// procState is what a line of /proc/PID/stat says of a process.
type procState struct {
	state         string
	parent, group int
	threads       int
	started       string // after the start of the machine, in ticks
}

func parseStat(stat string) (s procState) {
	// After the name in parentheses: state, parent, group and, fifteen fields
	// on, the number of threads, and two on, the start.
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) > 19 {
		s = procState{state: fields[0], started: fields[19]}
		s.parent, _ = strconv.Atoi(fields[1])
		s.group, _ = strconv.Atoi(fields[2])
		s.threads, _ = strconv.Atoi(fields[17])
	}
	return s
}

// runs reports whether anything of the process still runs. Its first thread
// can have ended before the others, which hold its files and locks until they
// have ended too.
func (s procState) runs() bool {
	return s.state != "" && s.state != "Z" && s.state != "X" || s.state == "Z" && s.threads > 1
}
