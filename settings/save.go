package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long a save waits for another program's.
const lockWait = 10 * time.Second

// update changes a file in one step: under a lock it reads the file, asks
// change for the new content and puts that in its place. A missing file is
// nil, and content that stays the same is not written.
func update(name string, change func(old []byte) ([]byte, error)) error {
	target, err := followLinks(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	unlock, err := lock(target)
	if err != nil {
		return err
	}
	defer unlock()
	// Editors know nothing of the lock: start again when one saved meanwhile.
	for range 10 {
		old, err := readExisting(target)
		if err != nil {
			return err
		}
		next, err := change(old)
		if err != nil || old != nil && bytes.Equal(old, next) {
			return err
		}
		if err = replace(target, old, next); !errors.Is(err, errSavedMeanwhile) {
			return err
		}
	}
	return errSavedMeanwhile
}

// ErrChanged refuses to put content in the place of other content than it
// was made from.
var ErrChanged = errors.New("the file has changed meanwhile, and nothing was saved")

// Save puts content in the place of old, which is nil for a file that isn't
// there yet. When the file says something else by now it fails with
// [ErrChanged]. Links are followed, and mode and owner stay.
func Save(path string, old, content []byte) error {
	return update(path, func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, old) || (now == nil) != (old == nil) {
			return nil, ErrChanged
		}
		if len(content) > MaxFileSize {
			return nil, fmt.Errorf("%s would be larger than %d MB", path, MaxFileSize>>20)
		}
		return content, nil
	})
}

// Content is what a settings file holds; nil when there is no such file.
func Content(path string) ([]byte, error) { return readExisting(path) }

var errSavedMeanwhile = errors.New("another program keeps saving this file; nothing was changed")

// lock takes the lock beside the file: the file itself is replaced with each
// save, and a lock on it with it. The lock goes with its holder, so that nothing
// is left in the folders of other programs; who waited for one that is gone
// takes the next.
func lock(target string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	for {
		l := flock.New(target + ".lock")
		if _, err := l.TryLockContext(ctx, 5*time.Millisecond); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return nil, fmt.Errorf("another program holds %s since %v; nothing was changed", l.Path(), lockWait)
			}
			return nil, err
		}
		if stillThere(l) {
			return func() {
				_ = os.Remove(l.Path())
				_ = l.Unlock()
			}, nil
		}
		_ = l.Unlock()
	}
}

// stillThere reports whether a lock is the one that others find, too.
func stillThere(l *flock.Flock) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(l.Path())
	return err == nil && os.SameFile(held, found)
}

func readExisting(name string) ([]byte, error) {
	content, err := readFile(Path{Name: name})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && content == nil {
		content = []byte{}
	}
	return content, err
}

// replace puts new content in the place of old, so that a reader and a crash
// see one or the other. Mode and owner stay. Whoever calls it holds the lock:
// so one temporary name will do, and what a crash left there goes.
func replace(name string, old, content []byte) (err error) {
	tmp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".new")
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	if err := writeLike(tmp, name, content); err != nil {
		return err
	}
	now, err := readExisting(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, old) || (now == nil) != (old == nil) {
		return errSavedMeanwhile
	}
	if err := os.Rename(tmp, name); err != nil {
		return err
	}
	syncFolder(filepath.Dir(name))
	return nil
}

// writeLike writes a new file down to the disk, with the mode and the owner
// of another one, or for the user alone if there is no other.
func writeLike(name, like string, content []byte) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	switch info, err := os.Stat(like); {
	case err == nil:
		if err := keepOwner(f, info); err != nil {
			return fmt.Errorf("the file would change its owner: %w", err)
		}
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}

// syncFolder makes a rename last. Some file systems can't, which loses
// nothing but the guarantee.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// followLinks is the file to which a name leads, existing or not: a save must
// not put a file in the place of a link.
func followLinks(name string) (string, error) {
	for range 40 {
		to, err := os.Readlink(name)
		if err != nil {
			return filepath.Abs(name) // not a link, or nothing
		}
		if !filepath.IsAbs(to) {
			// The folder of the link counts, not the way there.
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		name = to
	}
	return "", &fs.PathError{Op: "follow", Path: name, Err: errors.New("too many links")}
}
