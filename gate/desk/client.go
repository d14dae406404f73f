package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// An Agent is who comes to the desk.
type Agent struct {
	Name      string `json:"name"`
	Workspace string `json:"workspace"`
	// Session names the agent's own session, whose requests come one by one. What
	// a person approves for it stands as long as the desk is open; empty keeps
	// nothing.
	Session string `json:"session,omitempty"`
	// Brief says that it comes with one request and goes again, as a hook
	// does.
	Brief bool `json:"brief,omitempty"`
}

var (
	// ErrOtherRequest is returned for an answer to something else than what
	// was asked (BEY-02).
	ErrOtherRequest = errors.New("what was shown at the desk is not what was asked")
	// ErrClosed is returned after [Client.Close].
	ErrClosed = errors.New("the connection with the desk was closed")
)

// A Client puts what is asked before the person at the desk. Errors of its
// methods are no answer: whoever asked takes them for a refusal.
type Client struct {
	folder string
	agent  Agent
	cancel func()

	open  context.Context // until the client is closed
	close func()

	standing standing

	mu     sync.Mutex
	latest *dialed // nil before the first
}

var (
	_ gate.Approver         = (*Client)(nil)
	_ prompts.GroupPrompter = (*Client)(nil)
)

// Dial connects with the desk of a folder. cancel is called, in a goroutine of
// its own, when the person cancels the agent's turn; it may be nil. The error
// is [ErrNoDesk] when none is open.
//
// When the connection is lost, what waits gets an error. The next that is asked
// looks for a desk once more.
func Dial(ctx context.Context, folder string, agent Agent, cancel func()) (*Client, error) {
	c := NewClient(folder, agent, cancel)
	if err := c.Connect(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// NewClient is [Dial] for who comes to the desk only when something is to be
// asked: it doesn't connect yet.
func NewClient(folder string, agent Agent, cancel func()) *Client {
	open, done := context.WithCancel(context.Background())
	return &Client{folder: folder, agent: agent, cancel: cancel, open: open, close: done}
}

// Connect connects with the desk where that isn't done yet. The error is
// [ErrNoDesk] when none is open.
func (c *Client) Connect(ctx context.Context) error {
	_, err := c.connected(ctx)
	return err
}

// Close ends the connection, and everything that waits.
func (c *Client) Close() {
	if l := c.shut(); l != nil {
		l.finish(ErrClosed)
	}
}

// Approve puts p before the person, and what p.Renewed brings, and waits for
// the answer. An answer counts only for what the prompt that it is to says, or
// for what p.Revise makes of the edit in it.
func (c *Client) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	packed, err := packPrompt(p)
	if err != nil {
		return gate.Answer{}, err
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	shown := &showing{revise: p.Revise, renewed: renewals(ctx, p)}
	shown.sent.add(p.Renewal, p)
	got, err := c.ask(ctx, asking{Prompt: packed}, shown)
	if err != nil {
		return gate.Answer{}, err
	}
	if got.Answer == nil {
		return gate.Answer{}, errGarbage
	}
	answered, ok := shown.sent.at(got.Answer.Answer.Renewal)
	if !ok {
		return gate.Answer{}, ErrOtherRequest
	}
	return got.Answer.accept(answered)
}

// A showing is what the desk may ask about a prompt, and what it was sent of
// it, by renewal.
type showing struct {
	revise  func(gate.Edit) (gate.Prompt, error)
	renewed <-chan gate.Prompt
	sent    recent[gate.Prompt]
}

// renewals brings what is to be shown in place of p, until ctx ends.
func renewals(ctx context.Context, p gate.Prompt) <-chan gate.Prompt {
	if p.Renewed == nil {
		return nil
	}
	next := make(chan gate.Prompt)
	go func() {
		for {
			q, ok := p.Renewed(ctx)
			if !ok {
				return
			}
			select {
			case next <- q:
			case <-ctx.Done():
				return
			}
		}
	}()
	return next
}

// accept checks that an answer is for what was asked.
func (a *answer) accept(p gate.Prompt) (gate.Answer, error) {
	shown := p.Request
	if edit := a.Answer.Edited; edit != nil {
		if p.Revise == nil {
			return gate.Answer{}, gate.ErrNotEditable
		}
		revised, err := p.Revise(*edit)
		if err != nil {
			return gate.Answer{}, err
		}
		shown = revised.Request
	}
	rule := a.Answer.Rule
	switch {
	case rule != "" && !slices.ContainsFunc(p.Widths, func(w gate.Width) bool { return w.Rule == rule }):
		return gate.Answer{}, fmt.Errorf("the desk answered with the rule %s, which was not offered", rule)
	case !p.Offers(a.Answer.Decision):
		return gate.Answer{}, fmt.Errorf("the desk answered %s, which was not offered", a.Answer.Decision)
	case refuses(a.Answer.Decision): // whatever it was for
	case a.Digest != shown.Digest():
		return gate.Answer{}, ErrOtherRequest
	}
	return a.Answer, nil
}

func refuses(d gate.Decision) bool { return d == gate.Refuse || d == gate.CancelTurn }

// Ask puts q before the person and waits for the answer.
func (c *Client) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	given, err := c.askGroup(ctx, []prompts.Question{q})
	if err != nil {
		return prompts.Answer{}, err
	}
	return given[0], nil
}

// maxTries is how often a question of a group is asked again whose answer
// doesn't do.
const maxTries = 5

// AskGroup puts the questions of one call before the person. Those whose answer
// doesn't do are asked again, alone, with what was wrong.
func (c *Client) AskGroup(ctx context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	given, err := c.askGroup(ctx, qs)
	if err != nil {
		return given, err
	}
	for i, q := range qs {
		text := q.Text
		for range maxTries {
			fault := q.Fault(given[i])
			if fault == "" {
				break
			}
			q.Text = text + "\n" + fault
			if given[i], err = c.Ask(ctx, q); err != nil {
				return given[:i], err
			}
		}
	}
	return given, nil
}

func (c *Client) askGroup(ctx context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	if len(qs) == 0 {
		return nil, nil
	}
	got, err := c.ask(ctx, asking{Questions: packQuestions(qs)}, &showing{})
	switch {
	case err != nil:
		return nil, err
	case got.Answers == nil:
		return nil, errGarbage
	case got.Answers.Declined:
		return got.Answers.Answers[:min(len(got.Answers.Answers), len(qs))], prompts.ErrDeclined
	case len(got.Answers.Answers) != len(qs):
		return nil, errGarbage
	}
	return got.Answers.Answers, nil
}

// Settled tells the desk what was decided, also without it, for its list. It
// doesn't wait; what the desk doesn't take is not told.
func (c *Client) Settled(v gate.Verdict) {
	if l := c.up(); l != nil {
		l.offer(asking{Settled: packSettled(v)})
	}
}

// SetTodos shows the agent's list of tasks at the desk, if one is open. It
// doesn't wait for the person.
func (c *Client) SetTodos(ctx context.Context, list prompts.TodoList) {
	if l, err := c.connected(ctx); err == nil {
		l.offer(asking{Todos: &list})
	}
}

// ask sends something, and what takes its place, and waits for the answer, while
// it answers what the desk asks back.
func (c *Client) ask(ctx context.Context, a asking, shown *showing) (answering, error) {
	l, err := c.connected(ctx)
	if err != nil {
		return answering{}, err
	}
	var replies <-chan answering
	a.ID, replies = l.open()
	defer l.forget(a.ID)
	gate.InLine(ctx, func() { err = l.send(ctx, a) })
	if err != nil {
		return answering{}, err
	}
	for {
		select {
		case got := <-replies:
			switch {
			case ctx.Err() != nil:
				return answering{}, context.Cause(ctx)
			case got.Error != "":
				return answering{}, got.err()
			case got.Revise == nil:
				return got, nil
			}
			if err := l.send(ctx, asking{ID: a.ID, Revised: got.Revise.answer(shown.revise)}); err != nil {
				return answering{}, err
			}
		case p := <-shown.renewed:
			packed, err := packPrompt(p)
			if err == nil {
				shown.sent.add(p.Renewal, p)
				err = l.send(ctx, asking{ID: a.ID, Renewed: packed})
			}
			if err != nil {
				return answering{}, err
			}
		case <-ctx.Done():
			why := context.Cause(ctx).Error()
			if errors.Is(context.Cause(ctx), context.Canceled) {
				why = ""
			}
			l.offer(asking{ID: a.ID, Withdraw: &why})
			return answering{}, context.Cause(ctx)
		case <-l.done:
			return answering{}, l.err
		}
	}
}

func (r *revising) answer(revise func(gate.Edit) (gate.Prompt, error)) *revised {
	if revise == nil {
		return &revised{Call: r.Call, Error: gate.ErrNotEditable.Error()}
	}
	p, err := revise(r.Edit)
	var packed *prompt
	if err == nil {
		packed, err = packPrompt(p)
	}
	if err != nil {
		return &revised{Call: r.Call, Error: err.Error()}
	}
	return &revised{Call: r.Call, Prompt: packed}
}
