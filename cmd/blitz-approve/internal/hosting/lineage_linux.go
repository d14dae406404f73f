package hosting

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// parentOf reads the parent of a process.
func parentOf(id int) (int, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return 0, err
	}
	// After the name in parentheses: state and parent.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/%d/stat: not as it should be", id)
	}
	return strconv.Atoi(string(fields[1]))
}

func programOf(id int) (string, error) { return os.Readlink(fmt.Sprintf("/proc/%d/exe", id)) }

func runningFile(id int) (os.FileInfo, error) { return os.Stat(fmt.Sprintf("/proc/%d/exe", id)) }
