package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const sandboxExec = "/usr/bin/sandbox-exec"

// Available says what sandbox-exec is believed to hold. Nobody has tested it.
func Available() Report {
	if _, err := os.Stat(sandboxExec); err != nil {
		return Report{Err: fmt.Errorf("%w: %w", ErrUnavailable, err)}
	}
	return Report{
		Name:  "sandbox-exec",
		Holds: []string{"writing outside the workspace and the folders named", "protected entries", "reading what rules deny", "the network, when it is to be off"},
		Lacks: []string{"a test: its profile was only ever read, never run", "the terminals of this user", "services reached over Mach ports"},
	}
}

func (p Policy) wrap(cmd *exec.Cmd) (func() error, error) {
	if report := Available(); !report.Active() {
		return nil, report.Err
	}
	real, err := p.resolved()
	if err != nil {
		return nil, err
	}
	t, err := real.setTraps(nil)
	if err != nil {
		return nil, err
	}
	cmd.Args = append([]string{sandboxExec, "-p", real.seatbelt(), cmd.Path}, cmd.Args[1:]...)
	cmd.Path = sandboxExec
	return t.sprung, nil
}

// resolved follows the links in all paths, since profiles are compared with
// what they lead to. An entry that isn't there is resolved by its folder.
func (p Policy) resolved() (Policy, error) {
	var err error
	if p.Workspace, err = filepath.EvalSymlinks(p.Workspace); err != nil {
		return p, err
	}
	for _, list := range []*[]string{&p.Write, &p.Protect, &p.ReadDeny} {
		real := make([]string, 0, len(*list))
		for _, path := range *list {
			path, err := through(p.abs(path))
			if err != nil {
				return p, err
			}
			real = append(real, path)
		}
		*list = real
	}
	return p, nil
}

func through(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, os.ErrNotExist) || path == "/" {
		return real, err
	}
	dir, err := through(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

func become([]string) error { return errors.New("nothing starts this program again on macOS") }
