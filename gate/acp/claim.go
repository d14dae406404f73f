package acp

import (
	"encoding/json"
	"slices"
	"strings"
)

// claims are the absolute paths of all files that the call names in any way,
// understood or not, each once: a rule for files has to hold for each.
func (r reading) claims() []string {
	list := r.paths()
	add := func(path string) {
		list = append(append(append(list, r.absolute(path)), r.behindLink(path)...), r.otherwise(path)...)
	}
	for _, path := range r.named() {
		add(path)
	}
	for _, name := range []string{"diff", "patch"} {
		patches, err := parsePatch(r.input.text(name))
		if err != nil {
			continue
		}
		for _, p := range patches {
			for _, path := range []string{p.from, p.to} {
				list = append(append(append(list, r.patched(path, len(patches))), r.behindLink(path)...), r.otherwise(path)...)
			}
		}
	}
	for _, path := range claimsIn(r.call.RawInput) {
		add(strings.TrimPrefix(path, "file://"))
		list = append(list, r.otherwise(path)...)
	}
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(list, func(p string) bool {
		again := seen[p]
		seen[p] = true
		return again
	})
}

// named are the paths, as they are written, of the files that the call is about.
func (r reading) named() (list []string) {
	for _, name := range pathNames {
		list = append(list, r.input.text(name))
	}
	for _, l := range r.call.Locations {
		list = append(list, l.Path)
	}
	for _, d := range diffsOf(r.call.Content) {
		list = append(list, d.Path)
	}
	return list
}

// claimsIn finds paths at any depth: under names that are for paths, alone or in
// a list, and as the names in a table of changes.
func claimsIn(raw json.RawMessage) (paths []string) {
	type level struct {
		name  string // under which the object or list stands
		table bool   // it is an object
	}
	levels := []level{{}}
	name := "" // of the member that is read
	for t := range tokens(raw) {
		in := levels[len(levels)-1]
		switch b := t.bracket(); {
		case b == '{', b == '[':
			levels = append(levels, level{name, b == '{'})
			name = ""
		case b != 0:
			levels = levels[:len(levels)-1]
			name = ""
		case t.name:
			name, _ = unquote(t.raw)
			if in.table && strings.EqualFold(in.name, "changes") {
				paths = append(paths, name)
			}
		default:
			if !in.table {
				name = in.name
			}
			if quoted(t.raw) && forPath(name) {
				text, _ := unquote(t.raw)
				paths = append(paths, text)
			}
			name = ""
		}
	}
	return paths
}

// forPath reports a name under which tools take paths, in any spelling.
func forPath(name string) bool {
	name = strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
	if slices.Contains([]string{"from", "to", "source", "destination", "src", "dst", "target"}, name) {
		return true
	}
	for _, end := range []string{"path", "paths", "file", "files", "filename", "filenames", "uri"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
