package settings

import "github.com/blitz-approve/blitz-approve/gate"

// split parts values into those that may hold at once and those that loosen
// something, which in a project's file wait for trust (APR-15a). What could
// mislead a person, such as other keys or a diff of one line, waits too.
func (v Values) split() (tight, loose Values) {
	tight.Rules, loose.Rules = part(v.Rules, func(r Rule) bool { return r.Effect == gate.Allow })
	tight.Patterns, loose.Patterns = part(v.Patterns, func(p Pattern) bool { return p.Approval == gate.PolicyAllow })
	for name, policy := range v.Tools {
		to := &tight
		if policy.Value == gate.PolicyAllow {
			to = &loose
		}
		to.Tools = joined(to.Tools, map[string]Located[gate.ToolPolicy]{name: policy})
	}
	for _, b := range []struct{ from, tight, loose *Located[bool] }{
		{&v.ReadOnlyDefaults, &tight.ReadOnlyDefaults, &loose.ReadOnlyDefaults},
		{&v.AutoApproveCommands, &tight.AutoApproveCommands, &loose.AutoApproveCommands},
		{&v.CompoundCommands, &tight.CompoundCommands, &loose.CompoundCommands},
	} {
		if b.from.Value {
			*b.loose = *b.from
		} else {
			*b.tight = *b.from
		}
	}
	tight.PlanReview = v.PlanReview
	loose.Shell, loose.UI, loose.Colors, loose.Keys = v.Shell, v.UI, v.Colors, v.Keys
	// The rest isn't read from a project's file; in a broken one it is lost.
	return tight, loose
}

func part[T any](all []T, second func(T) bool) (a, b []T) {
	for _, x := range all {
		if second(x) {
			b = append(b, x)
		} else {
			a = append(a, x)
		}
	}
	return a, b
}

// empty reports whether loose values hold nothing.
func (v Values) empty() bool {
	return len(v.Rules)+len(v.Patterns)+len(v.Tools)+len(v.Colors)+len(v.Keys) == 0 && v.UI == UI{} &&
		!v.ReadOnlyDefaults.Set() && !v.AutoApproveCommands.Set() && !v.CompoundCommands.Set() && !v.Shell.Set()
}
