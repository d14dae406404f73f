package gate

import (
	"path"
	"slices"
	"strings"
)

// A pathIndex finds the rule for a file by the folders in which patterns
// begin, so that only patterns with a wildcard above the file are compared.
type pathIndex struct {
	byRoot   tree[*filePattern]
	patterns []*filePattern
	place    place
	wide     bool     // of deny or ask rules
	silent   []string // folders of rules that the file system didn't answer for
}

// addRule adds a rule in every absolute form. A restriction is also added by
// the real name of what it names, in case that is a link (APR-15); it is not
// whole where that can't be found out.
func (x *pathIndex) addRule(r *Rule, p place) (whole bool) {
	whole = true
	m := r.matcher.(*pathMatcher)
	x.place, x.wide = p, r.Effect != Allow
	forms := m.absolute(p)
	if x.wide {
		for _, text := range forms {
			f := newFilePattern(r, m, text)
			real, ok := x.real(f.root)
			whole = whole && ok
			if form := join(real, strings.TrimPrefix(text[len(f.root):], "/")); f.root != text && !slices.Contains(forms, form) {
				forms = append(forms, form)
			} else if f.root == text && !slices.Contains(forms, real) {
				forms = append(forms, real)
			}
		}
	}
	for _, text := range forms {
		if x.wide {
			text = p.fold(text)
		}
		f := newFilePattern(r, m, text)
		x.patterns = append(x.patterns, f)
		x.byRoot.add(literalParts(text), f)
	}
	return whole
}

// real is where root leads; ok is false when that isn't known. Folders beside one
// that wasn't answered for aren't waited for again.
func (x *pathIndex) real(root string) (to string, ok bool) {
	beside := func(other string) bool {
		above := path.Dir(other)
		return root == other || above != "/" && isBelow(root, above)
	}
	at := x.place
	var found string // a lookup that is given up still writes to it
	if slices.ContainsFunc(x.silent, beside) || !within(maxSilence, func(*patience) { found, _ = at.resolve(root) }) {
		x.silent = append(x.silent, root)
		return root, false
	}
	return found, true
}

// literalParts are the folders of a pattern above its first special character.
func literalParts(text string) []string {
	all := parts(text)
	if i := slices.IndexFunc(all, func(part string) bool { return strings.ContainsAny(part, `*?[{\`) }); i >= 0 {
		return all[:i]
	}
	return all
}

func parts(file string) []string {
	file = strings.Trim(file, "/")
	if file == "" {
		return nil
	}
	return strings.Split(file, "/")
}

// restricting finds a deny or ask rule that applies to one of the forms of
// f; with whole set, also one for something below f.
func (x *pathIndex) restricting(f filePath, whole bool) *Rule {
	if x.empty() {
		return nil
	}
	for _, form := range f.forms {
		form = x.place.fold(form)
		found, ok, end := x.byRoot.walk(parts(form), func(p *filePattern) bool { return p.restricts(form) })
		if !ok && whole && end != nil {
			found, ok = end.first()
		}
		if ok {
			return found.rule
		}
	}
	return nil
}

// covering finds a rule that covers every form of f; other forms than the
// first may be covered by other rules. Something protected must be named.
func (x *pathIndex) covering(f filePath, protected bool) (rule *Rule) {
	if x.empty() || f.end == linkLoop {
		return nil
	}
	for _, form := range f.forms {
		found, ok, _ := x.byRoot.walk(parts(form), func(p *filePattern) bool {
			return p.covers(form) && (!protected || p.names(x.place))
		})
		if !ok {
			return nil
		}
		if rule == nil {
			rule = found.rule
		}
	}
	return rule
}

func (x *pathIndex) empty() bool { return len(x.patterns) == 0 }
