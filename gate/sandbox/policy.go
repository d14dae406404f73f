package sandbox

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrUnavailable says that this machine has no sandbox that can be used.
var ErrUnavailable = errors.New("no OS sandbox")

// ErrUnenforceable says that this policy can't be enforced in full here.
var ErrUnenforceable = errors.New("the sandbox can't hold this")

// A Policy says what the agent may do to this machine. Paths are absolute, or
// relative to the workspace. The zero Policy is invalid: it names no workspace.
type Policy struct {
	// Workspace is the folder that the agent works in and may write.
	Workspace string
	// Write are further folders and files that may be written. Folders that
	// are missing are made.
	Write []string
	// Protect stays read-only inside what may be written, with all below it,
	// whether it is there or not.
	Protect []string
	// ReadDeny are files and folders whose contents can't be read. What isn't
	// there at the start is not held.
	ReadDeny []string
	// NoNetwork cuts off the network, the agent's own model included.
	NoNetwork bool
}

// Wrap changes cmd so that it runs under the sandbox, with all that it starts.
// It returns [ErrUnavailable] or [ErrUnenforceable] when that can't be done in
// full, and then cmd must not be started.
//
// The release function is to be called when the command and all that it
// started are gone, or when it was not started. It removes what stood in for
// missing protected entries, and its error tells of traps that were left.
func (p Policy) Wrap(cmd *exec.Cmd) (release func() error, err error) {
	switch {
	case cmd.Err != nil:
		return nil, cmd.Err
	case cmd.Process != nil:
		return nil, errors.New("the command was started already")
	case !filepath.IsAbs(p.Workspace):
		return nil, errors.New("a sandbox needs the workspace's absolute path")
	}
	return p.wrap(cmd)
}

// abs makes a path of the policy absolute.
func (p Policy) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Workspace, path)
	}
	return filepath.Clean(path)
}

// covers reports whether path is dir or lies below it.
func covers(dir, path string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}

func coversAny(dirs []string, path string) bool {
	for _, dir := range dirs {
		if covers(dir, path) {
			return true
		}
	}
	return false
}
