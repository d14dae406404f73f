package settings

import "slices"

// Loosening lists what of a file loosens something, one setting a line, as
// the user should read it before they trust the file (APR-15a). The lines
// hold text of the project: escape it before it reaches a screen.
func Loosening(f *File) (lines []string) {
	_, v := f.split()
	for _, e := range v.Entries() {
		lines = append(lines, e.String())
	}
	return lines
}

// LooseningSince is [Loosening] compared with an earlier content of the same
// file: what is new, what was there already, and what is gone. Entries of
// bash.patterns that only changed their order are among the second; the whole
// content shows them.
func LooseningSince(f *File, before []byte) (added, same, gone []string) {
	earlier, _ := Parse(f.Name, before, f.Layer)
	was, is := Loosening(earlier), Loosening(f)
	added, gone = without(is, was), without(was, is)
	return added, without(is, added), gone
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
