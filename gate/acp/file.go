package acp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// maxFile is the largest file that is read to show what an edit does to it,
// in bytes.
const maxFile = 32 << 20

// fileRequests are the requests of a call that edits, deletes or moves files:
// one for all that it writes and one for all that it deletes, since either
// may be allowed without the other (TAM-24).
func (r reading) fileRequests() []gate.Request {
	e := r.editing()
	overlooked := r.overlooked(r.fileArguments())
	e.unclear = e.unclear || len(overlooked) > 0
	var requests []gate.Request
	if w := e.named(false); len(w) > 0 || len(e.named(true)) == 0 {
		q := r.fileRequest(e, gate.WriteFile, w)
		q.Key, q.KeyLabel = gate.WriteKey(r.workspace)
		requests = append(requests, q)
	}
	if d := e.named(true); len(d) > 0 {
		q := r.fileRequest(e, gate.DeleteFile, d)
		q.Key, q.KeyLabel = gate.DeleteKey(r.workspace)
		requests = append(requests, q)
	}
	for i := range requests {
		// The workspace's keys say nothing about files elsewhere.
		if !e.inside || requests[i].Unrevealed {
			requests[i].Key, requests[i].KeyLabel = "", ""
		}
		if e.astray {
			forceReason(&requests[i], "it doesn't say what becomes of some of the files that it names")
		}
		if e.twofold {
			forceReason(&requests[i], "tools differ in which file its path means")
		}
		forceAsk(&requests[i], overlooked)
	}
	return requests
}

func (r reading) fileRequest(e *editing, kind gate.Kind, paths []string) gate.Request {
	q := r.base()
	q.Kind = kind
	q.Declared.Tier = gate.Write
	q.Fields = e.fields
	q.Unrevealed = e.unclear || len(paths) == 0
	for _, p := range paths {
		q.Targets = append(q.Targets, r.relative(p))
		q.GrantTargets = append(q.GrantTargets, gate.GrantTarget{Kind: gate.GrantFile, Path: p, Tier: gate.Write})
	}
	for _, f := range e.files {
		if f.deleted == (kind == gate.DeleteFile) && !f.unread {
			q.Diff = append(q.Diff, gate.Change{Path: r.relative(f.path), From: f.from, Before: f.was(), After: f.after})
		}
	}
	if q.Unrevealed {
		q.Detail = r.account()
	}
	return q
}

// was is the file as it is before the call. What is moved was there under its
// old name: else all of it would look new.
func (f *edited) was() []byte {
	if f.from != "" && f.before == nil {
		return f.moved
	}
	return f.before
}

// An editing works out what a call does to files, against the files as they
// are now: what the agent calls the old text is only compared.
type editing struct {
	r       reading
	files   []*edited
	others  []string // files that the call names without saying what happens to them
	fields  []gate.Field
	unclear bool
	astray  bool // a file is named in arguments that are not for the file that is changed
	twofold bool // a file is named in a way that tools take for different files
	inside  bool // every file is in the workspace
}

// An edited is one file before and after.
type edited struct {
	path    string
	from    string // its old path, for a move
	moved   []byte // what it holds there, for a move
	before  []byte
	after   []byte
	deleted bool
	unread  bool // not shown: not a plain file, or too large
}

func (r reading) editing() *editing {
	e := &editing{r: r, inside: true}
	switch r.call.Kind {
	case "delete":
		for _, p := range r.paths() {
			e.remove(p)
		}
	case "move":
		e.move()
	default:
		e.edit()
	}
	named := r.paths()
	e.twofold = slices.ContainsFunc(r.named(), func(path string) bool { return len(r.otherwise(path)) > 0 })
	for _, p := range r.claims() {
		if !slices.ContainsFunc(e.files, func(f *edited) bool { return f.path == p || f.from == p }) {
			e.others = append(e.others, p)
			e.unclear = true
			e.astray = e.astray || !slices.Contains(named, p)
		}
	}
	for _, p := range append(e.named(false), e.named(true)...) {
		e.inside = e.inside && r.inside(p)
	}
	return e
}

