package shell

import (
	"strings"
	"unicode"
)

// SearchWalk is the walk of an agent's own tool that reads files below folders
// (APR-13): those whose names fit only, in whatever case, or all without it;
// not files named in not, and nothing below folders named in notBelow. leaves
// stands before a name that is to be left out, leavesFolder before a folder's.
func SearchWalk(only, not, notBelow []string, leaves, leavesFolder string) Walk {
	w := Walk{leaves: leaves, leavesFolder: leavesFolder}
	for _, pattern := range only {
		if !sure(pattern) {
			w.only = nil
			break
		}
		w.only = append(w.only, inEitherCase(pattern))
	}
	for _, pattern := range not {
		if sure(pattern) {
			w.not = append(w.not, pattern)
		}
	}
	for _, pattern := range notBelow {
		if sure(pattern) {
			w.notBelow = append(w.notBelow, pattern)
		}
	}
	return w
}

// inEitherCase is a pattern for names that fits them in capitals and small
// letters.
func inEitherCase(pattern string) string {
	var b strings.Builder
	for _, r := range pattern {
		if small, big := unicode.ToLower(r), unicode.ToUpper(r); small != big {
			b.WriteString("[" + string(small) + string(big) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
