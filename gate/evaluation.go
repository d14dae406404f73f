package gate

import (
	"context"
	"fmt"
	"path"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// An evaluation is one request on its way through the steps, against policy,
// mode and approvals as they were at one moment.
type evaluation struct {
	*state
	ctx       context.Context
	run       run
	inMode    Mode              // the mode that this run is in
	saved     func(string) bool // nil without saved approvals
	reachable bool              // a person can be asked

	lines    []*shell.Line // of a command's targets
	commands []command     // in those lines
	files    []filePath    // of a file request's targets
	step     string
	settled  bool
	verdict  Verdict
}

// evaluate takes a request through the steps.
func (e *evaluation) evaluate(req Request) Verdict {
	e.verdict.Request = req
	e.read()
	for _, s := range steps {
		e.step = s.Name
		s.run(e)
		if e.settled {
			return e.verdict
		}
	}
	e.deny(CauseInvalid, "no step settled the request")
	return e.verdict
}

// read turns targets into what rules look at. It must not fail: a malformed
// target is refused by the first step.
func (e *evaluation) read() {
	req := &e.verdict.Request
	switch req.Kind {
	case RunCommand:
		for _, t := range req.Targets {
			e.lines = append(e.lines, shell.Read(t))
		}
		e.readCommands()
	case WriteFile, DeleteFile, NoKind:
		for _, t := range req.Targets {
			e.files = append(e.files, e.place.file(t, req.Dir))
		}
	}
}

func (e *evaluation) deny(cause, reason string) { e.settle(Deny, cause, reason) }

func (e *evaluation) allow(cause, reason string) { e.settle(Allow, cause, reason) }

func (e *evaluation) denyBy(r *Rule, cause, reason string) {
	e.verdict.Rule = r
	e.settle(Deny, cause, reason)
}

func (e *evaluation) settle(effect Effect, cause, reason string) {
	v := &e.verdict
	v.Effect, v.Cause, v.Reason, v.Step = effect, cause, reason, e.step
	e.settled = true
	e.note(effect.String() + ": " + reason)
}

// mustAsk forces the ask; the first reason stays.
func (e *evaluation) mustAsk(reason string) {
	e.note("must be asked: " + reason)
	if !e.verdict.Forced {
		e.verdict.Forced, e.verdict.Reason = true, reason
	}
}

func (e *evaluation) note(text string) {
	e.verdict.Trail = append(e.verdict.Trail, Note{Step: e.step, Text: text})
}

// toolName is the name under which rules and user policies know the tool: for
// MCP tools the registered one.
func (e *evaluation) toolName() string {
	req := &e.verdict.Request
	if req.Kind == MCPTool {
		if server, tool, ok := req.member(); ok {
			return MCPName(server, tool)
		}
	}
	return req.Tool
}

// member is the server and tool of an MCP request.
func (r *Request) member() (server, tool string, ok bool) {
	if r.Server != "" || len(r.Targets) == 0 {
		return r.Server, r.Tool, r.Kind == MCPTool
	}
	return cutMember(r.Targets[0])
}

func (e *evaluation) toolPolicy() (string, ToolRule, bool) {
	if len(e.policy.Tools) == 0 {
		return "", ToolRule{}, false
	}
	var legacy []string
	if server, tool, ok := e.verdict.Request.member(); ok {
		legacy = legacyMCPNames(server, tool)
	}
	return e.policy.tool(e.toolName(), e.verdict.Request.Declared.PolicyKey, legacy)
}

// isRead reports a request that only reads: of no kind and tier read.
func (e *evaluation) isRead() bool {
	return e.verdict.Request.Kind == NoKind && e.verdict.Request.Declared.Tier == Read
}

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
		return anyOf(req.Targets, func(t string) bool { return m.matches(hostOf(t)) })
	case *nameMatcher:
		if r.kind == ruleTool {
			return e.namesTool(m)
		}
		return anyOf(req.Targets, func(t string) bool { return e.namesTarget(r.kind, m, t) })
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

func (e *evaluation) anyProtected() bool {
	req := &e.verdict.Request
	if req.Kind != WriteFile && req.Kind != DeleteFile {
		return false
	}
	for _, f := range e.files {
		if e.place.protected(f, req.Kind == DeleteFile) {
			return true
		}
	}
	return false
}

// keyCovers reports whether a remembered key may settle the request: it has
// one, and touches nothing protected.
func (e *evaluation) keyCovers() bool { return e.verdict.Request.Key != "" && !e.anyProtected() }

// modePasses reports what the mode lets pass by itself.
func (e *evaluation) modePasses() bool {
	req := &e.verdict.Request
	tier := req.Declared.Tier
	switch e.inMode {
	case Default, Auto, Plan, DontAsk:
		return e.isRead()
	case AcceptEdits:
		return e.isRead() || e.editsInside()
	case AlwaysAsk:
		return tier == Read
	case AlwaysAskCached:
		return tier == Read && len(e.gatedTargets()) == 0
	case WriteMode:
		return tier != Exec
	}
	return false
}

func (e *evaluation) editsInside() bool {
	req := &e.verdict.Request
	if req.Kind != WriteFile && req.Kind != DeleteFile || len(e.files) == 0 || e.anyProtected() {
		return false
	}
	for _, f := range e.files {
		if !e.place.inWorkspace(f) {
			return false
		}
	}
	return true
}

// offers lists what a person may answer: once, and, when nothing forces the
// ask, what a remembered approval would cover (APR-03, TAM-11, TAM-20).
func (e *evaluation) offers() []Decision {
	req := &e.verdict.Request
	offers := []Decision{Once}
	if e.verdict.Forced || req.Unrevealed || e.anyProtected() {
		return offers
	}
	if req.Key != "" || e.inMode.byTier() {
		offers = append(offers, Session)
	}
	if req.Key != "" && !looksSecret(req.Key) {
		offers = append(offers, Always)
	}
	return offers
}

func (m Mode) byTier() bool {
	return m == AlwaysAsk || m == AlwaysAskCached || m == WriteMode || m == Yolo
}

// wayOut names what would let the request pass without a person.
func (e *evaluation) wayOut() string {
	if e.verdict.Forced {
		return "run it where a person can answer"
	}
	rule := e.suggestion()
	if rule == "" {
		return "choose a mode that lets it pass"
	}
	return fmt.Sprintf("allow it with the rule %s, or choose a mode that lets it pass", rule)
}

// suggestion is the narrowest rule that would allow the request, or empty.
func (e *evaluation) suggestion() string {
	req := &e.verdict.Request
	if len(req.Targets) == 0 {
		return ""
	}
	t := req.Targets[0]
	switch req.Kind {
	case RunCommand:
		if len(e.lines) > 0 && e.lines[0].Clear() && len(e.lines[0].Commands) == 1 {
			return "shell(" + quoteWords(e.lines[0].Commands[0].Args()) + ")"
		}
	case WriteFile:
		return "write(" + path.Clean(t) + ")"
	case DeleteFile:
		return "delete(" + path.Clean(t) + ")"
	case Network:
		return "web(" + hostOf(t) + ")"
	case MCPTool:
		return "mcp(" + t + ")"
	}
	return ""
}
