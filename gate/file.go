package gate

import (
	"net/url"
	"slices"
	"strings"
)

// A file is one that the request touches.
type file struct {
	filePath
	target  string
	removed bool // it goes away: by a deletion, or as the old name of a rename
	whole   bool // it counts with all that lies below it
	guarded bool // it, or something below it, is protected
	below   *below
	aside   bool // only the diff names it, as the old name of a rename
}

// readFiles finds the files of a request: its targets, and what its changes
// say beyond them. A rename is a deletion and a write (APR-15).
func (e *evaluation) readFiles() {
	req := &e.verdict.Request
	switch req.Kind {
	case WriteFile, DeleteFile:
		for _, t := range req.Targets {
			e.addFile(t, req.Kind == DeleteFile)
		}
		if len(req.Targets) > 0 {
			for i := range req.Diff {
				e.readChange(&req.Diff[i])
			}
		}
		e.lookBelow()
		for i := range e.files {
			f := &e.files[i]
			f.guarded = e.place.protected(f.filePath, f.whole) || f.below.protected(e.place, &e.index.read)
		}
	case NoKind:
		if !e.index.read.empty() {
			for _, t := range req.Targets {
				e.addRead(t)
			}
		}
	case Network:
		if !e.index.read.empty() {
			e.addURL(req.Detail)
			for _, t := range req.Targets {
				e.addURL(t)
			}
		}
	}
}

func (e *evaluation) addFile(target string, removed bool) {
	e.files = append(e.files, file{filePath: e.place.file(target, e.verdict.Request.Dir), target: target, removed: removed, whole: removed})
}

func (e *evaluation) readChange(c *Change) {
	to := e.changed(c.Path)
	if c.After == nil && c.Before != nil {
		to.removed, to.whole = true, true
	}
	if c.From == "" {
		return
	}
	// A folder may be moved, and brings along all below it.
	to.whole = true
	known := len(e.files)
	from := e.changed(c.From)
	// An adapter that asks for the deletion by itself leaves the old path out
	// of the targets: then only restrictions look at it here.
	from.removed, from.whole, from.aside = true, true, len(e.files) > known
}

// changed is the file of that path, which is added if no target named it.
func (e *evaluation) changed(path string) *file {
	f := e.place.file(path, e.verdict.Request.Dir)
	for i := range e.files {
		if e.files[i].written() == f.written() {
			return &e.files[i]
		}
	}
	e.files = append(e.files, file{filePath: f, target: path})
	return &e.files[len(e.files)-1]
}

// addRead adds a file that is read, with and without a line selector.
func (e *evaluation) addRead(target string) {
	e.addFile(target, false)
	if peeled := peelSelector(target); peeled != target {
		e.addFile(peeled, false)
	}
}

// addURL adds the file that a file URL names.
func (e *evaluation) addURL(target string) {
	if len(target) < 5 || !strings.EqualFold(target[:5], "file:") {
		return
	}
	if u, err := url.Parse(target); err == nil && u.Path != "" {
		e.addFile(u.Path, false)
	}
}

// removes reports whether an edit also deletes something, as a rename does.
func (e *evaluation) removes() bool {
	if e.verdict.Request.Kind == WriteFile {
		for i := range e.files {
			if e.files[i].removed && !e.files[i].aside {
				return true
			}
		}
	}
	return false
}

// anyProtected reports whether the request changes something protected.
func (e *evaluation) anyProtected() bool {
	if k := e.verdict.Request.Kind; k != WriteFile && k != DeleteFile {
		return false
	}
	for i := range e.files {
		if e.files[i].guarded {
			return true
		}
	}
	return false
}

// changesFilesInside reports whether the request changes files, and only such as
// lie in the workspace and are not protected.
func (e *evaluation) changesFilesInside() bool {
	if k := e.verdict.Request.Kind; k != WriteFile && k != DeleteFile || len(e.files) == 0 || e.anyProtected() {
		return false
	}
	for i := range e.files {
		if !e.place.inWorkspace(e.files[i].filePath) {
			return false
		}
	}
	return true
}

// ownFiles are the files that an allow must cover.
func (e *evaluation) ownFiles() []file {
	if !slices.ContainsFunc(e.files, func(f file) bool { return f.aside }) {
		return e.files
	}
	return slices.DeleteFunc(slices.Clone(e.files), func(f file) bool { return f.aside })
}
