package gate

import (
	"slices"
	"strings"
)

// A pathIndex finds the rule for a file by the folders in which patterns
// begin, so that only patterns with a wildcard above the file are compared.
type pathIndex struct {
	byRoot   tree[*filePattern]
	patterns []*filePattern
	place    place
	wide     bool // of deny or ask rules
}

// addRule adds a rule in every absolute form. A restriction is also added by
// the real name of what it names, in case that is a link (APR-15).
func (x *pathIndex) addRule(r *Rule, p place) {
	m := r.matcher.(*pathMatcher)
	x.place, x.wide = p, r.Effect != Allow
	forms := m.absolute(p)
	if x.wide {
		for _, text := range forms {
			f := newFilePattern(r, m, text)
			real, _ := resolve(f.root)
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
