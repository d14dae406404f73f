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
		// After the name in parentheses: state, parent, group.
		_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
		fields := strings.Fields(rest)
		if len(fields) > 2 && fields[2] == strconv.Itoa(pid) && fields[0] != "Z" && fields[0] != "X" {
			return true
		}
	}
	return false
}
