package desk

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// maxAsked is how much one agent may have waiting.
const maxAsked = 1000

var (
	errTooMany = fmt.Errorf("it asks more than %d things at once", maxAsked)
	errGone    = errors.New("the agent has gone")
	errUnknown = errors.New("the client doesn't say what would come of the edit")
)

// A visit is one connection at the desk.
type visit struct {
	*wire
	agent     Agent
	board     *board
	seat      Seat
	answering sync.WaitGroup
	line      gate.Line

	mu    sync.Mutex
	asked map[uint64]*asked
	given map[string]gate.Answer // those that last, by the ID of the request
	calls uint64
}

// An asked is something that waits.
type asked struct {
	withdraw context.CancelCauseFunc
	request  string       // the ID of what is decided; empty for questions
	renewed  chan *prompt // what is to be shown instead

	mu    sync.Mutex
	shown recent[string]           // digests of the requests
	calls map[uint64]chan *revised // what the client is asked back
	edits []shownEdit
}

// A shownEdit is an edit and the digest of what the client made of it.
type shownEdit struct {
	edit   gate.Edit
	digest string
}

// greet reads who comes.
func (v *visit) greet() error {
	_ = v.conn.SetReadDeadline(time.Now().Add(helloTime))
	var first asking
	line, err := readLine(v.in, 64<<10) // a stranger gets no more room than that
	if err == nil {
		err = decode(line, &first)
	}
	switch {
	case err != nil:
		return fmt.Errorf("a peer that didn't say who it is was sent away: %w", err)
	case first.Hello == nil:
		return fmt.Errorf("a peer that didn't say who it is was sent away: %w", errGarbage)
	case first.Hello.Version != version:
		err := fmt.Errorf("this desk speaks version %d and not %d: use the same blitz-approve for both", version, first.Hello.Version)
		v.last(answering{Error: err.Error()})
		return fmt.Errorf("%s was sent away: %w", first.Hello.Agent.Name, err)
	}
	v.agent = first.Hello.Agent
	v.board.welcome(v)
	return v.conn.SetReadDeadline(time.Time{})
}

// tell sends without waiting. A client that doesn't read its answers is gone.
func (v *visit) tell(m answering) {
	if !v.offer(m) {
		v.end(ErrLost)
	}
}

// last writes one message before the end.
func (v *visit) last(m answering) {
	if line, err := encode(m, maxFrame); err == nil {
		_ = v.conn.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = v.conn.Write(line)
	}
}

// listen takes messages until the connection ends, and says why it did.
func (v *visit) listen(ctx context.Context) error {
	for {
		var m asking
		if err := v.read(&m); err != nil {
			return err
		}
		if err := v.take(ctx, m); err != nil {
			return err
		}
	}
}

func (v *visit) take(ctx context.Context, m asking) error {
	switch {
	case m.Settled != nil:
		v.keep(&m.Settled.Verdict)
		v.settle(m.Settled.Verdict)
		v.seat.Settled(m.Settled.Verdict)
	case m.Todos != nil && len(m.Todos.Items) > prompts.MaxTodos:
		return errGarbage
	case m.Todos != nil:
		v.seat.SetTodos(*m.Todos)
	case m.Prompt != nil:
		return v.open(ctx, m, func(ctx context.Context, a *asked) answering { return v.approve(ctx, m.ID, a, m.Prompt) })
	case len(m.Questions) > 0:
		return v.open(ctx, m, func(ctx context.Context, _ *asked) answering { return v.ask(ctx, m.Questions) })
	case m.Renewed != nil:
		if a := v.find(m.ID); a != nil {
			a.renew(m.Renewed)
		}
	case m.Withdraw != nil:
		if a := v.find(m.ID); a != nil {
			a.withdraw(withdrawn(*m.Withdraw))
		}
	case m.Revised != nil:
		if a := v.find(m.ID); a != nil {
			return a.hand(m.Revised)
		}
	default:
		return errGarbage
	}
	return nil
}

// withdrawn is the cause of a withdrawal, in the client's words.
func withdrawn(why string) error {
	if why == "" {
		return context.Canceled
	}
	return errors.New(why)
}

