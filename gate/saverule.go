package gate

import (
	"fmt"
	"slices"
	"strings"
)

// approveRule approves and saves what the person was shown of Widths and that
// would still be offered; anything else is approved once. A rule then applies as
// that of its file, not as one of the session (APR-12, APR-15).
func (g *Gate) approveRule(v Verdict, req Request, shown Prompt, a Answer) Verdict {
	chosen := func(w Width) bool { return w.Rule == a.Rule }
	seen := slices.ContainsFunc(shown.Widths, chosen) || g.opts.SaveRule == nil
	if a.Decision != Always || !a.Place.valid() || !seen || !slices.ContainsFunc(g.Widths(req), chosen) {
		return approvedOnly(v)
	}
	if g.opts.SaveRule == nil {
		v = approved(v, CauseUserOnce, "a person approved it")
		v.Warning = "approved, but there is no file to save the rule in"
		return v
	}
	rules := strings.Split(a.Rule, "\n")
	v = approved(v, CauseUserAlways, fmt.Sprintf("a person approved it, and for always %s in the %s settings", strings.Join(rules, " and "), a.Place))
	v.remember = func(v *Verdict) {
		for _, rule := range rules {
			if err := g.opts.SaveRule(a.Place, rule); err != nil {
				v.Warning = fmt.Sprintf("approved, but saving the rule %s failed: %v", rule, err)
				return
			}
		}
	}
	return v
}
