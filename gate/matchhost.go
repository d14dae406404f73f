package gate

import "strings"

// A hostMatcher matches a host name; with a leading *. also its subdomains.
type hostMatcher struct {
	host       string
	subdomains bool
	all        bool
}

func newHostMatcher(pattern string) (*hostMatcher, error) {
	if pattern == "*" {
		return &hostMatcher{all: true}, nil
	}
	host, subdomains := strings.CutPrefix(pattern, "*.")
	if host == "" || strings.ContainsAny(host, "*?/ @") {
		return nil, ruleError("web(%s): write a host, such as example.com, or *.example.com for its subdomains too", pattern)
	}
	return &hostMatcher{host: hostOf(host), subdomains: subdomains}, nil
}

func (m *hostMatcher) form() string { return "name" }

// matches takes a host as [HostOf] spells it.
func (m *hostMatcher) matches(host string) bool {
	return m.all || host == m.host || m.subdomains && strings.HasSuffix(host, "."+m.host)
}
