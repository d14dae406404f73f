package shell

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ForeignNames are the names with letters beyond ASCII of the programs that a
// command line could run, so that a screen can point out those that look like
// others. Where one of them is not in the line as it is read, because of quotes
// inside it, every word that isn't ASCII is on the list.
func ForeignNames(line string) []string {
	foreign := func(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) }
	if !foreign(line) {
		return nil
	}
	l := Read(line)
	names, hidden := []string{}, false
	for _, list := range [][]Command{l.Commands, l.Possible} {
		for i := range list {
			if name := list[i].Program(); foreign(name) && !slices.Contains(names, name) {
				names = append(names, name)
				hidden = hidden || !strings.Contains(line, name)
			}
		}
	}
	if !hidden && len(l.Commands) > 0 {
		return names
	}
	between := func(r rune) bool { return strings.ContainsRune(" \t\r\n;|&()<>`\"'\\$", r) }
	for _, word := range strings.FieldsFunc(line, between) {
		if foreign(word) {
			names = append(names, word)
		}
	}
	return names
}
