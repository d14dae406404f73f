package gate

// allowRules allows when every target, and for a command line every command,
// is covered by an allow rule (APR-15).
func (e *evaluation) allowRules() bool {
	if r := e.coveringTool(); r != nil {
		e.verdict.Rule = r
		e.allow(CauseRuleAllow, "a rule allows the tool")
		return true
	}
	if e.verdict.Request.Kind == RunCommand {
		return e.allowCommands()
	}
	for i := range e.verdict.Request.Targets {
		r := e.coveringTarget(i)
		if r == nil {
			return false
		}
		if i == 0 {
			e.verdict.Rule = r
		}
	}
	if e.verdict.Rule == nil {
		return false
	}
	e.allow(CauseRuleAllow, "a rule allows it")
	return true
}

// coveringTool finds an allow rule that names the tool itself.
func (e *evaluation) coveringTool() *Rule {
	for _, r := range e.rules(ruleTool, Allow) {
		if e.namesTool(r.matcher.(*nameMatcher)) && !e.anyProtected() {
			return r
		}
	}
	return nil
}

// coveringTarget finds an allow rule for the i-th target.
func (e *evaluation) coveringTarget(i int) *Rule {
	req := &e.verdict.Request
	if req.Targets[i] == "" {
		return nil
	}
	for _, kind := range rulesFor(req.Kind)[1:] {
		for _, r := range e.rules(kind, Allow) {
			if e.covers(r, i) {
				return r
			}
		}
	}
	return nil
}

func (e *evaluation) covers(r *Rule, i int) bool {
	target := e.verdict.Request.Targets[i]
	switch m := r.matcher.(type) {
	case *pathMatcher:
		return e.pathCovered(m, e.files[i])
	case *hostMatcher:
		return m.matches(hostOf(target))
	case *nameMatcher:
		return e.namesTarget(r.kind, m, target)
	}
	return false
}

// pathCovered needs both forms of the path, and, for a protected one, a rule
// that names it rather than a wildcard that reaches it.
func (e *evaluation) pathCovered(m *pathMatcher, f filePath) bool {
	whole := e.verdict.Request.Kind == DeleteFile
	if !m.covers(e.place, f.written) || !m.covers(e.resolvedPlace(), f.resolved) && !m.covers(e.place, f.resolved) {
		return false
	}
	if !e.place.protected(f, whole) {
		return true
	}
	root := m.literalRoot(e.place)
	return e.place.protectedPath(root, false) || !m.glob && !m.below
}

// resolvedPlace is the place with its links followed, for comparing resolved
// targets with relative patterns.
func (e *evaluation) resolvedPlace() place {
	p := e.place
	p.workspace, p.home = e.realWorkspace, e.realHome
	return p
}
