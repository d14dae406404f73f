package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A guarded is one session of a [Proxy], which tells its host what passes by.
type guarded struct {
	proxy  *Proxy
	host   hosted
	editor *Editor
	end    func()
	leave  leave

	order  sync.Mutex // of turns
	asks   bool       // the agent is in a mode in which it asks, or can't be put into one
	broken error      // why it can't
	held   []func()   // what waits for that

	mu     sync.Mutex
	closed bool
	open   bool     // the editor knows the session
	unsaid []notice // until it does
}

type notice struct {
	severity Severity
	text     string
}

// guard opens the gate of a session in dir.
func (p *Proxy) guard(dir string) (*guarded, error) {
	g := &guarded{proxy: p, end: func() {}}
	g.editor = &Editor{g}
	if p.options.Open == nil {
		return nil, errors.New("there is no gate")
	}
	o, end, err := p.options.Open(dir, g.editor)
	if err != nil {
		return nil, err
	}
	if end != nil {
		g.end = end
	}
	events := o.Events
	o.Events = func(e Event) {
		g.hear(e)
		if events != nil {
			events(e)
		}
	}
	o.Preset = p.options.Preset
	o.Agent = orElse(o.Agent, p.name)
	g.host.begin(o, p.agent, g.leave.give)
	p.mu.Lock()
	p.opening[g] = true
	p.mu.Unlock()
	return g, nil
}

// close refuses what waits, for why, and ends the gate.
func (g *guarded) close(why error) {
	g.mu.Lock()
	closed := g.closed
	g.closed = true
	g.mu.Unlock()
	if closed {
		return
	}
	g.host.close(why)
	g.asksFrom(errHostClosed)
	g.end()
}

// opened takes the agent's answer to the request that opened the session, and
// puts the agent into the mode in which it asks. Prompts wait for that.
func (g *guarded) opened(raw json.RawMessage) {
	var result newSessionResult
	if err := json.Unmarshal(raw, &result); err != nil {
		g.proxy.tell("the answer that opens a session can't be read: %s", err)
	}
	g.mu.Lock()
	g.open = true
	unsaid := g.unsaid
	g.unsaid = nil
	g.mu.Unlock()
	for _, n := range unsaid {
		g.say(n.severity, n.text)
	}
	g.host.openModes(result)
	go g.makeAsk()
}

// makeAsk puts the agent into the mode in which it asks, if it is in one in
// which it doesn't.
func (g *guarded) makeAsk() {
	ctx, cancel := context.WithTimeout(g.host.ctx, modeTime)
	defer cancel()
	var err error
	if before := g.host.currentMode(); g.host.loosens(before) {
		err = g.host.applyMode(ctx)
		if now := g.host.currentMode(); now != before {
			g.update(modeUpdate{"current_mode_update", now})
		}
	}
	if err == nil {
		err = g.host.applyConfig(ctx)
	}
	g.asksFrom(err)
}

// asksFrom lets turns begin, or has them refused.
func (g *guarded) asksFrom(err error) {
	g.order.Lock()
	defer g.order.Unlock()
	if g.asks {
		return
	}
	g.asks, g.broken = true, err
	for _, f := range g.held {
		f()
	}
	g.held = nil
}

type modeUpdate struct {
	Update string `json:"sessionUpdate"`
	Mode   string `json:"currentModeId"`
}

// inTurn has f run once the agent asks; several in their order.
func (g *guarded) inTurn(f func()) {
	g.order.Lock()
	defer g.order.Unlock()
	if !g.asks {
		g.held = append(g.held, f)
		return
	}
	f()
}

// prompt begins a turn. It is called with order held.
func (g *guarded) prompt(e envelope) {
	if g.broken != nil {
		g.proxy.editor.answer(e.id, nil, Errorf(CodeInternal, "%s", g.broken))
		return
	}
	g.host.beginTurn([]string{promptText(e.params)}, false)
	g.proxy.await(e.id, func(a envelope) bool { return g.turnEnded(e.id, a) })
	_ = g.proxy.agent.pass(e.line)
}

