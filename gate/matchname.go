package gate

import (
	"regexp"
	"strings"
)

// A nameMatcher matches a name, with * and ? as wildcards.
type nameMatcher struct {
	name string
	glob *regexp.Regexp
}

func newNameMatcher(pattern string) *nameMatcher {
	m := &nameMatcher{name: pattern}
	if strings.ContainsAny(pattern, "*?") {
		m.glob = wordGlob([]string{pattern})
	}
	return m
}

func (m *nameMatcher) form() string {
	if m.glob != nil {
		return "glob"
	}
	return "name"
}

// A nameIndex finds the rule for a name; only those with wildcards are
// compared one by one.
type nameIndex struct {
	exact map[string]*Rule
	globs []*Rule
}

func (x *nameIndex) addRule(r *Rule) {
	m := r.matcher.(*nameMatcher)
	if m.glob != nil {
		x.globs = append(x.globs, r)
		return
	}
	addFirst(&x.exact, m.name, r)
}

func (x *nameIndex) find(name string) *Rule {
	if r := x.exact[name]; r != nil {
		return r
	}
	for _, r := range x.globs {
		if r.matcher.(*nameMatcher).glob.MatchString(name) {
			return r
		}
	}
	return nil
}

// findMember finds a rule for a server's tool, or one that names the server
// alone, which means all of its tools.
func (x *nameIndex) findMember(server, member string) *Rule {
	if r := x.find(member); r != nil {
		return r
	}
	if strings.Contains(server, ":") {
		return nil
	}
	if r := x.exact[server]; r != nil {
		return r
	}
	for _, r := range x.globs {
		if m := r.matcher.(*nameMatcher); !strings.Contains(m.name, ":") && m.glob.MatchString(server) {
			return r
		}
	}
	return nil
}

// addFirst keeps the rule that came first, so that explanations don't change
// with the order of a map.
func addFirst(m *map[string]*Rule, name string, r *Rule) {
	if *m == nil {
		*m = map[string]*Rule{}
	}
	(*m)[name] = first((*m)[name], r)
}

func first(known, r *Rule) *Rule {
	if known != nil {
		return known
	}
	return r
}
