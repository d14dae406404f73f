package gate

import "strings"

// A hostMatcher matches a host name; with a leading *. also its subdomains.
type hostMatcher struct {
	host       string // as [HostOf] spells it; * alone for all
	subdomains bool
}

func newHostMatcher(pattern string) (*hostMatcher, error) {
	if pattern == "*" {
		return &hostMatcher{host: "*"}, nil
	}
	name, subdomains := strings.CutPrefix(pattern, "*.")
	host, ok := readHost(name)
	if !ok || strings.ContainsAny(name, "*?/ @") || hasPort(name) {
		return nil, ruleError("web(%s): write a host, such as example.com, or *.example.com for its subdomains too", pattern)
	}
	return &hostMatcher{host: host, subdomains: subdomains}, nil
}

// hasPort reports a colon that is not part of an IPv6 address.
func hasPort(name string) bool {
	return strings.Count(name, ":") == 1 || strings.Contains(name, "]:")
}

func (m *hostMatcher) form() string { return "name" }

// A hostIndex finds the rule for a host by the host and the domains that it
// is in.
type hostIndex struct {
	exact, domains map[string]*Rule
	all            *Rule
}

func (x *hostIndex) addRule(r *Rule) {
	m := r.matcher.(*hostMatcher)
	switch {
	case m.host == "*":
		x.all = first(x.all, r)
	case m.subdomains:
		addFirst(&x.domains, m.host, r)
	default:
		addFirst(&x.exact, m.host, r)
	}
}

func (x *hostIndex) empty() bool { return x.all == nil && len(x.exact)+len(x.domains) == 0 }

// find takes a host as [HostOf] spells it.
func (x *hostIndex) find(host string) *Rule {
	if r := x.exact[host]; r != nil {
		return r
	}
	if len(x.domains) > 0 {
		for domain, more := host, true; more; _, domain, more = strings.Cut(domain, ".") {
			if r := x.domains[domain]; r != nil {
				return r
			}
		}
	}
	return x.all
}
