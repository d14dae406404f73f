package gate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
		folder := f.forms[len(f.forms)-1]
		if info, err := os.Stat(filepath.FromSlash(folder)); err == nil && info.IsDir() {
			f.below = f.walk(folder)
		}
	}
}

// walk doesn't follow links: what they lead to stays where it is.
func (f *filePath) walk(folder string) *below {
	b := &below{}
	err := filepath.WalkDir(filepath.FromSlash(folder), func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if len(b.files) >= maxBelow {
			return errTooMuch
		}
		rel := strings.TrimPrefix(filepath.ToSlash(name), folder)
		entry := filePath{forms: make([]string, len(f.forms))}
		for i, form := range f.forms {
			entry.forms[i] = form + rel
		}
		b.files = append(b.files, entry)
		return nil
	})
	b.unseen = err != nil && !errors.Is(err, fs.ErrNotExist)
	return b
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