// settle withdraws what the client's gate has decided on while it waits here: a
// client that goes at once may not come to withdraw it itself.
func (v *visit) settle(by gate.Verdict) {
	if by.Request.ID == "" {
		return
	}
	var why error = &gate.SettledError{Verdict: by}
	switch by.Cause {
	case gate.CauseError, gate.CauseUnanswered, gate.CauseCancelled, gate.CauseWithdrawn:
		why = errors.New(by.Reason)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, a := range v.asked {
		if a.request == by.Request.ID {
			a.withdraw(why)
		}
	}
}

// open has something answered in a goroutine of its own.
func (v *visit) open(ctx context.Context, m asking, serve func(context.Context, *asked) answering) error {
	id := m.ID
	ctx, withdraw := context.WithCancelCause(ctx)
	a := &asked{withdraw: withdraw, renewed: make(chan *prompt, 1), calls: map[uint64]chan *revised{}}
	if m.Prompt != nil {
		a.request = m.Prompt.Request.ID
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case id == 0 || v.asked[id] != nil:
		withdraw(nil)
		return errGarbage
	case len(v.asked) >= maxAsked:
		withdraw(nil)
		return errTooMany
	}
	v.asked[id] = a
	ctx, leave := v.line.Join(ctx)
	v.answering.Go(func() {
		defer withdraw(nil)
		defer leave()
		m := serve(ctx, a)
		m.ID = id
		v.mu.Lock()
		delete(v.asked, id)
		v.mu.Unlock()
		if ctx.Err() == nil {
			v.tell(m)
		}
	})
	return nil
}

func (v *visit) find(id uint64) *asked {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked[id]
}

// approve puts a request before the person. The answer names what was on the
// screen.
func (v *visit) approve(ctx context.Context, id uint64, a *asked, packed *prompt) answering {
	p := packed.unpack()
	a.shows(p)
	if packed.Editable {
		p.Revise = func(e gate.Edit) (gate.Prompt, error) { return v.revise(ctx, id, a, p, e) }
	}
	p.Renewed = func(ctx context.Context) (gate.Prompt, bool) {
		select {
		case packed := <-a.renewed:
			next := packed.unpack()
			next.Revise, next.Renewed = p.Revise, p.Renewed
			a.shows(next)
			return next, true
		case <-ctx.Done():
			return gate.Prompt{}, false
		}
	}
	got, err := v.seat.Approve(ctx, p)
	if err != nil {
		return unanswered(err)
	}
	v.gave(packed.Request.ID, got)
	return answering{Answer: &answer{got, a.digest(got)}}
}

// gave notes an answer that lasts.
func (v *visit) gave(request string, a gate.Answer) {
	if v.agent.Session == "" || a.Decision != gate.Session && a.Decision != gate.Until {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.given == nil {
		v.given = map[string]gate.Answer{}
	}
	v.given[request] = a
}

// keep has stand what the client's gate took from an answer that was given here.
// A client's word alone keeps nothing, and nothing for another session.
func (v *visit) keep(by *gate.Verdict) {
	v.mu.Lock()
	a, given := v.given[by.Request.ID]
	delete(v.given, by.Request.ID)
	v.mu.Unlock()
	k := by.Kept
	if !given || k == nil || !by.Allowed() || k.Session != v.agent.Session || k.Agent != v.agent.Name {
		return
	}
	forGood := a.Decision == gate.Session && k.Until.IsZero()
	inTime := a.Decision == gate.Until && !k.Until.IsZero() && !k.Until.After(time.Now().Add(a.For))
	if forGood || inTime {
		v.board.keep(v.agent, *k)
	}
}

// shows notes what the person gets to see.
func (a *asked) shows(p gate.Prompt) {
	digest := p.Request.Digest()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shown.add(p.Renewal, digest)
}

// renew has p shown in place of what was asked. Only the newest is.
func (a *asked) renew(p *prompt) {
	select {
	case <-a.renewed:
	default:
	}
	a.renewed <- p
}

// digest is that of the request which was answered: as it was shown, or as it
// was for an edit. It is empty, which approves nothing, for what was never
// shown.
func (a *asked) digest(given gate.Answer) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if given.Edited == nil {
		digest, _ := a.shown.at(given.Renewal)
		return digest
	}
	for _, s := range a.edits {
		if reflect.DeepEqual(s.edit, *given.Edited) {
			return s.digest
		}
	}
	return ""
}

// reviseTime is how long a client may take to look at an edit.
const reviseTime = 30 * time.Second

// revise asks the client what comes of an edit.
func (v *visit) revise(ctx context.Context, id uint64, a *asked, shown gate.Prompt, e gate.Edit) (gate.Prompt, error) {
	ctx, stop := context.WithTimeoutCause(ctx, reviseTime, errUnknown)
	defer stop()
	v.mu.Lock()
	v.calls++
	call := v.calls
	v.mu.Unlock()
	replies := make(chan *revised, 1)
	a.mu.Lock()
	a.calls[call] = replies
	a.mu.Unlock()
	if err := v.send(ctx, answering{ID: id, Revise: &revising{call, e}}); err != nil {
		return shown, err
	}
	select {
	case r := <-replies:
		if r.Prompt == nil {
			return shown, errors.New(r.Error)
		}
		p := r.Prompt.unpack()
		p.Revise, p.Edit = shown.Revise, &e
		a.mu.Lock()
		defer a.mu.Unlock()
		a.edits = append(a.edits, shownEdit{e, p.Request.Digest()})
		return p, nil
	case <-ctx.Done():
		return shown, context.Cause(ctx)
	case <-v.done:
		return shown, v.err
	}
}

func (a *asked) hand(r *revised) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	replies, waits := a.calls[r.Call]
	if !waits {
		return errGarbage
	}
	delete(a.calls, r.Call)
	replies <- r
	return nil
}

func (v *visit) ask(ctx context.Context, packed []question) answering {
	qs := unpackQuestions(packed)
	var given []prompts.Answer
	var err error
	if len(qs) == 1 {
		given = make([]prompts.Answer, 1)
		given[0], err = v.seat.Ask(ctx, qs[0])
	} else {
		given, err = v.seat.AskGroup(ctx, qs)
	}
	switch {
	case errors.Is(err, prompts.ErrDeclined):
		if len(qs) == 1 {
			given = nil
		}
		return answering{Answers: &answers{Answers: given, Declined: true}}
	case err != nil:
		return unanswered(err)
	}
	return answering{Answers: &answers{Answers: given}}
}
