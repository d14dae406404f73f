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

func (m *nameMatcher) matches(name string) bool {
	return name == m.name || m.glob != nil && m.glob.MatchString(name)
}

// matchesMember also takes a rule that names the server alone as all of its
// tools.
func (m *nameMatcher) matchesMember(target string) bool {
	server, _, member := strings.Cut(target, ":")
	return m.matches(target) || member && !strings.Contains(m.name, ":") && m.matches(server)
}
