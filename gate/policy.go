package gate

import "github.com/blitz-approve/blitz-approve/gate/shell"

// A Policy is everything that settings and flags say. A [Gate] holds one at a
// time and takes a new one at any moment with [Gate.SetPolicy].
type Policy struct {
	// Rules are the permission rules, in any order: their effect decides, not
	// their place (APR-15).
	Rules []Rule
	// Broken are rules that could not be read. A broken deny or ask holds
	// everything of its kind at ask until it is mended.
	Broken []BrokenRule
	// NoReadOnlyDefaults switches off the built-in read-only commands
	// (APR-15).
	NoReadOnlyDefaults bool
	// NoReadOnlyGuards switches off the asks that go with them. It is a field
	// of its own because whoever may restrict, such as a cloned project, may
	// switch off the commands, but not the guards.
	NoReadOnlyGuards bool
	// Tools are the user's policies by tool name, policy key or final MCP
	// name (TAM-03); add to it with [Policy.SetTool].
	Tools map[string]ToolRule
	// AutoApproveCommands allows every command that nothing else stops.
	AutoApproveCommands bool
	// Shell holds the shell tool's own patterns (TAM-16, TAM-17).
	Shell shell.PatternOptions
}

// A ToolRule is a user's policy for one tool.
type ToolRule struct {
	Policy ToolPolicy
	Source Source
}

// A BrokenRule is a rule that could not be read.
type BrokenRule struct {
	Effect Effect
	Text   string
	Source Source
	Err    error
}

// AddRule reads a rule and adds it, to Broken when it can't be read; the
// error is that of [ParseRule].
func (p *Policy) AddRule(effect Effect, text string, source Source) error {
	r, err := ParseRule(effect, text, source)
	if err != nil {
		p.Broken = append(p.Broken, BrokenRule{Effect: effect, Text: text, Source: source, Err: err})
		return err
	}
	p.Rules = append(p.Rules, r)
	return nil
}

// SetTool records a user's policy for a tool. The word is trimmed and
// case-folded; false means that it is none of allow, deny and prompt and was
// ignored (TAM-03).
func (p *Policy) SetTool(name, word string, source Source) bool {
	policy, ok := parseToolPolicy(word)
	if !ok {
		return false
	}
	if p.Tools == nil {
		p.Tools = map[string]ToolRule{}
	}
	p.Tools[name] = ToolRule{Policy: policy, Source: source}
	return true
}

// tool finds the user's policy for a request: that of the policy key, else
// that of the tool (TAM-13). What a project says of a name doesn't hide
// something stricter that the user says of the next one (APR-15a).
func (p *Policy) tool(name, policyKey string, legacy []string) (found string, rule ToolRule, ok bool) {
	take := func(candidate string, restricts bool) {
		r, known := p.Tools[candidate]
		switch {
		case !known || candidate == "" || !r.Policy.valid() || restricts && r.Policy == PolicyAllow:
		case !ok, rule.Source.ofProject() && !r.Source.ofProject() && stricter(r.Policy, rule.Policy):
			found, rule, ok = candidate, r, true
		}
	}
	take(policyKey, false)
	take(name, false)
	// Names made by an older sanitiser pass on restrictions, never an allow.
	for _, old := range legacy {
		take(old, true)
	}
	return found, rule, ok
}

func stricter(a, b ToolPolicy) bool {
	return a == PolicyDeny && b != PolicyDeny || a == PolicyPrompt && b == PolicyAllow
}
