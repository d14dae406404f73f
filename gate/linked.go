package gate

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// linked reports whether pattern, an absolute path with a shell's wildcards,
// matches a link that now leads to a restricted file, or more than is looked
// at. What it matches by its own name is for [filePattern.mayMeet].
func (x *pathIndex) linked(pattern string) bool {
	matches, whole := expanded(pattern)
	return !whole || slices.ContainsFunc(matches, func(m string) bool {
		real, _ := resolve(m)
		return real != m && x.restricting(filePath{forms: []string{real}}, false) != nil
	})
}

// expanded are the paths that a shell puts in the place of pattern, an absolute
// path with its wildcards; whole is false where there is too much to look at.
func expanded(pattern string) (matches []string, whole bool) {
	all, folder := parts(pattern), literalParts(pattern)
	root, _ := resolve("/" + strings.Join(folder, "/"))
	matches, looked := []string{root}, 0
	for _, part := range all[len(folder):] {
		var next []string
		for _, folder := range matches {
			if !strings.ContainsAny(part, "*?[") {
				next = append(next, join(folder, part))
				continue
			}
			entries, err := listSome(folder, maxBelow-looked)
			if errors.Is(err, errTooMuch) {
				return nil, false
			}
			looked += len(entries)
			for _, entry := range entries {
				if globbed(part, entry.Name()) {
					next = append(next, join(folder, entry.Name()))
				}
			}
		}
		matches = next
	}
	return matches, true
}

// globbed reports whether a shell takes name for pattern: one at the start of a
// component leaves out names that begin with a dot.
func globbed(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	matched, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return matched || err != nil
}
