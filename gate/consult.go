package gate

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A Hook answers requests before a person is asked. It may allow, deny or say
// nothing; an error says nothing and is noted. It never overrides a deny or a
// forced ask.
type Hook struct {
	Name   string
	Answer func(context.Context, Request) (HookAnswer, error)
}

// A HookAnswer is what a [Hook] says. The zero HookAnswer says nothing.
type HookAnswer struct {
	Effect HookEffect
	Reason string
}

// A HookEffect is one of the three things that a hook can say.
type HookEffect uint8

const (
	HookSilent HookEffect = iota
	HookAllow
	HookDeny
)

// A Reviewer is a model that answers in mode auto (APR-14a). An error, and
// taking longer than [ReviewTimeout], leaves the request to a person.
type Reviewer interface {
	Review(ctx context.Context, req Request) (Review, error)
}

// A Review is a reviewer's verdict. The zero Review denies.
type Review struct {
	Allow  bool
	Reason string
}

// ReviewTimeout is how long a reviewer may take (APR-14a).
const ReviewTimeout = 2 * time.Minute

var errReviewTimeout = errors.New("no verdict within two minutes")

// A consultation asks hooks and the reviewer at most once per request, however
// often the request is evaluated again; a new mode asks the reviewer anew.
type consultation struct {
	hookList []Hook
	reviewer Reviewer

	once    sync.Once
	answers []hookReply
}

type hookReply struct {
	name   string
	answer HookAnswer
	err    error
}

func (c *consultation) hooks(ctx context.Context, req Request) []hookReply {
	c.once.Do(func() {
		for _, h := range c.hookList {
			answer, err := h.Answer(ctx, req)
			c.answers = append(c.answers, hookReply{h.Name, answer, err})
		}
	})
	return c.answers
}

func (c *consultation) reviews() bool { return c.reviewer != nil }

func (c *consultation) review(ctx context.Context, req Request) (Review, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, ReviewTimeout, errReviewTimeout)
	defer cancel()
	type reply struct {
		review Review
		err    error
	}
	// The reviewer runs aside, so that one that ignores ctx can't hold up
	// the request.
	done := make(chan reply, 1)
	go func() {
		review, err := c.reviewer.Review(ctx, req)
		done <- reply{review, err}
	}()
	select {
	case r := <-done:
		return r.review, r.err
	case <-ctx.Done():
		return Review{}, context.Cause(ctx)
	}
}
