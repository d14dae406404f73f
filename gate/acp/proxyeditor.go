package acp

import (
	"encoding/json"
	"strings"
)

// fromEditor handles what the editor sends.
func (p *Proxy) fromEditor(line []byte) {
	e, fault := openEnvelope(line)
	switch {
	case fault != nil:
		p.tell("the editor sent a line that is no message: %s: %.200q", fault, line)
		p.editor.answer(nullID, nil, fault)
	case e.method == "":
		p.editorAnswers(e)
	case e.id == nil:
		p.editorTells(e)
	default:
		p.editorAsks(e)
	}
}

// editorAnswers passes on the answers to what was passed on, and no others: a
// request that the gate decides on is the gate's to answer.
func (p *Proxy) editorAnswers(e envelope) {
	if p.editor.settle(e) {
		return
	}
	key := idKey(e.id)
	p.mu.Lock()
	ours := p.passed[key]
	delete(p.passed, key)
	p.mu.Unlock()
	if !ours && string(e.id) != "null" {
		p.tell("the editor answered what was not asked: id %.40s", e.id)
		return
	}
	_ = p.agent.pass(e.line)
}

func (p *Proxy) editorTells(e envelope) {
	g := p.session(e.params)
	if e.method != "session/cancel" || g == nil {
		_ = p.agent.pass(e.line)
		return
	}
	g.inTurn(func() {
		// Before the answers to what waits: the agent must not take them for
		// plain refusals.
		_ = p.agent.pass(e.line)
		g.cancelled()
	})
}

func (p *Proxy) editorAsks(e envelope) {
	params := parseObject(e.params)
	g := p.session(e.params)
	switch {
	case e.method == "initialize":
		e.line = p.greeting(e, params)
	case strings.HasPrefix(e.method, "session/") && params.text("cwd") != "" && e.method != "session/list":
		p.openSession(e, params)
		return
	case opens[e.method]:
		p.editor.answer(e.id, nil, Errorf(CodeInvalidParams, "%s: there is no cwd, so that nothing can guard the session", e.method))
		return
	case g == nil && e.method == "session/prompt":
		p.editor.answer(e.id, nil, Errorf(CodeInvalidParams, "blitz-approve doesn't guard this session, so it gets no turn: open or load it again"))
		return
	case g == nil:
	case e.method == "session/prompt":
		g.inTurn(func() { g.prompt(e) })
		return
	case e.method == "session/set_mode":
		p.await(e.id, func(a envelope) bool { g.modeSet(params.text("modeId"), a); return false })
	case e.method == "session/set_config_option":
		p.await(e.id, func(a envelope) bool { g.host.configIs(parseObject(a.result)["configOptions"]); return false })
	case e.method == "session/close", e.method == "session/delete":
		p.await(e.id, func(a envelope) bool { p.sessionClosed(g, a); return false })
	}
	_ = p.agent.pass(e.line)
}

// opens are the requests that are known to open a session.
var opens = names("session/new", "session/load", "session/resume", "session/fork")

// greeting is the editor's first message: as it came, unless questions are
// answered here. Then it says that they may be asked.
func (p *Proxy) greeting(e envelope, params object) []byte {
	capabilities := params.object("clientCapabilities")
	p.mu.Lock()
	p.notices = capabilities.object("session").object("notices") != nil
	p.mu.Unlock()
	if !p.options.Questions {
		return e.line
	}
	with := func(raw json.RawMessage, name string, value json.RawMessage) json.RawMessage {
		return encodeMembers(keepOthers([]member{{name, value}}, raw))
	}
	able := with(params["clientCapabilities"], "elicitation", json.RawMessage(`{"form":{},"url":{}}`))
	return with(e.line, "params", with(e.params, "clientCapabilities", able))
}

// await has the agent's answer to a request of the editor looked at.
func (p *Proxy) await(id json.RawMessage, then func(envelope) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.awaited[idKey(id)] = then
}

// openSession opens the gate first: a session without one is not opened.
func (p *Proxy) openSession(e envelope, params object) {
	g, err := p.guard(params.text("cwd"))
	if err != nil {
		p.editor.answer(e.id, nil, Errorf(CodeInternal, "blitz-approve can't guard this session, so it is not opened: %s", err))
		return
	}
	// The name of one that is opened again is known, and its past is told
	// before it is open. A fork gets a name of its own.
	name := params.text("sessionId")
	if again := e.method == "session/load" || e.method == "session/resume"; again && name != "" {
		p.bind(name, g)
	}
	p.await(e.id, func(a envelope) bool {
		switch session := orElse(parseObject(a.result).text("sessionId"), g.host.Session()); {
		case a.failed != nil || session == "":
			p.sessionClosed(g, envelope{})
		default:
			p.bind(session, g)
			_ = p.editor.pass(a.line)
			g.opened(a.result)
			return true
		}
		return false
	})
	_ = p.agent.pass(e.line)
}

// bind gives a session its name. One that had it before is over.
func (p *Proxy) bind(name string, g *guarded) {
	p.mu.Lock()
	before := p.sessions[name]
	p.sessions[name] = g
	delete(p.opening, g)
	p.mu.Unlock()
	g.host.attach(name)
	if before != nil && before != g {
		before.close(errHostClosed)
	}
}

func (p *Proxy) sessionClosed(g *guarded, a envelope) {
	if a.failed != nil {
		return
	}
	name := g.host.Session()
	p.mu.Lock()
	if p.sessions[name] == g {
		delete(p.sessions, name)
	}
	delete(p.opening, g)
	p.mu.Unlock()
	g.close(errHostClosed)
}
