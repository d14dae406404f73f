package shell

import (
	"path"
	"slices"
	"strings"
)

// judgeFiles doubts files whose names mean something else for each process:
// below them, the path that is checked is not the one that is opened.
func (c *Command) judgeFiles() {
	look := func(w Word) {
		if !strings.Contains(w.Text, "/") {
			return
		}
		values(w.Text, false, func(s string) {
			if ofProcess(s, w.Glob) {
				c.doubt("a file below a process's own folder")
			}
		})
	}
	for _, w := range c.Words[min(1, len(c.Words)):] {
		look(w)
	}
	for _, r := range c.Redirects {
		if r.Reads {
			look(r.Target)
		}
	}
}

// ofProcess reports whether a path leads into /proc/self, the like of another
// process, or /dev/fd. A relative one does only by way of folders above.
func ofProcess(file string, glob bool) bool {
	if !strings.HasPrefix(file, "/") && !strings.Contains(file, "..") {
		return false
	}
	parts := strings.FieldsFunc(file, func(r rune) bool { return r == '/' })
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "." })
	is := func(part, name string) bool {
		if matched, err := path.Match(part, name); glob && err == nil {
			return matched
		}
		return part == name
	}
	for i := 1; i < len(parts); i++ {
		switch above, part := parts[i-1], parts[i]; {
		case is(above, "dev") && is(part, "fd"):
			return true
		case is(above, "proc") && (is(part, "self") || is(part, "thread-self") || strings.Trim(part, "0123456789[]*?-") == ""):
			return true
		}
	}
	return false
}
