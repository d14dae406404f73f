package hosting

import (
	"os"
	"path/filepath"
	"slices"
)

// A process is one that runs, as the system tells it.
type process struct {
	id      int
	program string // the file that it runs
}

// maxLineage is how many ancestors are looked at.
const maxLineage = 64

// lineage are the ancestors of a process, the parent first, up to the one with
// the id root; nil when that isn't one of them or they can't be seen.
func lineage(id, root int) (line []process) {
	for range maxLineage {
		parent, err := parentOf(id)
		if err != nil || parent <= 1 {
			return nil
		}
		program, err := programOf(parent)
		if err != nil {
			return nil
		}
		line = append(line, process{parent, program})
		if parent == root {
			return line
		}
		id = parent
	}
	return nil
}

// shells are what agents start hooks with, and launchers what agents are started
// with, before they become the program that works.
var (
	shells    = []string{"sh", "dash", "bash", "ash", "busybox", "ksh", "zsh", "fish"}
	launchers = append([]string{"node", "nodejs", "bun", "deno"}, shells...)
)

// startedByAgent reports whether the hook with these ancestors was started by the
// agent that the last of them is, or has launched, and not by another one that
// it runs as a tool: the agent is above that one then, and no launcher.
func startedByAgent(line []process) bool {
	if len(line) > 1 && slices.Contains(shells, filepath.Base(line[0].program)) {
		line = line[1:]
	}
	if len(line) == 0 {
		return false
	}
	agent := line[0].program
	for _, p := range line[1:] {
		if p.program == agent || !slices.Contains(launchers, filepath.Base(p.program)) {
			return false
		}
	}
	return true
}

// sameProgram reports whether a process runs the file that this one runs.
func sameProgram(id int) bool {
	own, err := runningFile(os.Getpid())
	if err != nil {
		return false
	}
	other, err := runningFile(id)
	return err == nil && os.SameFile(own, other)
}
