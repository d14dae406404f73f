package acp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
)

// A shownCard is a tool call on which the editor shows a dialog. What the agent
// says about the call meanwhile would be drawn over what the person answers,
// so that it is held until there is an answer.
type shownCard struct {
	turn     chan struct{} // holds a token while nobody has a dialog on it
	users    int           // dialogs that are shown or wait for their turn
	shown    bool
	held     [][]byte
	size     int
	withdraw context.CancelCauseFunc
}

var (
	errTooMuchHeld = errors.New("the agent says too much about a call that waits for an answer")
	errCardInUse   = errors.New("another dialog is on the card")
)

// showOn takes a card on which no other dialog is, and keeps it as it is then
// until done is called. If there is one it waits for its end, or, without
// patience, returns errCardInUse. The context ends with ctx, and when the agent
// says more about the call than can be held.
func (p *Proxy) showOn(ctx context.Context, id string, patient bool) (shown context.Context, done func(), err error) {
	p.mu.Lock()
	c := p.shown[id]
	if c == nil {
		c = &shownCard{turn: make(chan struct{}, 1)}
		c.turn <- struct{}{}
		p.shown[id] = c
	}
	if c.users > 0 && !patient {
		p.mu.Unlock()
		return nil, nil, errCardInUse
	}
	c.users++
	p.mu.Unlock()
	shown, cancel := context.WithCancelCause(ctx)
	select {
	case <-c.turn:
	case <-ctx.Done():
		cancel(nil)
		p.leaveCard(id, c)
		return nil, nil, ctx.Err()
	}
	p.mu.Lock()
	c.shown, c.withdraw = true, cancel
	p.mu.Unlock()
	return shown, func() {
		cancel(nil)
		p.mu.Lock()
		for _, line := range c.held {
			_ = p.editor.pass(line)
		}
		c.shown, c.held, c.size = false, nil, 0
		p.mu.Unlock()
		c.turn <- struct{}{}
		p.leaveCard(id, c)
	}, nil
}

func (p *Proxy) leaveCard(id string, c *shownCard) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.users--; c.users == 0 {
		delete(p.shown, id)
	}
}

// passOrHold passes on what the agent tells, unless it may be about a card with
// a dialog on it.
func (p *Proxy) passOrHold(e envelope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.shown) > 0 {
		for _, id := range textsNamed(e.params, "toolCallId") {
			if c := p.shown[id]; c != nil && c.shown {
				c.hold(e.line)
				return
			}
		}
	}
	_ = p.editor.pass(e.line)
}

// hold keeps a line. None is lost: if they get too many, the dialog goes.
func (c *shownCard) hold(line []byte) {
	c.held = append(c.held, slices.Clone(line))
	if c.size += len(line); c.size > MaxLine {
		c.withdraw(errTooMuchHeld)
	}
}

// textsNamed are the texts anywhere in raw that stand under a name, also under
// those that some programs take for it.
func textsNamed(raw json.RawMessage, name string) (list []string) {
	named := false
	for t := range tokens(raw) {
		switch text, ok := unquote(t.raw); {
		case t.name:
			named = foldedName(text) == foldedName(name)
			continue
		case ok && named:
			list = append(list, text)
		}
		named = false
	}
	return list
}
