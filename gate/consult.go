package gate

import (
	"context"
	"errors"
	"fmt"
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

// A consultation asks the hooks at most once per request, however often the
// request is evaluated again, and the reviewer anew each time.
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
			answer, err := aside(ctx, func() (HookAnswer, error) { return h.Answer(ctx, req) })
			c.answers = append(c.answers, hookReply{h.Name, answer, err})
		}
	})
	return c.answers
}

func (c *consultation) reviews() bool { return c.reviewer != nil }

func (c *consultation) review(ctx context.Context, req Request) (Review, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, ReviewTimeout, errReviewTimeout)
	defer cancel()
	return aside(ctx, func() (Review, error) { return c.reviewer.Review(ctx, req) })
}

// aside runs f in a goroutine of its own, so that one that ignores ctx can't
// hold up the request, and one that panics has only failed.
func aside[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type reply struct {
		value T
		err   error
	}
	done := make(chan reply, 1)
	go func() {
		r := reply{err: errors.New("it ended without an answer")}
		defer func() {
			if fault := recover(); fault != nil {
				r.err = fmt.Errorf("it failed: %v", fault)
			}
			done <- r
		}()
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
