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
	// is asked afterwards. It never means yes; it is a [gate.ErrUnanswered].
	ErrEnded = fmt.Errorf("%w: the approval screen has ended", gate.ErrUnanswered)

	errRunTwice = errors.New("a console runs only once")
)

// A mailbox is where any number of goroutines leave what is asked and what
// happens, for the one that runs the screen. What is left before it runs
// waits, in order.
type mailbox struct {
	ended chan struct{}
	wake  chan struct{} // holds one token while outbox isn't empty

	mu     sync.Mutex
	outbox bundle
	last   uint64
	ran    bool
}

func newMailbox() *mailbox {
	return &mailbox{ended: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// open begins the one run that there is. After it comes close.
func (b *mailbox) open() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ran {
		return errRunTwice
	}
	b.ran = true
	return nil
}

// close ends everything that waits, and that is still to come.
func (b *mailbox) close() { close(b.ended) }

// take empties the mailbox.
func (b *mailbox) take() bundle {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.outbox
	b.outbox = nil
	return out
}

// post leaves a message. It doesn't wait for the screen.
func (b *mailbox) post(msg tea.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.outbox = append(b.outbox, msg)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *mailbox) id() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	return b.last
}

// approve leaves a request and waits for its answer.
func (b *mailbox) approve(ctx context.Context, from *Client, p gate.Prompt) (gate.Answer, error) {
	// The screen answers at most once, so that the send never blocks.
	answers := make(chan gate.Answer, 1)
	id := b.id()
	renewing, done := context.WithCancel(ctx)
	defer done()
	return await(ctx, b, id, answers, func() {
		b.post(Approval{ID: id, From: from, Prompt: p, Answer: func(a gate.Answer) { answers <- a }})
		if p.Renewed != nil {
			go b.renew(renewing, id, p.Renewed)
		}
	})
}

// renew leaves each prompt that takes the place of the one under id.
func (b *mailbox) renew(ctx context.Context, id uint64, renewed func(context.Context) (gate.Prompt, bool)) {
	for {
		p, ok := renewed(ctx)
		if !ok {
			return
		}
		b.post(Renewal{ID: id, Prompt: p})
	}
}

// ask leaves a question and waits for its answer.
func (b *mailbox) ask(ctx context.Context, from *Client, q prompts.Question) (prompts.Answer, error) {
	type reply struct {
		answer prompts.Answer
		err    error
	}
	replies := make(chan reply, 1)
	id := b.id()
	r, err := await(ctx, b, id, replies, func() {
		b.post(Question{ID: id, From: from, Question: q, Answer: func(a prompts.Answer, err error) { replies <- reply{a, err} }})
	})
	if err != nil {
		return prompts.Answer{}, err
	}
	return r.answer, r.err
}

// askGroup leaves the questions of one call and waits for their answers.
func (b *mailbox) askGroup(ctx context.Context, from *Client, qs []prompts.Question) ([]prompts.Answer, error) {
	if len(qs) == 0 {
		return nil, nil
	}
	type reply struct {
		answers []prompts.Answer
		err     error
	}
	replies := make(chan reply, 1)
	id := b.id()
	r, err := await(ctx, b, id, replies, func() {
		b.post(Questions{ID: id, From: from, Questions: qs, Answer: func(a []prompts.Answer, err error) { replies <- reply{a, err} }})
	})
	if err != nil {
		return nil, err
	}
	return r.answers, r.err
}

// await has something put into the mailbox and waits for its answer, or for an
// end. An answer that comes together with an end of ctx doesn't count.
func await[A any](ctx context.Context, b *mailbox, id uint64, answers <-chan A, put func()) (none A, err error) {
	select {
	case <-b.ended:
		return none, ErrEnded
	default:
	}
	gate.InLine(ctx, put)
	select {
	case a := <-answers:
		if ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		return a, nil
	case <-ctx.Done():
		b.post(Withdraw{ID: id, Why: why(ctx)})
		return none, context.Cause(ctx)
	case <-b.ended:
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
