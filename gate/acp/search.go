package acp

import (
	"path"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Searches read files without naming them. What they leave out is taken for left
// out only where it surely is (APR-13, APR-15).

// listers are the tools, in small letters, that tell names and nothing of what
// files hold.
var listers = names("glob", "ls", "list", "list_directory")

// narrowings are the arguments by which tools read only files with such names.
// What stands there behind an exclamation mark is passed over.
var narrowings = []string{"glob", "include"}

// searches reports a call that reads files below a folder.
func (r reading) searches() bool {
	return r.call.Kind == "search" || slices.ContainsFunc(narrowings, func(name string) bool { return !(member{value: r.input[name]}).empty() })
}

// search is what a search reads of its folders.
func (r reading) search() (s gate.Search) {
	tool := strings.ToLower(r.tool())
	s.NamesOnly = listers[tool]
	for _, name := range narrowings {
		for _, pattern := range r.patterns(name) {
			left, not := strings.CutPrefix(pattern, "!")
			switch left = anywhere(left); {
			case !not:
				s.Only = append(s.Only, pattern)
				s.Not, s.NotBelow = nil, nil // the last one decides
			case left != "":
				s.Not, s.NotBelow = append(s.Not, left), append(s.NotBelow, left)
			}
		}
	}
	if tool == "read_many_files" { // elsewhere it may be about lines
		for _, pattern := range r.patterns("exclude") {
			if below, ok := strings.CutPrefix(pattern, "**/"); ok && anywhere(below) != "" {
				s.Not = append(s.Not, below)
			}
		}
	}
	return s
}

// patterns are those of an argument, which may hold several in one text.
func (r reading) patterns(name string) (list []string) {
	all, _ := member{value: r.input[name]}.scalars()
	for _, text := range all {
		list = append(list, strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == ',' })...)
	}
	return list
}

// anywhere is a pattern that is for names in any folder; empty for another.
func anywhere(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "**/")
	if strings.Contains(pattern, "/") || path.Base(pattern) != pattern {
		return ""
	}
	return pattern
}
