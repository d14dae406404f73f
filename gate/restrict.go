package gate

import "slices"

// restricting finds the first deny or ask rule that applies. A deny needs one
// target, or one command found anywhere (APR-15).
func (e *evaluation) restricting(effect Effect) *Rule {
	var found *Rule
	applies := func(r *Rule) {
		e.note(r.String() + " applies")
		if found == nil {
			found = r
		}
	}
	for i := range e.commands {
		if r := e.commands[i].restriction(effect); r != nil {
			applies(r)
		}
	}
	for _, kind := range rulesFor(e.verdict.Request.Kind) {
		for _, r := range e.rules(kind, effect) {
			if e.restricts(r) {
				applies(r)
			}
		}
	}
	return found
}

// rulesFor lists the kinds of rules that look at a kind of request, but those
// for commands.
func rulesFor(kind Kind) []ruleKind {
	switch kind {
	case RunCommand:
		return []ruleKind{ruleTool, ruleWrite}
	case WriteFile:
		return []ruleKind{ruleTool, ruleWrite}
	case DeleteFile:
		return []ruleKind{ruleTool, ruleDelete}
	case Network:
		return []ruleKind{ruleTool, ruleWeb}
	case MCPTool:
		return []ruleKind{ruleTool, ruleMCP}
	}
	return []ruleKind{ruleTool, ruleSkill, ruleAgent}
}

func (e *evaluation) restricts(r *Rule) bool {
	req := &e.verdict.Request
	switch m := r.matcher.(type) {
	case *pathMatcher:
		if req.Kind == RunCommand {
			return e.redirectRestricted(m)
		}
		for _, f := range e.files {
			whole := req.Kind == DeleteFile
			if m.restricts(e.place, f.written, whole) || m.restricts(e.place, f.resolved, whole) {
				return true
			}
		}
	case *hostMatcher:
		return slices.ContainsFunc(req.Targets, func(t string) bool { return m.matches(hostOf(t)) })
	case *nameMatcher:
		if r.kind == ruleTool {
			return e.namesTool(m)
		}
		return slices.ContainsFunc(req.Targets, func(t string) bool { return e.namesTarget(r.kind, m, t) })
	}
	return false
}

// namesTool matches a bare tool name, and a kind's spelling from elsewhere
// such as Bash, which means every request of that kind.
func (e *evaluation) namesTool(m *nameMatcher) bool {
	if m.matches(e.toolName()) {
		return true
	}
	switch e.verdict.Request.Kind {
	case RunCommand:
		return m.name == "Bash"
	case WriteFile:
		return m.name == "Edit" || m.name == "Write" || m.name == "MultiEdit"
	case Network:
		return m.name == "WebFetch" || m.name == "WebSearch"
	}
	return false
}

func (e *evaluation) namesTarget(kind ruleKind, m *nameMatcher, target string) bool {
	switch tool := e.verdict.Request.Tool; kind {
	case ruleMCP:
		return m.matchesMember(target)
	case ruleSkill:
		return tool == "skill" && m.matches(target)
	case ruleAgent:
		return (tool == "agent" || tool == "task") && m.matches(target)
	}
	return false
}
