package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
)

// traps are files that nobody can keep from being made, since standing in for
// them would break the programs that look at them, and that make a program
// believe what the agent wrote.
type traps []string

// traps that aren't there yet.
func (p Policy) traps() traps {
	git := filepath.Join(p.Workspace, ".git")
	if info, err := os.Lstat(git); err != nil || !info.IsDir() {
		return nil
	}
	trap := filepath.Join(git, "commondir")
	if _, err := os.Lstat(trap); err == nil {
		return nil
	}
	return traps{trap}
}

// left is an error that names those that have come into being.
func (t traps) left() error {
	for _, trap := range t {
		if _, err := os.Lstat(trap); err == nil {
			return fmt.Errorf("the agent left %s, which makes git take its configuration from elsewhere: look at it before you use git there", trap)
		}
	}
	return nil
}
