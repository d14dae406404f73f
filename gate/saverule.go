package gate

import (
	"fmt"
	"slices"
)

// approveRule approves and saves a rule that would still be offered. The rule
// then applies as that of its file, not as one of the session (APR-12,
// APR-15).
func (g *Gate) approveRule(v Verdict, req Request, a Answer) Verdict {
	offered := slices.ContainsFunc(g.Widths(req), func(w Width) bool { return w.Rule == a.Rule })
	if a.Decision != Always || !offered {
		return approvedOnly(v)
	}
	if g.opts.SaveRule == nil {
		v = approved(v, CauseUserOnce, "a person approved it")
		v.Warning = "approved, but there is no file to save the rule in"
		return v
	}
	v = approved(v, CauseUserAlways, fmt.Sprintf("a person approved it, and for always %s in the %s settings", a.Rule, a.Place))
	v.remember = func(v *Verdict) {
		if err := g.opts.SaveRule(a.Place, a.Rule); err != nil {
			v.Warning = fmt.Sprintf("approved, but saving the rule %s failed: %v", a.Rule, err)
		}
	}
	return v
}
