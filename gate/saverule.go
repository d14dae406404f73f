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
	seen := slices.ContainsFunc(shown.Widths, chosen) || g.opts.SaveRules == nil
	if a.Decision != Always || !a.Place.valid() || !seen || !slices.ContainsFunc(g.Widths(req), chosen) {
		return approvedOnly(v)
	}
	if g.opts.SaveRules == nil {
		v = approved(v, CauseUserOnce, "a person approved it")
		v.Warning = "approved, but there is no file to save the rule in"
		return v
	}
	rules := strings.Split(a.Rule, "\n")
	v = approved(v, CauseUserAlways, fmt.Sprintf("a person approved it, and for always %s in the %s settings", strings.Join(rules, " and "), a.Place))
	v.remember = func(v *Verdict) {
		if err := g.opts.SaveRules(a.Place, rules...); err != nil {
			v.Warning = rulesUnsaved(rules, err)
		}
	}
	return v
}

func rulesUnsaved(rules []string, err error) string {
	if len(rules) == 1 {
		return fmt.Sprintf("approved, but saving the rule %s failed: %v", rules[0], err)
	}
	return fmt.Sprintf("approved, but none of the rules %s is saved: %v", strings.Join(rules, " and "), err)
}
