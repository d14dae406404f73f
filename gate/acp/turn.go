package acp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

var errTurnEnded = gate.Withdrawn(errors.New("the agent ended its turn"))

// Prompt sends text to the agent and waits for the end of the turn, and of
// the turns that send queued notes after it; it returns the last stop reason.
// One turn runs at a time: a second Prompt waits for the first. When ctx ends
// the turn is cancelled, as by the person unless its cause is a
// [gate.ErrUnanswered], and Prompt returns at once; the turn itself ends when the
// agent says so, and only then the next one begins.
func (h *Host) Prompt(ctx context.Context, text string) (StopReason, error) {
	select {
	case h.turns <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	case <-h.conn.Done():
		return "", h.conn.endError()
	}
	session := h.Session()
	if session == "" {
		<-h.turns
		return "", ErrNoSession
	}
	type outcome struct {
		reason StopReason
		err    error
	}
	ended := make(chan outcome, 1)
	go func() {
		defer func() { <-h.turns }()
		reason, err := h.runTurns(ctx, session, text)
		ended <- outcome{reason, err}
	}()
	select {
	case o := <-ended:
		return o.reason, o.err
	case <-ctx.Done():
		why := gate.ErrTurnCancelled
		if cause := context.Cause(ctx); errors.Is(cause, gate.ErrUnanswered) {
			why = cause
		}
		h.cancel(why)
		return "", ctx.Err()
	}
}

// runTurns sends text, and then the notes that were queued meanwhile, until
// there are none.
func (h *Host) runTurns(ctx context.Context, session, text string) (reason StopReason, err error) {
	defer h.planEnds()
	texts := append(h.takeNotes(), text)
	for follow := false; ; follow = true {
		reason, err = h.turn(session, texts, follow)
		if err != nil || ctx.Err() != nil {
			return reason, h.loginFault(err)
		}
		if texts = h.takeNotes(); texts == nil {
			return reason, nil
		}
	}
}

func (h *hosted) turn(session string, texts []string, follow bool) (StopReason, error) {
	params := promptParams{SessionID: session}
	if h.plansTurn() {
		params.Prompt = append(params.Prompt, textBlock{"text", planFirst})
	}
	for _, t := range texts {
		params.Prompt = append(params.Prompt, textBlock{"text", t})
	}
	h.beginTurn(texts, follow)
	var result promptResult
	// Not the caller's context: a cancelled turn goes on until the agent
	// says that it has ended.
	_, err := h.peer.call(h.ctx, "session/prompt", params, func(raw json.RawMessage) {
		_ = json.Unmarshal(raw, &result)
		h.endTurn(result.StopReason, nil)
	})
	if err != nil {
		return h.failTurn(err)
	}
	return result.StopReason, nil
}

func (h *hosted) beginTurn(texts []string, follow bool) {
	h.mu.Lock()
	h.inTurn = true
	h.mu.Unlock()
	h.emit(TurnStarted{Text: strings.Join(texts, "\n\n"), FollowUp: follow})
}

// failTurn ends a turn that has no stop reason. Some agents answer a turn that
// was cancelled with an error.
func (h *hosted) failTurn(err error) (StopReason, error) {
	h.mu.Lock()
	stopping := h.stopping
	h.mu.Unlock()
	var rpc *RPCError
	if stopping && errors.As(err, &rpc) {
		h.endTurn(Cancelled, nil)
		return Cancelled, nil
	}
	h.endTurn("", err)
	return "", err
}

// endTurn is called before anything is handled that the agent sends after the
// end of the turn.
func (h *hosted) endTurn(reason StopReason, err error) {
	h.mu.Lock()
	cancelled := h.stopping
	h.inTurn, h.stopping = false, false
	var left []Call
	if cancelled {
		h.notes = nil
		left = h.settleOpenCalls()
	}
	h.mu.Unlock()
	why := errTurnEnded
	if rpc := (*RPCError)(nil); err != nil && !errors.As(err, &rpc) {
		why = errPeerGone
	}
	h.withdraw(why)
	for _, c := range left {
		h.emit(CallUpdated{c})
	}
	if len(left) > 0 && h.options.Preset.RunsOn {
		h.notice(Warning, "the turn is cancelled, but this agent's running command may go on")
	}
	h.emit(TurnEnded{Reason: reason, Err: err})
}

// settleOpenCalls marks what was under way when the turn was cancelled: some
// agents don't report on it any more. It is called with mu held.
func (h *hosted) settleOpenCalls() (left []Call) {
	for _, id := range h.order {
		if c := h.calls[id]; !c.shown.Status.Ended() {
			c.shown.Status = StatusCancelled
			h.calls[id] = c
			left = append(left, c.shown)
		}
	}
	return left
}

// Cancel stops the turn: everything that waits for a person is answered as
// cancelled, and so is what the agent asks for until the turn has ended.
// Outside a turn it only withdraws what waits (APR-30).
func (h *hosted) Cancel() { h.cancel(gate.ErrTurnCancelled) }

func (h *hosted) cancel(why error) {
	if session, first := h.stop(); first {
		// Before the answers: the agent must not take them for plain refusals.
		_ = h.peer.Notify("session/cancel", sessionParams{session})
	}
	h.withdraw(why)
}

// stop notes that the turn is cancelled, and reports whether that is new.
func (h *hosted) stop() (session string, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first = h.inTurn && !h.stopping
	h.stopping = h.inTurn
	return h.session, first
}

// withdraw ends what waits for a person. During a cancelled turn the scope
// stays closed, so that nothing new is shown.
func (h *hosted) withdraw(cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.endScope(cause)
	if !h.stopping {
		h.scope, h.endScope = context.WithCancelCause(h.ctx)
	}
}

// waiting is a context for something that waits for a person: it ends with
// the agent's request and with the turn.
func (h *hosted) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	h.mu.Lock()
	scope := h.scope
	h.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(scope, func() { cancel(context.Cause(scope)) })
	if scope.Err() != nil {
		cancel(context.Cause(scope))
	}
	return ctx, func() { stop(); cancel(nil) }
}

// queueNote keeps a person's words for the next prompt. Words that refused
// several calls are told once.
func (h *hosted) queueNote(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	h.mu.Lock()
	told := slices.Contains(h.notes, text)
	if !told {
		h.notes = append(h.notes, text)
	}
	h.mu.Unlock()
	if told {
		return
	}
	h.emit(NoteQueued{text})
}

func (h *hosted) takeNotes() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	notes := h.notes
	h.notes = nil
	return notes
}
