package sandbox

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// traps are what the sandbox can't keep the agent from, and what is to be told
// when it is done.
type traps struct {
	// missing files can't be kept from being made, since standing in for them
	// would break the programs that look at them.
	missing []string
	// held files lose their protection when somebody outside replaces them.
	held map[string][sha256.Size]byte
}

// setTraps notes how things are before the agent starts. held are the
// protected entries.
func (p Policy) setTraps(held []string) (traps, error) {
	t := traps{held: map[string][sha256.Size]byte{}}
	if git := gitFolder(p.Workspace); git != "" {
		for _, name := range []string{"commondir", "config.worktree"} {
			if path := filepath.Join(git, name); !exists(path) {
				t.missing = append(t.missing, path)
			}
		}
	}
	for _, path := range held {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return t, err
		}
		t.held[path] = sha256.Sum256(text)
	}
	return t, nil
}

// gitFolder is the folder of the workspace's own in its repository, or empty.
func gitFolder(workspace string) string {
	git := filepath.Join(workspace, ".git")
	switch info, err := os.Lstat(git); {
	case err != nil:
		return ""
	case info.IsDir():
		return git
	}
	return pointer(git, "gitdir: ")
}

// sprung is an error that names those that went off.
func (t traps) sprung() error {
	var all []error
	for _, path := range t.missing {
		if exists(path) {
			all = append(all, fmt.Errorf("the agent left %s, from which git may take configuration that runs programs: look at it before you use git there", path))
		}
	}
	for path, before := range t.held {
		text, err := os.ReadFile(path)
		if now := sha256.Sum256(text); err != nil || !bytes.Equal(now[:], before[:]) {
			all = append(all, fmt.Errorf("%s was replaced from outside while the agent ran, which could change it from then on: look at it", path))
		}
	}
	return errors.Join(all...)
}
