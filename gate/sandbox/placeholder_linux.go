package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// placeholderMode tells the folders that stand in for missing entries from
// those of the person, also after a session that could not clear up.
const placeholderMode = os.ModeSticky | 0o555

// isPlaceholder looks only at what no umask changes.
func isPlaceholder(m os.FileMode) bool {
	return m.IsDir() && m&os.ModeSticky != 0 && m&0o222 == 0
}

// placeholders are empty folders that stand in for protected entries that
// aren't there, since only what is there can be made a mount point. Each is
// locked by all sessions that need it; the last one removes it.
type placeholders struct{ dirs []*os.File }

// fill returns what is to be held so that path can't be made or changed: path
// itself, if it is there, else its outermost missing folder, or the file that
// is in its way.
func (p *placeholders) fill(path string) (string, error) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(dir)
		if err != nil || isPlaceholder(info.Mode()) {
			path = dir
			continue
		}
		if !info.IsDir() {
			return dir, nil
		}
		break
	}
	for range 10 { // another session may remove it under our hands
		info, err := os.Lstat(path)
		if errors.Is(err, os.ErrNotExist) {
			if err := os.Mkdir(path, placeholderMode); err != nil && !errors.Is(err, os.ErrExist) {
				return "", fmt.Errorf("%w: the protected %s is missing: %w", ErrUnenforceable, path, err)
			}
			continue
		}
		if err != nil {
			return "", err
		}
		if !isPlaceholder(info.Mode()) || p.lock(path, info) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: the protected %s comes and goes", ErrUnenforceable, path)
}

// lock keeps other sessions from removing the placeholder.
func (p *placeholders) lock(path string, seen os.FileInfo) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB); err != nil {
		f.Close()
		return false
	}
	if now, err := os.Lstat(path); err != nil || !os.SameFile(seen, now) {
		f.Close()
		return false
	}
	p.dirs = append(p.dirs, f)
	return true
}

// remove clears up what no other session needs. What was put into one from
// outside stays.
func (p *placeholders) remove() error {
	var all error
	for _, f := range p.dirs {
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			if names, err := f.Readdirnames(1); len(names) == 0 && err != nil {
				if err := os.Remove(f.Name()); !errors.Is(err, os.ErrNotExist) {
					all = errors.Join(all, err)
				}
			}
		}
		f.Close()
	}
	p.dirs = nil
	return all
}