// named are the paths that are deleted, or that are written.
func (e *editing) named(deleted bool) (paths []string) {
	for _, f := range e.files {
		if f.deleted == deleted {
			paths = append(paths, f.path)
		}
	}
	if !deleted {
		paths = append(paths, e.others...)
	}
	return paths
}

func (e *editing) say(label, format string, args ...any) {
	f := gate.Field{Label: label, Value: fmt.Sprintf(format, args...)}
	if !slices.Contains(e.fields, f) {
		e.fields = append(e.fields, f)
	}
}

// open is the file at path as the edits so far leave it.
func (e *editing) open(path string) *edited {
	for _, f := range e.files {
		if f.path == path {
			return f
		}
	}
	f := &edited{path: path}
	e.files = append(e.files, f)
	before, err := readFile(path)
	if err != nil {
		f.unread, e.unclear = true, true
		e.say("Not shown", "%s: %s", e.r.relative(path), err)
	}
	f.before, f.after = before, before
	return f
}

func (e *editing) remove(path string) {
	f := e.open(path)
	f.after, f.deleted = nil, true
}

// move deletes the one path and writes the other.
func (e *editing) move() {
	input := e.r.input
	from := e.r.absolute(input.text(fromNames...))
	to := e.r.absolute(input.text(toNames...))
	if l := e.r.call.Locations; from == "" && to == "" && len(l) == 2 {
		from, to = e.r.absolute(l[0].Path), e.r.absolute(l[1].Path)
	}
	if from == "" || to == "" {
		e.unclear = true
		return
	}
	e.remove(from)
	old := e.open(from)
	f := e.open(to)
	if f.before != nil {
		e.say("Replaces", "%s exists; all of it is replaced", e.r.relative(to))
	}
	f.from, f.moved, f.after = e.r.relative(from), old.before, old.before
	f.unread = f.unread || old.unread
}

// replace applies one change as the agent tells it.
func (e *editing) replace(d *Diff, all bool) {
	path := e.r.absolute(d.Path)
	if path == "" {
		e.unclear = true
		return
	}
	if d.Deleted {
		e.remove(path)
		return
	}
	f := e.open(path)
	f.deleted = false
	now, name := string(f.after), e.r.relative(path)
	switch {
	case d.Old == nil || *d.Old == "":
		if now != "" {
			e.say("Replaces", "%s exists; all of it is replaced", name)
		}
		f.after = []byte(d.New)
	case f.after != nil && *d.Old == now:
		f.after = []byte(d.New)
	case strings.Contains(now, *d.Old):
		n := strings.Count(now, *d.Old)
		if n > 1 && !all {
			e.unclear = true
			e.say("Where", "the text that is replaced is in %s %d times; the agent doesn't say which it means", name, n)
		}
		if i := strings.Index(now, *d.Old); d.lines && i > 0 && now[i-1] != '\n' {
			e.unclear = true
			e.say("Where", "the lines that are replaced are in %s only as a part of others", name)
		}
		if !all {
			n = 1
		}
		f.after = []byte(strings.Replace(now, *d.Old, d.New, n))
	case f.unread: // nobody knows whether the old text is right
		e.unclear, f.after = true, []byte(d.New)
	default:
		e.unclear = true
		e.say("Old text", "what the agent takes for the old text of %s is not what is in the file", name)
		f.after = []byte(d.New)
	}
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = fmt.Errorf("larger than %d MiB", maxFile>>20)
)

// readFile is a file's content, nil where there is none. Devices and pipes
// are not opened: reading one could last for ever.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	case info.Size() > maxFile:
		return nil, errTooLarge
	}
	f, err := openNonblocking(path)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(f, maxFile+1)); err != nil {
		return nil, err
	}
	if b.Len() > maxFile {
		return nil, errTooLarge
	}
	return append([]byte{}, b.Bytes()...), nil
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
