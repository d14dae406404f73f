package gate

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A pathMatcher matches one file's path. It is read against a workspace and a
// home only when it is used, since the same rule serves every workspace.
type pathMatcher struct {
	pattern string // cleaned, with / separators, still relative if written so
	below   bool   // a trailing slash: the path and all below it
	glob    bool
}

func newPathMatcher(pattern string) (*pathMatcher, error) {
	below := strings.HasSuffix(pattern, "/") && pattern != "/"
	m := &pathMatcher{pattern: path.Clean(pattern), below: below, glob: strings.ContainsAny(pattern, "*?")}
	if m.glob && !doublestar.ValidatePattern(literalClasses(m.pattern)) {
		return nil, ruleError("%q: the path pattern can't be read", pattern)
	}
	return m, nil
}

func (m *pathMatcher) form() string {
	if m.glob {
		return "glob"
	}
	return "path"
}

// absolute is the pattern as it reads in a workspace.
func (m *pathMatcher) absolute(p place) string {
	switch {
	case strings.HasPrefix(m.pattern, "/"):
		return m.pattern
	case m.pattern == "~" || m.pattern == "$HOME":
		return p.home
	}
	for _, prefix := range []string{"~/", "$HOME/", "${HOME}/"} {
		if rest, ok := strings.CutPrefix(m.pattern, prefix); ok {
			return path.Join(p.home, rest)
		}
	}
	return path.Join(p.workspace, m.pattern)
}

// literalRoot is the part of the pattern above its first wildcard.
func (m *pathMatcher) literalRoot(p place) string {
	abs := m.absolute(p)
	if i := strings.IndexAny(abs, "*?"); i >= 0 {
		return path.Dir(abs[:i] + "x")
	}
	return abs
}

// literalClasses makes [ ] { } and \ stand for themselves: only *, ? and **
// are wildcards, and file names such as [id].ts are common.
func literalClasses(pattern string) string {
	return strings.NewReplacer(`[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `\`, `\\`).Replace(pattern)
}

// covers reports whether an allow rule's pattern reaches file, an absolute
// clean path. A trailing /** means what is below, not the folder itself.
func (m *pathMatcher) covers(p place, file string) bool {
	abs := m.absolute(p)
	if !m.glob {
		return file == abs || m.below && isBelow(file, abs)
	}
	if folder, ok := strings.CutSuffix(abs, "/**"); ok {
		if same, _ := doublestar.Match(literalClasses(folder), file); same {
			return false
		}
	}
	ok, _ := doublestar.Match(literalClasses(abs), file)
	return ok
}

// restricts reports whether a deny or ask rule applies to file. It looks
// wider than covers: at all below a plain path, at the folder of a /**, and
// at [ab] read as a class too. With whole set (a deletion), also at what lies
// below file.
func (m *pathMatcher) restricts(p place, file string, whole bool) bool {
	abs := m.absolute(p)
	if file == abs || isBelow(file, abs) && !m.glob {
		return true
	}
	if ok, _ := doublestar.Match(literalClasses(abs), file); ok {
		return true
	}
	if ok, err := doublestar.Match(abs, file); ok && err == nil {
		return true
	}
	return whole && isBelow(m.literalRoot(p), file)
}

func isBelow(file, folder string) bool {
	return folder == "/" || strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}
