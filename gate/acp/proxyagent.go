package acp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// fromAgent handles what the agent sends.
func (p *Proxy) fromAgent(line []byte) {
	e, fault := openEnvelope(line)
	switch {
	case fault != nil:
		p.tell("the agent sent a line that is no message: %s: %.200q", fault, line)
		p.agent.answer(nullID, nil, fault)
	case e.method == "":
		p.agentAnswers(e)
	case e.id == nil:
		p.agentTells(e)
	default:
		p.agentAsks(e)
	}
}

func (p *Proxy) agentAnswers(e envelope) {
	if p.agent.settle(e) {
		return
	}
	key := idKey(e.id)
	p.mu.Lock()
	look := p.awaited[key]
	delete(p.awaited, key)
	p.mu.Unlock()
	if look == nil || !look(e) {
		_ = p.editor.pass(e.line)
	}
}

func (p *Proxy) agentTells(e envelope) {
	switch {
	case gated(e.method):
		p.tell("the agent sent %s as if it needed no answer; it was not passed on", e.method)
		return
	case e.method == "$/cancel_request" && p.takenBack(e.params):
		return
	}
	p.passOrHold(e)
	if g := p.session(e.params); g != nil && e.method == "session/update" {
		update := parseObject(parseObject(e.params)["update"])
		if status := Status(update.text("status")); status != "" && status.Ended() {
			g.leave.done(update.text("toolCallId"))
		}
		g.host.update(update)
	}
}

// takenBack withdraws a request that the agent takes back, if the gate has it.
func (p *Proxy) takenBack(params json.RawMessage) bool {
	key := idKey(parseObject(params)["requestId"])
	p.mu.Lock()
	defer p.mu.Unlock()
	in := p.deciding[key]
	if in != nil {
		in.cancel(errPeerCancelled)
	}
	return in != nil
}

// harmless are the requests about terminals that start nothing.
var harmless = names("terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release")

// gated reports a request that the editor must not see before the gate has
// allowed it: also one for files or terminals that isn't known here.
func gated(method string) bool {
	return method == "session/request_permission" ||
		(strings.HasPrefix(method, "fs/") || strings.HasPrefix(method, "terminal/")) && !harmless[method]
}

func (p *Proxy) agentAsks(e envelope) {
	g := p.session(e.params)
	switch {
	case e.method == "session/request_permission":
		p.decide(e, func(ctx context.Context) (any, error) {
			if g == nil {
				return nil, errNotOpened
			}
			return g.permission(ctx, e.params)
		})
	case gated(e.method):
		p.decide(e, func(ctx context.Context) (any, error) { return nil, g.clientCall(ctx, e) })
	case g != nil && p.options.Questions && questions[e.method]:
		p.decide(e, func(ctx context.Context) (any, error) { return g.host.request(ctx, e.method, e.params) })
	default:
		p.passRequest(e)
	}
}

// questions are the requests that only ask the person something.
var questions = names("elicitation/create", "cursor/ask_question", "cursor/create_plan")

var errNotOpened = Errorf(CodeInvalidParams, "it belongs to no session that the editor opened")

// passRequest has the editor answer a request of the agent.
func (p *Proxy) passRequest(e envelope) {
	key := idKey(e.id)
	p.mu.Lock()
	twice := p.usedTwice(key)
	if !twice {
		p.passed[key] = true
	}
	p.mu.Unlock()
	if twice {
		p.agent.answer(e.id, nil, errTwice)
		return
	}
	_ = p.editor.pass(e.line)
}

// usedTwice reports an id that is in use: an answer could then be taken for
// that to another request, so that the one the gate has is refused. It is
// called with mu held.
func (p *Proxy) usedTwice(key string) bool {
	if first := p.deciding[key]; first != nil {
		first.twice = true
		first.cancel(errPeerCancelled)
		return true
	}
	return p.passed[key]
}

// decide has a request answered here, unless the answer is [errPassOn]. An id
// that is used twice at the same time gets two errors: see [Conn].
func (p *Proxy) decide(e envelope, answer func(context.Context) (any, error)) {
	key := idKey(e.id)
	ctx, cancel := context.WithCancelCause(p.ctx)
	in := &inbound{cancel: cancel}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over:
		cancel(nil)
	case p.usedTwice(key):
		cancel(nil)
		p.agent.answer(e.id, nil, errTwice)
	case len(p.deciding) >= maxServing:
		cancel(nil)
		p.agent.answer(e.id, nil, Errorf(CodeInternal, "too many requests at the same time"))
	default:
		p.deciding[key] = in
		ctx, leave := p.line.Join(ctx)
		p.running.Go(func() {
			defer cancel(nil)
			defer leave()
			result, err := answer(ctx)
			p.decided(ctx, in, e, result, err)
		})
	}
}

// decided answers the request, or passes it on.
func (p *Proxy) decided(ctx context.Context, in *inbound, e envelope, result any, err error) {
	key := idKey(e.id)
	p.mu.Lock()
	delete(p.deciding, key)
	twice := in.twice
	p.mu.Unlock()
	pass := errors.Is(err, errPassOn)
	switch {
	case twice:
		err = errTwice
	case pass && ctx.Err() == nil:
		p.passRequest(e)
		return
	case err != nil && errors.Is(context.Cause(ctx), errPeerCancelled), pass:
		err = Errorf(CodeCancelled, "cancelled")
	}
	p.agent.answer(e.id, result, err)
}
