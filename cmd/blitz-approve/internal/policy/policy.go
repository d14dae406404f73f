// Package policy turns what settings say into what the gate holds to.
package policy

import (
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/blitz-approve/blitz-approve/settings"
)

// Of turns what the settings say into the gate's policy, and returns
// the rules that can't be read as problems with their place.
func Of(v *settings.Values) (gate.Policy, []settings.Problem) {
	p := gate.Policy{
		NoReadOnlyDefaults:  !v.ReadOnlyDefaults.Or(true),
		NoReadOnlyGuards:    !v.ReadOnlyDefaults.Or(true) && UsersOwn(v.ReadOnlyDefaults.Source),
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

// UsersOwn reports whether a value comes from the user and not with a
// project.
func UsersOwn(s gate.Source) bool {
	return s.Layer != settings.Project.String() && s.Layer != settings.Local.String()
}

// Permits reads the permissions of an unattended run; * permits everything.
func Permits(rules []string, workspace, home string) (func(gate.Request) bool, error) {
	p := gate.Policy{NoReadOnlyDefaults: true, NoReadOnlyGuards: true}
	for _, text := range rules {
		if text == "*" {
			return func(gate.Request) bool { return true }, nil
		}
		if err := p.AddRule(gate.Allow, text, gate.Source{Layer: "flag"}); err != nil {
			return nil, err
		}
	}
	return gate.Permits(workspace, home, p)
}
