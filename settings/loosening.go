package settings

import (
	"fmt"
	"maps"
	"slices"
)

// Loosening lists what of a file loosens something, one setting a line, as
// the user should read it before they trust the file (APR-15a). The lines
// hold text of the project: escape it before it reaches a screen.
func Loosening(f *File) (lines []string) {
	_, v := f.split()
	say := func(key, value string) { lines = append(lines, key+" = "+value) }
	for _, r := range v.Rules {
		say("permissions."+r.Effect.String(), r.Value)
	}
	for _, b := range []struct {
		key   string
		value Located[bool]
	}{
		{"permissions.read_only_defaults", v.ReadOnlyDefaults},
		{"tools.auto_approve_commands", v.AutoApproveCommands},
		{"bash.allow_compound_commands", v.CompoundCommands},
		{"ui.plain", v.UI.Plain},
		{"ui.mouse", v.UI.Mouse},
	} {
		if b.value.Set() {
			say(b.key, fmt.Sprint(b.value.Value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Tools)) {
		say(joinKey("tools.approval", name), string(v.Tools[name].Value))
	}
	for _, p := range v.Patterns {
		say("bash.patterns", string(p.Approval)+" "+p.Match)
	}
	if v.UI.DiffLines.Set() {
		say("ui.diff_lines", fmt.Sprint(v.UI.DiffLines.Value))
	}
	for _, s := range []struct {
		key   string
		value Located[string]
	}{
		{"bash.shell", v.Shell},
		{"ui.answer_keys", v.UI.AnswerKeys},
		{"ui.language", v.UI.Language},
		{"ui.notify", v.UI.Notify},
		{"ui.theme", v.UI.Theme},
	} {
		if s.value.Set() {
			say(s.key, s.value.Value)
		}
	}
	for _, role := range slices.Sorted(maps.Keys(v.Colors)) {
		say(joinKey("ui.colors", role), v.Colors[role].Value)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Keys)) {
		say(joinKey("keys", name), v.Keys[name].Value)
	}
	return lines
}

// LooseningSince is [Loosening] compared with an earlier content of the same
// file: what is new, and what is gone. Entries of bash.patterns that only
// changed their order are in neither; the whole content shows them.
func LooseningSince(f *File, before []byte) (added, gone []string) {
	earlier, _ := Parse(f.Name, before, f.Layer)
	was, is := Loosening(earlier), Loosening(f)
	return without(is, was), without(was, is)
}

func without(lines, known []string) (rest []string) {
	known = slices.Clone(known)
	for _, line := range lines {
		if i := slices.Index(known, line); i >= 0 {
			known = slices.Delete(known, i, i+1)
		} else {
			rest = append(rest, line)
		}
	}
	return rest
}
