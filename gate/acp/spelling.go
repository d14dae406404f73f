package acp

import (
	"net/url"
	"strings"
	"unicode"
)

// Tools differ in what a path says: some take a ~ or a variable at its beginning
// for the home, some read a file URL, and some leave out the blanks around it.

// otherwise are the paths that some tools take path for, and others don't: a
// rule that restricts has to hold for each (APR-13). Those below the home stay
// as they are written, which is how the gate reads them.
func (r reading) otherwise(path string) (list []string) {
	trimmed := strings.TrimFunc(path, func(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' })
	if trimmed != path && trimmed != "" {
		list = append(append(list, r.absolute(trimmed)), r.behindLink(trimmed)...)
	}
	switch {
	case homeward(trimmed):
		list = append(list, trimmed)
	case len(trimmed) > 5 && strings.EqualFold(trimmed[:5], "file:"):
		if u, err := url.Parse(trimmed); err == nil && u.Path != "" {
			list = append(append(list, r.absolute(u.Path)), r.behindLink(u.Path)...)
		}
	}
	return list
}

// homeward reports a path that begins as one below a home does for a shell. A
// name such as ~$letter.docx is an ordinary one.
func homeward(path string) bool {
	first, _, more := strings.Cut(path, "/")
	switch {
	case first == "~" || first == "$HOME" || first == "${HOME}":
		return true
	case strings.HasPrefix(first, "~"):
		return more
	}
	return false
}