func promptText(params json.RawMessage) string {
	var texts []string
	blocks, _ := parseObject(params).list("prompt")
	for _, b := range blocks {
		if text := contentText(parseObject(b)); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// turnEnded ends the turn. A person's words to what was decided in it, for
// which the protocol has no place, are sent to the agent before the editor
// hears that the turn is over (APR-30).
func (g *guarded) turnEnded(id json.RawMessage, a envelope) bool {
	g.leave.end()
	if a.failed != nil {
		_, _ = g.host.failTurn(fmt.Errorf("session/prompt: %w", a.failed))
		return false
	}
	var result promptResult
	_ = json.Unmarshal(a.result, &result)
	g.host.endTurn(result.StopReason, nil)
	notes := g.host.takeNotes()
	if notes == nil || result.StopReason == Cancelled {
		return false
	}
	go g.followUp(id, notes)
	return true
}

func (g *guarded) followUp(id json.RawMessage, notes []string) {
	session := g.host.Session()
	for {
		g.update(object{"sessionUpdate": json.RawMessage(`"user_message_chunk"`), "content": textContent(strings.Join(notes, "\n\n"))})
		reason, err := g.host.turn(session, notes, true)
		g.leave.end()
		if notes = g.host.takeNotes(); err != nil || notes == nil {
			g.proxy.editor.answer(id, promptResult{reason}, err)
			return
		}
	}
}

func (g *guarded) cancelled() {
	g.leave.end()
	g.host.stop()
	g.host.withdraw(gate.ErrTurnCancelled)
}

func (g *guarded) modeSet(mode string, a envelope) {
	if a.failed == nil {
		g.host.modeIs(mode)
	}
}

// permission answers session/request_permission.
func (g *guarded) permission(ctx context.Context, params json.RawMessage) (any, error) {
	call := parseObject(parseObject(params)["toolCall"])
	return g.host.permission(onCard(ctx, &card{id: call.text("toolCallId"), params: params}), params)
}

// hear takes what the host has to show, of which the editor sees most itself.
func (g *guarded) hear(e Event) {
	switch e := e.(type) {
	case Notice:
		if e.Severity == Info {
			g.proxy.tell("%s", e.Text)
			return
		}
		g.say(e.Severity, e.Text)
	case Decided:
		v := e.Verdict
		if v.Warning != "" {
			g.say(Warning, v.Warning)
		}
		switch v.Cause {
		case gate.CauseUserRefused, gate.CauseCancelled, gate.CauseWithdrawn: // it is known
		default:
			if !v.Allowed() {
				g.say(Warning, v.Refusal())
			}
		}
	}
}

// say tells the person at the editor something, in a notice where it shows
// them and in the conversation where it doesn't.
func (g *guarded) say(s Severity, text string) {
	g.mu.Lock()
	if !g.open {
		g.unsaid = append(g.unsaid, notice{s, text})
		g.mu.Unlock()
		return
	}
	g.mu.Unlock()
	g.proxy.tell("%s", text)
	text = g.texts().known(text)
	g.proxy.mu.Lock()
	notices := g.proxy.notices
	g.proxy.mu.Unlock()
	if notices {
		g.update(noticeUpdate{"notice", s.String(), "blitz-approve: " + text})
		return
	}
	g.update(object{
		"sessionUpdate": json.RawMessage(`"agent_message_chunk"`), "content": textContent("\n\n> **blitz-approve**: " + markdown(text) + "\n\n"),
	})
}

type noticeUpdate struct {
	Update   string `json:"sessionUpdate"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
}

func textContent(text string) json.RawMessage {
	raw, _ := encode(textBlock{"text", text})
	return raw
}

// update tells the editor of something in the session.
func (g *guarded) update(u any) {
	raw, err := encode(u)
	if err != nil {
		return
	}
	_ = g.proxy.editor.Notify("session/update", updateParams{g.host.Session(), raw})
}
