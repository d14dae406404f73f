package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

var (
	// ErrEnded is returned for what waits when the screen ends, and for what
	// is asked afterwards. It never means yes.
	ErrEnded = errors.New("the approval screen has ended")

	errRunTwice = errors.New("a console runs only once")
)

// Console is a [Model] on a terminal. Its methods may be called from any
// number of goroutines, also before Run: what is asked waits, in order.
//
// It is a [gate.Approver] and a [prompts.Prompter]. Requests and questions
// are in one queue, oldest first.
type Console struct {
	model   *Model
	options []tea.ProgramOption
	ended   chan struct{}
	wake    chan struct{} // holds one token while outbox isn't empty

	mu     sync.Mutex
	outbox bundle
	last   uint64
	ran    bool
}

var (
	_ gate.Approver    = (*Console)(nil)
	_ prompts.Prompter = (*Console)(nil)
)

// NewConsole makes a console. The program options say which terminal it is on;
// without them it is standard input and output.
func NewConsole(o Options, options ...tea.ProgramOption) *Console {
	return &Console{model: New(o), options: options, ended: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// Run shows the screen until the person leaves or ctx ends; then it returns
// nil, or the cause of ctx's end. Everything that still waits gets [ErrEnded].
// It can be called once.
func (c *Console) Run(ctx context.Context) error {
	c.mu.Lock()
	ran := c.ran
	c.ran = true
	c.mu.Unlock()
	if ran {
		return errRunTwice
	}
	defer close(c.ended)
	program := tea.NewProgram(c.model, append(c.options[:len(c.options):len(c.options)], tea.WithContext(ctx))...)
	stop := make(chan struct{})
	pumped := make(chan struct{})
	go func() {
		defer close(pumped)
		c.pump(program, stop)
	}()
	_, err := program.Run()
	close(stop)
	<-pumped
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("approval screen: %w", err)
}

// pump hands the program what was put into the outbox, everything that is
// there at once.
func (c *Console) pump(program *tea.Program, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-c.wake:
		}
		c.mu.Lock()
		out := c.outbox
		c.outbox = nil
		c.mu.Unlock()
		program.Send(out)
	}
}

// post puts a message into the outbox. It doesn't wait for the screen.
func (c *Console) post(msg tea.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outbox = append(c.outbox, msg)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *Console) id() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return c.last
}

// Approve puts p before the person and waits for the answer. When ctx ends the
// request is withdrawn and the error is the cause; when the screen ends it is
// [ErrEnded].
func (c *Console) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	// The model answers at most once, so that the send never blocks.
	answers := make(chan gate.Answer, 1)
	id := c.id()
	return await(ctx, c, id, answers, Approval{ID: id, Prompt: p, Answer: func(a gate.Answer) { answers <- a }})
}

// Ask puts q before the person and waits for the answer. A question with a
// document, such as a plan, is shown in full screen (APR-40, APR-41). Errors
// are those of Approve, and [prompts.ErrDeclined].
func (c *Console) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	type reply struct {
		answer prompts.Answer
		err    error
	}
	replies := make(chan reply, 1)
	id := c.id()
	r, err := await(ctx, c, id, replies, Question{ID: id, Question: q, Answer: func(a prompts.Answer, err error) { replies <- reply{a, err} }})
	if err != nil {
		return prompts.Answer{}, err
	}
	return r.answer, r.err
}

// Show puts an event on the screen. It returns at once.
func (c *Console) Show(e Event) { c.post(e) }

// Quit ends Run, as if the person had left.
func (c *Console) Quit() { c.post(quitMsg{}) }

// await posts a question and waits for its answer, or for an end. An answer
// that comes together with an end of ctx doesn't count.
func await[A any](ctx context.Context, c *Console, id uint64, answers <-chan A, msg tea.Msg) (none A, err error) {
	select {
	case <-c.ended:
		return none, ErrEnded
	default:
	}
	c.post(msg)
	select {
	case a := <-answers:
		if ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		return a, nil
	case <-ctx.Done():
		c.post(Withdraw{ID: id, Why: why(ctx)})
		return none, context.Cause(ctx)
	case <-c.ended:
		return none, ErrEnded
	}
}

// why says why a request is withdrawn, where there is more to say than that.
func why(ctx context.Context) string {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause.Error()
	}
	return ""
}
