package gate

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxBelow is how many entries of a folder that goes away are looked at.
const maxBelow = 10_000

// A below is what lies on disk below a folder that is deleted or moved: rules
// with a wildcard, and names that are protected anywhere, may hold for it.
type below struct {
	files []filePath
	// unseen is set when there was too much, or a part can't be looked at.
	unseen bool
}

// lookBelow fills in what is below each folder that counts with it.
func (e *evaluation) lookBelow() {
	for i := range e.files {
		f := &e.files[i]
		if !f.whole {
			continue
		}
		if e.place.dark {
			f.below = &below{unseen: true}
			continue
		}
		folder := f.forms[len(f.forms)-1]
		if info, err := os.Stat(filepath.FromSlash(folder)); err == nil && info.IsDir() {
			f.below = f.walk(folder)
		}
	}
}

// walk doesn't follow links: what they lead to stays where it is. A folder is
// read in parts, since one alone may hold more than is looked at.
func (f *filePath) walk(folder string) *below {
	b := &below{}
	for folders := []string{""}; len(folders) > 0 && !b.unseen; {
		last := len(folders) - 1
		at := folders[last]
		folders = folders[:last]
		b.add(f, at)
		entries, err := listSome(folder+at, maxBelow-len(b.files))
		b.unseen = err != nil && !errors.Is(err, fs.ErrNotExist)
		for _, entry := range entries {
			name := at + "/" + entry.Name()
			if entry.IsDir() {
				folders = append(folders, name)
			} else {
				b.add(f, name)
			}
		}
		if len(b.files)+len(folders) > maxBelow {
			b.unseen = true
		}
	}
	return b
}

// add adds what lies at rel below the folder f.
func (b *below) add(f *filePath, rel string) {
	entry := filePath{forms: make([]string, len(f.forms))}
	for i, form := range f.forms {
		entry.forms[i] = form + rel
	}
	b.files = append(b.files, entry)
}

// listSome lists a folder; it is an error when there is more than limit in it.
func listSome(folder string, limit int) ([]fs.DirEntry, error) {
	// What is a pipe by now must not hold the decision up.
	dir, err := os.OpenFile(filepath.FromSlash(folder), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(max(limit, 0) + 1)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err == nil && len(entries) > limit:
		err = errTooMuch
	}
	return entries, err
}

// restricting finds a rule for something below.
func (b *below) restricting(x *pathIndex) *Rule {
	if b == nil || x.empty() {
		return nil
	}
	for _, f := range b.files {
		if r := x.restricting(f, false); r != nil {
			return r
		}
	}
	return nil
}

// protected reports whether something below is protected, or may not be read:
// moved elsewhere it might be.
func (b *below) protected(p place, read *pathIndex) bool {
	if b == nil {
		return false
	}
	for _, f := range b.files {
		if p.protected(f, false) {
			return true
		}
	}
	return b.restricting(read) != nil
}

// unseenFolder is a folder that goes away and can't be looked through.
func (e *evaluation) unseenFolder() (target string, ok bool) {
	for i := range e.files {
		if b := e.files[i].below; b != nil && b.unseen {
			return e.files[i].target, true
		}
	}
	return "", false
}
