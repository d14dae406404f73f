package gate

import "strings"

// A ruleIndex finds the rules for a request without going through all of
// them. It is made once for each policy.
type ruleIndex struct {
	tools, mcp, skills, agents [Allow + 1]nameIndex
	shell                      [Allow + 1]commandIndex
	write, remove              [Allow + 1]pathIndex
	read                       pathIndex // read rules only deny
	web                        [Allow + 1]hostIndex
	broken                     []BrokenRule // the deny and ask rules among them
	unsure                     bool         // see [newRuleIndex]
}

// newRuleIndex reads a policy's rules in a place. A command that can't be read
// for sure must be asked about while any deny or ask rule for commands is in
// force, the built-in guards among them (APR-15): that is unsure.
func newRuleIndex(p *Policy, at place) *ruleIndex {
	x := &ruleIndex{unsure: !p.NoReadOnlyGuards}
	for _, b := range p.Broken {
		x.hold(b)
	}
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.matcher == nil || r.Effect > Allow {
			// A rule that was put together without ParseRule.
			parsed, err := ParseRule(r.Effect, r.Text, r.Source)
			if err != nil {
				x.hold(BrokenRule{Effect: r.Effect, Text: r.Text, Source: r.Source, Err: err})
				continue
			}
			r = &parsed
		}
		x.addRule(r, at)
	}
	return x
}

// hold keeps a broken rule in mind that may restrict something.
func (x *ruleIndex) hold(b BrokenRule) {
	if b.Effect != Allow {
		x.broken = append(x.broken, b)
		x.unsure = true
	}
}

func (x *ruleIndex) addRule(r *Rule, at place) {
	if r.Effect != Allow && (r.kind == ruleShell || r.kind == ruleRead || r.kind == ruleWrite || r.kind == ruleDelete) {
		x.unsure = true
	}
	switch r.kind {
	case ruleShell:
		x.shell[r.Effect].addRule(r)
	case ruleWrite:
		x.addFileRule(&x.write[r.Effect], r, at)
	case ruleDelete:
		x.addFileRule(&x.remove[r.Effect], r, at)
	case ruleRead:
		x.addFileRule(&x.read, r, at)
	case ruleWeb:
		x.web[r.Effect].addRule(r)
	case ruleMCP:
		x.mcp[r.Effect].addRule(r)
	case ruleSkill:
		x.skills[r.Effect].addRule(r)
	case ruleAgent:
		x.agents[r.Effect].addRule(r)
	default:
		x.tools[r.Effect].addRule(r)
	}
}

// addFileRule also keeps everything at ask that the rule may cover by a name that
// couldn't be found out.
func (x *ruleIndex) addFileRule(files *pathIndex, r *Rule, at place) {
	if !files.addRule(r, at) {
		x.hold(BrokenRule{Effect: r.Effect, Text: r.Text, Source: r.Source, Err: errDark})
	}
}

// holds returns a broken deny or ask rule that keeps a request at ask: one of
// the request's kind, or one whose kind can't be told (APR-15).
func (x *ruleIndex) holds(kind Kind, removes bool) (BrokenRule, bool) {
	for _, b := range x.broken {
		name, _, _ := strings.Cut(b.Text, "(")
		rk, known := ruleKinds[strings.TrimSpace(name)]
		if !known || rk.appliesTo(kind) || removes && rk == ruleDelete {
			return b, true
		}
	}
	return BrokenRule{}, false
}

// appliesTo reports whether rules of kind k are matched against targets of a
// request of the given kind.
func (k ruleKind) appliesTo(kind Kind) bool {
	switch k {
	case ruleShell:
		return kind == RunCommand
	case ruleWrite:
		return kind == WriteFile || kind == RunCommand
	case ruleDelete:
		return kind == DeleteFile
	case ruleRead:
		return kind != MCPTool
	case ruleWeb:
		return kind == Network
	case ruleMCP:
		return kind == MCPTool
	case ruleSkill, ruleAgent:
		return kind == NoKind
	}
	return true
}
