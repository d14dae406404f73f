package acp

import (
	"strings"
)

// edit works out an edit. Agents say what they change in four ways; the ones
// in the request itself go before those that were announced, and whole texts
// before patches.
func (e *editing) edit() {
	input := e.r.input
	all := input.flag("replace_all") || input.flag("replaceAll")
	asked := e.r.asked
	patch := parseObject(asked.RawInput).text("diff", "patch")
	switch announced := diffsOf(e.r.before.Content); {
	case len(diffsOf(asked.Content)) > 0:
		e.replaceEach(diffsOf(asked.Content), all)
	case patch != "" && len(announced) > 0:
		e.announced(announced, all, patch)
	case patch != "":
		e.patch(patch)
	case len(announced) > 0:
		e.replaceEach(announced, all)
	case input.text("diff", "patch") != "":
		e.patch(input.text("diff", "patch"))
	default:
		e.arguments(input, all)
	}
}

func (e *editing) replaceEach(list []*Diff, all bool) {
	for _, d := range list {
		e.replace(d, all)
	}
}

// announced is for agents that show whole texts first and then ask with a
// patch. The patch is what will be done: where the two disagree it counts.
func (e *editing) announced(list []*Diff, all bool, patch string) {
	other := &editing{r: e.r, inside: true}
	other.patch(patch)
	e.replaceEach(list, all)
	if !other.unclear && sameText(e.files, other.files) {
		return
	}
	e.say("Announced", "what the agent announced differs from what it asks for now; the latter is shown")
	e.files, e.unclear = other.files, true
	e.fields = append(e.fields, other.fields...)
}

// sameText compares without the newline at the end, which patches of some
// agents lose.
func sameText(a, b []*edited) bool {
	if len(a) != len(b) {
		return false
	}
	trim := func(s []byte) string { return strings.TrimSuffix(string(s), "\n") }
	for i := range a {
		if a[i].path != b[i].path || a[i].deleted != b[i].deleted || trim(a[i].after) != trim(b[i].after) {
			return false
		}
	}
	return true
}

// arguments reads an edit from the tool's own arguments: a whole text, or a
// piece that is replaced.
func (e *editing) arguments(input object, all bool) {
	path := input.text(pathNames...)
	for _, name := range wholeTexts {
		if text, ok := input.optional(name); ok && path != "" {
			e.replace(&Diff{Path: path, New: text}, false)
			return
		}
	}
	for _, names := range textPairs {
		old, ok := input.optional(names[0])
		text, ok2 := input.optional(names[1])
		if ok && ok2 && path != "" {
			e.replace(&Diff{Path: path, Old: &old, New: text}, all)
			return
		}
	}
	e.unclear = true
}

// patch applies a unified diff.
func (e *editing) patch(text string) {
	patches, err := parsePatch(text)
	if err != nil || len(patches) == 0 {
		e.unclear = true
		e.say("Patch", "the agent's patch can't be read")
		return
	}
	for _, p := range patches {
		path := e.r.patched(p.path(), len(patches))
		if p.deletes() {
			e.remove(path)
			continue
		}
		f := e.open(path)
		after, ok := p.apply(string(f.after))
		if !ok {
			e.unclear = true
			e.say("Patch", "the agent's patch doesn't fit %s as it is now", e.r.relative(path))
			continue
		}
		f.after = []byte(after)
	}
}

// patched is a file of a patch that is about n files. The only one is the file
// that the call names, if it ends like it.
func (r reading) patched(path string, n int) string {
	if path == "" {
		return ""
	}
	path = r.patchPath(path)
	if n != 1 {
		return path
	}
	if named := r.paths(); len(named) == 1 && strings.HasSuffix(path, strings.TrimPrefix(named[0], "/")) {
		return named[0]
	}
	return path
}

// patchPath reads a path in a patch. Some agents write an absolute path as
// git writes a relative one, without its first slash.
func (r reading) patchPath(path string) string {
	if rooted := "/" + path; !strings.HasPrefix(path, "/") && r.inside(rooted) {
		return rooted
	}
	return r.absolute(path)
}
