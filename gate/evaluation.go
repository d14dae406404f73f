package gate

import (
	"context"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// An evaluation is one request on its way through the steps, against policy,
// mode and approvals as they were at one moment.
type evaluation struct {
	*state
	ctx       context.Context
	run       run
	now       time.Time
	inMode    Mode              // the mode that this run is in
	saved     func(string) bool // nil without saved approvals
	reachable bool              // a person can be asked
	patience  *patience         // nil where nobody is kept waiting

	lines    []*shell.Line // of a command's targets
	commands []command     // in those lines
	aliases  int           // how many lines aliases added
	critical string        // what makes the first critical one so
	files    []file        // that it touches, as far as rules look at them
	step     StepName
	settled  bool
	verdict  Verdict
	notes    [2]Note // room for the trail of most requests
}

// evaluate takes a request through the steps.
func (e *evaluation) evaluate(req Request) {
	e.verdict.Request = req
	e.read()
	for _, s := range steps {
		e.step = s.name
		s.run(e)
		if e.settled {
			return
		}
	}
	e.deny(CauseInvalid, "no step settled the request")
}

// read turns the request into what rules look at. It must not fail: a malformed
// target is refused by the first step.
func (e *evaluation) read() {
	req := &e.verdict.Request
	d := &req.Declared
	d.Policy, _ = parseToolPolicy(string(d.Policy))
	if !d.Policy.valid() {
		d.Policy = NoPolicy
	}
	if d.Tier > Read {
		d.Tier = Exec
	}
	if req.Kind == RunCommand {
		for _, t := range req.Targets {
			e.lines = append(e.lines, shell.ReadIn(t, e.leads))
		}
		e.readCommands()
	}
	req.GrantTargets = e.eachRoot(req.GrantTargets)
	e.readFiles()
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
	e.note(reason)
}

// mustAsk forces the ask; the first reason stays.
func (e *evaluation) mustAsk(reason string) {
	e.note("must be asked: " + reason)
	if !e.verdict.Forced {
		e.verdict.Forced, e.verdict.Reason = true, reason
	}
}

func (e *evaluation) noteRule(r *Rule) { e.note(r.String() + " applies") }

func (e *evaluation) note(text string) {
	if e.verdict.Trail == nil {
		e.verdict.Trail = e.notes[:0]
	}
	e.verdict.Trail = append(e.verdict.Trail, Note{Step: e.step, Text: text})
}

// toolName is the name under which rules and user policies know the tool: for
// MCP tools the registered one.
func (e *evaluation) toolName() string {
	req := &e.verdict.Request
	if req.Kind == MCPTool {
		if server, tool, ok := req.member(); ok {
			return mcpName(server, tool)
		}
	}
	return req.Tool
}

func (e *evaluation) toolPolicy() (string, ToolRule, bool) {
	if len(e.policy.Tools) == 0 {
		return "", ToolRule{}, false
	}
	var legacy []string
	if server, tool, ok := e.verdict.Request.member(); ok {
		legacy = legacyMCPNames(server, tool)
	}
	if e.verdict.Request.Kind == RunCommand {
		legacy = []string{"bash"} // what users call every agent's shell tool
	}
	return e.policy.tool(e.toolName(), e.verdict.Request.Declared.PolicyKey, legacy)
}

// isRead reports a request that only reads, of no kind and tier read, or that
// does nothing by itself.
func (e *evaluation) isRead() bool {
	req := &e.verdict.Request
	return req.Kind == NoKind && (req.Declared.Tier == Read || req.Gated)
}
