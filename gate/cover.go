package gate

// allowRules allows when every target, and for a command line every command,
// is covered by an allow rule (APR-15).
func (e *evaluation) allowRules() bool {
	rule, reason := e.coveringTool(), "a rule allows the tool"
	if rule == nil {
		rule, reason = e.coveringTargets()
	}
	if rule == nil {
		return false
	}
	e.verdict.Rule = rule
	e.allow(CauseRuleAllow, reason)
	return true
}

// coveringTool finds an allow rule that names the tool itself.
func (e *evaluation) coveringTool() *Rule {
	r := e.ruleForTool(&e.index.tools[Allow])
	if r == nil || e.anyProtected() {
		return nil
	}
	return r
}

// coveringTargets returns the rule that covers the first target when all are
// covered.
func (e *evaluation) coveringTargets() (*Rule, string) {
	const one = "a rule allows it"
	req := &e.verdict.Request
	switch req.Kind {
	case RunCommand:
		return e.coveringCommands()
	case WriteFile, DeleteFile:
		return everyTarget(e.ownFiles(), e.coveringFile), one
	case Network:
		return everyTarget(req.Targets, func(t *string) *Rule {
			host, sure := readHost(*t)
			if !sure {
				return nil
			}
			return e.index.web[Allow].find(host)
		}), one
	case MCPTool:
		return e.coveringMembers(), one
	}
	if x := e.named(Allow); x != nil {
		return everyTarget(req.Targets, func(t *string) *Rule {
			if *t == "" {
				return nil
			}
			return x.find(*t)
		}), one
	}
	return nil, ""
}

// everyTarget returns the first target's rule if each target has one.
func everyTarget[T any](targets []T, rule func(*T) *Rule) (found *Rule) {
	for i := range targets {
		r := rule(&targets[i])
		if r == nil {
			return nil
		}
		found = first(found, r)
	}
	return found
}

// coveringFile needs a delete rule for what goes away and a write rule for
// the rest.
func (e *evaluation) coveringFile(f *file) *Rule {
	if f.target == "" {
		return nil
	}
	x := &e.index.write[Allow]
	if f.removed {
		x = &e.index.remove[Allow]
	}
	return x.covering(f.filePath, f.guarded)
}

func (e *evaluation) coveringMembers() *Rule {
	var found *Rule
	covered := true
	e.eachMember(func(server, member string) *Rule {
		r := e.index.mcp[Allow].findMember(server, member)
		covered = covered && r != nil
		found = first(found, r)
		return nil
	})
	if !covered {
		return nil
	}
	return found
}
