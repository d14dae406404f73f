package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A hosted session is one of an agent, with what is known of it and what of it
// is put before the gate. A [Host] has one with a connection of its own, a
// [Proxy] one for each session that passes by. Its methods may be called from
// any goroutine.
type hosted struct {
	options Options
	peer    caller // the agent
	ctx     context.Context
	end     context.CancelCauseFunc

	// approved is told of what a permission request about a call was allowed to
	// do; nil for nobody.
	approved func(id string, actions []gate.Request)

	emitting sync.Mutex // orders events
	saying   chunkOf    // the message that is told; only updates look at it

	mu       sync.Mutex
	agent    string
	session  string
	calls    map[string]tracked
	order    []string // ids of calls, oldest first
	kept     int      // bytes of their texts
	mode     modeState
	modes    bool // it has modes of the older sort
	config   map[string]configOption
	notes    []string
	seenPlan string // the plan that the person saw last
	inTurn   bool
	stopping bool // the turn was cancelled and has not ended yet
	// planned is set while a turn plans because the agent began to.
	planned bool
	// beforePlan is the mode that the agent was in before it was put into its
	// own for planning.
	beforePlan string
	strange    bool // a session that isn't ours was reported
	// scope ends when what waits for a person is to be withdrawn.
	scope    context.Context
	endScope context.CancelCauseFunc
}

// A caller carries what is said to an agent.
type caller interface {
	call(ctx context.Context, method string, params any, then func(json.RawMessage)) (json.RawMessage, error)
	Notify(method string, params any) error
}

// begin comes first. Nothing may be said to the agent before there is a peer.
func (h *hosted) begin(o Options, peer caller, approved func(id string, actions []gate.Request)) {
	h.options, h.peer, h.approved = o, peer, approved
	h.agent, h.calls = orElse(o.Agent, o.Preset.Name), map[string]tracked{}
	h.ctx, h.end = context.WithCancelCause(context.Background())
	h.scope, h.endScope = context.WithCancelCause(h.ctx)
}

// attach names the session that the host is for, where another opened it.
func (h *hosted) attach(session string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.session = session
}

// Session is the session's id; empty while none is open.
func (h *hosted) Session() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.session
}

// close refuses what waits for a person and ends what is under way.
func (h *hosted) close(why error) {
	h.withdraw(why)
	h.end(why)
}

var errHostClosed = fmt.Errorf("%w: the session ended", gate.ErrUnanswered)

func (h *hosted) emit(e Event) {
	if h.options.Events == nil {
		return
	}
	h.emitting.Lock()
	defer h.emitting.Unlock()
	h.options.Events(e)
}

func (h *hosted) notice(s Severity, format string, args ...any) {
	h.emit(Notice{Severity: s, Text: fmt.Sprintf(format, args...)})
}

func (h *hosted) fault(err error) { h.notice(Warning, "the agent sent something odd: %s", err) }

// request answers what the agent asks for.
func (h *hosted) request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "session/request_permission":
		return h.permission(ctx, params)
	case "elicitation/create":
		return h.elicit(ctx, params)
	case "cursor/ask_question":
		return h.cursorQuestions(ctx, params)
	case "cursor/create_plan":
		return h.cursorPlan(ctx, params)
	}
	return nil, Errorf(CodeMethodNotFound, "%s is not offered", method)
}

// ours checks the session that a request names.
func (h *hosted) ours(session string) error {
	if h.known(session) {
		return nil
	}
	return Errorf(CodeInvalidParams, "unknown session %q", session)
}

func (h *hosted) known(session string) bool {
	h.mu.Lock()
	ok := h.session != "" && session == h.session
	report := !ok && !h.strange
	h.strange = h.strange || report
	h.mu.Unlock()
	if report {
		h.notice(Warning, "the agent speaks of a session that was not opened here: %q; it is ignored", session)
	}
	return ok
}
