package settings

import (
	"fmt"
	"slices"
	"strings"
)

// A File is what one settings file says.
type File struct {
	Name  string
	Layer Layer
	Values
	// Broken says that the file couldn't be read to its end. It holds only
	// restrictions then, and a rule with Err that holds everything at ask.
	Broken bool
	// Content is the whole file as read, set in [Settings.Untrusted] only:
	// show it, then pass it to [TrustStore.Trust].
	Content []byte
}

// Parse reads one settings file. name is used in messages and sources. All
// problems are returned at once, in the order of the file; a syntax error is
// one problem, and of very many the last says how many more there are. What
// is wrong isn't applied, and where it may have been a restriction everything
// is held at ask. Keys that the layer may not set are warnings.
func Parse(name string, data []byte, layer Layer) (*File, []Problem) {
	r := &reader{doc: parseDocument(data), name: name, layer: layer, asked: map[string][]string{}}
	r.file()
	r.reportUnknown()
	for _, m := range r.doc.twice {
		first, _ := r.doc.position(m.first)
		key := joinKey("", m.key...)
		r.hold(r.problem(Error, m.at, key, fmt.Sprintf("%s is defined in line %d already", key, first), "keep one of them"))
	}
	f := &File{Name: name, Layer: layer, Values: r.values}
	if m := r.doc.broken; m != nil {
		// Half a file may lack the rest of a list: only its restrictions count.
		r.problems = nil
		r.values, _ = f.split()
		r.hold(r.problem(Error, m.at, "", "this is not valid TOML: "+m.message, ""))
		f.Values, f.Broken = r.values, true
	}
	sortProblems(r.problems)
	return f, r.fewer()
}

// maxProblems bounds what one file can make a program print or hold.
const maxProblems = 200

func (r *reader) fewer() []Problem {
	more := len(r.problems) - maxProblems
	if more <= 0 {
		return r.problems
	}
	next := r.problems[maxProblems]
	next.Severity, next.Key, next.Message, next.Hint = Error, "", fmt.Sprintf("%d more problems from here", more), ""
	if more == 1 {
		next.Message = "1 more problem from here"
	}
	return append(r.problems[:maxProblems], next)
}

// reportUnknown reports the keys that nobody asked for, with the nearest name
// of their section, or the section to which a name belongs.
func (r *reader) reportUnknown() {
	for i, u := range r.unknown {
		key := joinKey(u.section, u.name)
		name, hint := "", ""
		if i < maxProblems {
			name, hint = r.meant(u)
		}
		p := r.problem(Error, u.at, key, "unknown key "+key, hint)
		// A list that reads like no other may be meant as one of denies.
		if restricts(name) || name == "" && u.section == "permissions" || i >= maxProblems {
			r.hold(p)
		}
	}
}

// meant is the name that an unknown key stands for, as far as can be told.
func (r *reader) meant(u unknown) (name, hint string) {
	if name = Nearest(u.name, r.asked[u.section]); name != "" {
		return name, "did you mean " + name + "?"
	}
	return r.elsewhere(u.name)
}

// elsewhere looks for a name in the other sections.
func (r *reader) elsewhere(name string) (found, hint string) {
	var sections, near []string
	for path, names := range r.asked {
		switch {
		case path == "":
		case slices.Contains(names, name):
			sections = append(sections, "["+path+"]")
		default:
			if n := Nearest(name, names); n != "" && len(name) > 4 {
				near = append(near, joinKey(path, n))
			}
		}
	}
	slices.Sort(sections)
	slices.Sort(near)
	switch {
	case sections != nil:
		return name, "it belongs in " + orList(sections)
	case near != nil:
		return near[0][strings.LastIndexByte(near[0], '.')+1:], "did you mean " + orList(near) + "?"
	}
	return "", ""
}
