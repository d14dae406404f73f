package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

func (p Policy) wrap(cmd *exec.Cmd) (func() error, error) {
	report := Available()
	if !report.Active() {
		return nil, report.Err
	}
	var t traps
	c, places, err := p.cage(report.Namespaces)
	if err == nil {
		t, err = p.setTraps(c.Hold)
	}
	if err == nil {
		err = c.start(cmd)
	}
	if err != nil {
		return nil, errors.Join(err, places.remove())
	}
	return func() error { return errors.Join(places.remove(), t.sprung()) }, nil
}

// cage works the policy out against what is there. The placeholders are to be
// removed in any case.
func (p Policy) cage(mounts bool) (*cage, *placeholders, error) {
	c := &cage{Mounts: mounts, NoNetwork: p.NoNetwork}
	places := new(placeholders)
	var err error
	if c.Roots, err = p.roots(); err != nil {
		return nil, places, err
	}
	hold, err := p.protected(c.Roots)
	if err != nil {
		return nil, places, err
	}
	hide, err := p.hidden()
	if err != nil {
		return nil, places, err
	}
	if !mounts {
		return c, places, c.withoutMounts(hold, hide)
	}
	for _, path := range c.Roots {
		if covers("/dev", path) {
			return nil, places, fmt.Errorf("%w: %s is to be written, and /dev is the sandbox's own", ErrUnenforceable, path)
		}
	}
	c.Write = c.Roots
	c.Hide = outermost(hide)
	for _, path := range hold {
		if coversAny(c.Hide, path) {
			continue // nobody gets there
		}
		if path, err = places.fill(path); err != nil {
			return nil, places, err
		}
		c.Hold = append(c.Hold, path)
	}
	c.Hold = outermost(c.Hold)
	c.Pins = pins(c.Roots, append(slices.Clone(c.Hold), c.Hide...))
	return c, places, nil
}

// roots are the outermost folders and files that may be written, made where
// they are missing. Those that nobody can write to are left out.
func (p Policy) roots() ([]string, error) {
	var roots []string
	for _, path := range append([]string{p.Workspace}, p.Write...) {
		path = p.abs(path)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && path != p.Workspace {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return nil, err
			}
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, err
		}
		if real == "/" {
			return nil, fmt.Errorf("%w: everything may be written", ErrUnenforceable)
		}
		var fs unix.Statfs_t
		if err := unix.Statfs(real, &fs); err != nil {
			return nil, &os.PathError{Op: "statfs", Path: real, Err: err}
		}
		if fs.Flags&unix.ST_RDONLY == 0 {
			roots = append(roots, real)
		}
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("%w: nothing can be written", ErrUnenforceable)
	}
	return outermost(roots), nil
}

// protected are the entries, there or not, that lie in one of the roots. A
// link is refused: it could be replaced by something else.
func (p Policy) protected(roots []string) ([]string, error) {
	var hold []string
	for _, path := range p.Protect {
		real, err := p.place(path)
		if err != nil {
			return nil, err
		}
		for _, root := range roots {
			if covers(real, root) {
				return nil, fmt.Errorf("%w: %s is protected, and %s in it is to be written", ErrUnenforceable, real, root)
			}
		}
		if !coversAny(roots, real) {
			continue
		}
		if info, err := os.Lstat(real); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return nil, fmt.Errorf("%w: the protected %s is a link", ErrUnenforceable, real)
		}
		hold = append(hold, real)
	}
	return hold, nil
}

// hidden are the entries that are there and not to be read, and where their
// links lead.
func (p Policy) hidden() ([]string, error) {
	var hide []string
	for _, path := range p.ReadDeny {
		real, err := filepath.EvalSymlinks(p.abs(path))
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, os.ErrPermission) {
			continue // not there, or out of the agent's reach already
		}
		if err != nil {
			return nil, err
		}
		hide = append(hide, real)
	}
	return hide, nil
}

// place follows the links of the folders above path, as far as they exist.
func (p Policy) place(path string) (string, error) {
	path = p.abs(path)
	rest := filepath.Base(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if _, lerr := os.Lstat(dir); lerr == nil || !errors.Is(err, os.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
			return "", fmt.Errorf("%w: the protected %s: %w", ErrUnenforceable, path, err)
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// pins are the folders between the roots and the entries: who moves one of
// them away can put another in its place.
func pins(roots, entries []string) []string {
	var all []string
	for _, path := range entries {
		for dir := filepath.Dir(path); coversAny(roots, dir) && !slices.Contains(roots, dir); dir = filepath.Dir(dir) {
			if !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
	}
	return all
}

// outermost leaves out what lies below another.
func outermost(paths []string) []string {
	var kept []string
	for _, path := range parentsFirst(paths) {
		if !coversAny(kept, path) {
			kept = append(kept, path)
		}
	}
	return kept
}
