package main

import (
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/blitz-approve/blitz-approve/settings"
)

// policyOf turns what the settings say into the gate's policy, and returns
// the rules that can't be read as problems with their place.
func policyOf(v *settings.Values) (gate.Policy, []settings.Problem) {
	p := gate.Policy{
		NoReadOnlyDefaults:  !v.ReadOnlyDefaults.Or(true),
		NoReadOnlyGuards:    !v.ReadOnlyDefaults.Or(true) && usersOwn(v.ReadOnlyDefaults.Source),
		AutoApproveCommands: v.AutoApproveCommands.Or(false),
		Shell:               shell.PatternOptions{AllowCompound: v.CompoundCommands.Or(false), Shell: v.Shell.Or("")},
	}
	var problems []settings.Problem
	for _, r := range v.Rules {
		if r.Err != nil {
			p.Broken = append(p.Broken, gate.BrokenRule{Effect: r.Effect, Source: r.Source, Err: r.Err})
			continue
		}
		if err := p.AddRule(r.Effect, r.Value, r.Source); err != nil {
			problems = append(problems, settings.Problem{
				File: r.Source.File, Line: r.Source.Line, Col: r.Col, Key: "permissions." + r.Effect.String(), Message: err.Error(),
			})
		}
	}
	for name, t := range v.Tools {
		p.SetTool(name, string(t.Value), t.Source)
	}
	for _, pattern := range v.Patterns {
		sp := shell.Pattern{Match: pattern.Match, Approval: string(pattern.Approval)}
		if pattern.Err != nil {
			// What can't be read may have been a restriction.
			sp.Approval = string(gate.PolicyPrompt)
			if sp.Match == "" {
				sp.Match = "*"
			}
		}
		p.Shell.Patterns = append(p.Shell.Patterns, sp)
	}
	return p, problems
}

// usersOwn reports whether a value comes from the user and not with a
// project.
func usersOwn(s gate.Source) bool {
	return s.Layer != settings.Project.String() && s.Layer != settings.Local.String()
}
