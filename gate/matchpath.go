package gate

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// A pathMatcher is a pattern for files as a rule writes it. It is read against
// a workspace and a home by [pathIndex], since the same rule serves every
// workspace.
type pathMatcher struct {
	pattern string // cleaned, with / separators, still relative if written so
	below   bool   // a trailing slash: the path and all below it
	glob    bool
}

func newPathMatcher(pattern string) (*pathMatcher, error) {
	if of := namedHome().FindString(pattern); of != "" && of != "$HOME/" && of != "${HOME}/" {
		return nil, ruleError("%q: %s isn't known here; only ~ and $HOME are, for your own home: write the folder itself", pattern, of)
	}
	below := strings.HasSuffix(pattern, "/") && pattern != "/"
	m := &pathMatcher{pattern: path.Clean(pattern), below: below, glob: strings.ContainsAny(pattern, "*?")}
	if m.glob && !doublestar.ValidatePattern(literalClasses(m.pattern)) {
		return nil, ruleError("%q: the path pattern can't be read", pattern)
	}
	return m, nil
}

// namedHome finds another user's home, or a variable, at the beginning of a
// path: taken for the name of a folder it would match nothing (APR-15).
var namedHome = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:~[a-z_][a-z0-9_-]*/|\$(?:[A-Z_]+/|\{[A-Z_]+\}/))`)
})

func (m *pathMatcher) form() string {
	if m.glob {
		return "glob"
	}
	return "path"
}

// absolute are the forms in which the pattern reads in a place: one for each
// name of the folder that it is relative to.
func (m *pathMatcher) absolute(p place) []string {
	if strings.HasPrefix(m.pattern, "/") {
		return []string{m.pattern}
	}
	base, rest := p.workspace, m.pattern
	for _, home := range []string{"~", "$HOME", "${HOME}"} {
		if after, ok := strings.CutPrefix(m.pattern, home); ok && (after == "" || after[0] == '/') {
			base, rest = p.home, after
			break
		}
	}
	var forms []string
	for _, name := range base.names() {
		forms = append(forms, path.Join(name, rest))
	}
	return forms
}

// A filePattern is one absolute form of a rule's pattern.
type filePattern struct {
	rule    *Rule
	text    string // absolute
	root    string // text above its first wildcard
	below   bool
	glob    bool
	escaped string // for the glob library, with nothing but * and ? special
	folder  string // escaped, of a pattern that ends in /**
}

func newFilePattern(r *Rule, m *pathMatcher, text string) *filePattern {
	f := &filePattern{rule: r, text: text, root: text, below: m.below, glob: m.glob}
	if m.glob {
		f.escaped = literalClasses(text)
		f.folder, _ = strings.CutSuffix(f.escaped, "/**")
		if f.folder == f.escaped {
			f.folder = ""
		}
	}
	if i := strings.IndexAny(text, "*?"); i >= 0 && m.glob {
		f.root = path.Dir(text[:i] + "x")
	}
	return f
}

// literalClasses makes [ ] { } and \ stand for themselves: only *, ? and **
// are wildcards, and file names such as [id].ts are common.
func literalClasses(pattern string) string {
	if !strings.ContainsAny(pattern, `[]{}\`) {
		return pattern
	}
	return classEscaper.Replace(pattern)
}

var classEscaper = strings.NewReplacer(`[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// covers reports whether an allow rule's pattern reaches file. A trailing /**
// means what is below, not the folder itself.
func (f *filePattern) covers(file string) bool {
	if !f.glob {
		return file == f.text || f.below && isBelow(file, f.text)
	}
	if f.folder != "" {
		if same, _ := doublestar.Match(f.folder, file); same {
			return false
		}
	}
	ok, _ := doublestar.Match(f.escaped, file)
	return ok
}

// restricts reports whether a deny or ask rule applies to file. It looks
// wider than covers: at all below a plain path, at the folder of a /**, and
// at [ab] read as a class too.
func (f *filePattern) restricts(file string) bool {
	if file == f.text || !f.glob && isBelow(file, f.text) {
		return true
	}
	if f.glob {
		if ok, _ := doublestar.Match(f.escaped, file); ok {
			return true
		}
	}
	if !strings.ContainsAny(f.text, `[{\`) {
		return false
	}
	ok, err := doublestar.Match(f.text, file)
	return ok && err == nil
}

// names reports whether the pattern names something protected itself, rather
// than reaching it by a wildcard.
func (f *filePattern) names(p place) bool {
	return !f.glob && !f.below || p.protectedPath(f.root)
}
