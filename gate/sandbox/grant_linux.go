package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// withoutMounts works out what Landlock can hold by itself: it grants whole
// trees, so that a folder with an exception in it is granted entry by entry.
func (c *cage) withoutMounts(hold, hide []string) error {
	if c.NoNetwork {
		return fmt.Errorf("%w: without user namespaces the network is only held for TCP", ErrUnenforceable)
	}
	for _, path := range hide {
		if info, err := os.Lstat(path); err != nil {
			return err
		} else if info.Mode()&os.ModeSocket != 0 {
			return fmt.Errorf("%w: without user namespaces the socket %s can be reached", ErrUnenforceable, path)
		}
	}
	for _, root := range c.Roots {
		entries, err := beside(root, hold)
		if err != nil {
			return err
		}
		c.Write = append(c.Write, entries...)
	}
	if len(hide) == 0 {
		return nil
	}
	var err error
	c.Read, err = beside("/", hide)
	return err
}

// beside lists the outermost entries at and below path that neither are an
// exception nor contain the place of one. Links are left out: what they lead
// to is granted, or not, by its own place.
func beside(path string, exceptions []string) ([]string, error) {
	if coversAny(exceptions, path) {
		return nil, nil
	}
	if !slices.ContainsFunc(exceptions, func(e string) bool { return covers(path, e) }) {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, os.ErrPermission):
		return nil, nil // the agent can't look into it either
	case err != nil:
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if e.Type()&os.ModeSymlink != 0 {
			continue
		}
		below, err := beside(filepath.Join(path, e.Name()), exceptions)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}
