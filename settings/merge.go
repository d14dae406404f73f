package settings

import (
	"fmt"
	"slices"

	"github.com/blitz-approve/blitz-approve/gate"
)

// merge lays files over each other, the lowest first.
func merge(files []*File) (v Values, problems []Problem) {
	for _, f := range files {
		v.take(f.Values)
		problems = append(problems, v.takeTools(f)...)
	}
	v.Patterns = patternOrder(files)
	return v, problems
}

// takeTools lays a file's tool policies over v. What a project says doesn't
// replace something stricter that the user says (APR-15a): as for rules, the
// effect decides, not the file.
func (v *Values) takeTools(f *File) (problems []Problem) {
	for name, policy := range f.Tools {
		mine, ok := v.Tools[name]
		if ok && !f.Layer.users() && strictness(policy.Value) < strictness(mine.Value) {
			problems = append(problems, Problem{
				Severity: Warning, File: f.Name, Line: policy.Source.Line, Col: policy.Col, Key: joinKey("tools.approval", name),
				Message: fmt.Sprintf("%s for the tool %s has no effect", policy.Value, name), Hint: fmt.Sprintf("%s says %s", mine.Source, mine.Value),
			})
			continue
		}
		v.Tools = joined(v.Tools, map[string]Located[gate.ToolPolicy]{name: policy})
	}
	sortProblems(problems)
	return problems
}

func strictness(p gate.ToolPolicy) int {
	return slices.Index([]gate.ToolPolicy{gate.PolicyAllow, gate.PolicyPrompt, gate.PolicyDeny}, p)
}

// patternOrder makes one list, of which the first match wins (TAM-16), out of
// those of all files, which come lowest first. The user's files keep their
// order, the higher before the lower. What a project restricts must hold over
// what the user allows, and its rest must not weaken what the user restricts:
// so a project's denies come first, and its other entries after the last
// restriction of the user.
func patternOrder(files []*File) []Pattern {
	var denies, projects, users []Pattern
	for _, f := range slices.Backward(files) {
		if f.Layer.users() {
			users = append(users, f.Patterns...)
			continue
		}
		// A deny below an allow of the same file was meant as its exception.
		allow := slices.IndexFunc(f.Patterns, func(p Pattern) bool { return p.Approval == gate.PolicyAllow })
		if allow < 0 {
			allow = len(f.Patterns)
		}
		rest, first := part(f.Patterns[:allow], func(p Pattern) bool { return p.Approval == gate.PolicyDeny })
		denies = append(denies, first...)
		projects = append(append(projects, rest...), f.Patterns[allow:]...)
	}
	restricted := len(users)
	for restricted > 0 && users[restricted-1].Approval == gate.PolicyAllow {
		restricted--
	}
	return slices.Concat(denies, users[:restricted], projects, users[restricted:])
}
