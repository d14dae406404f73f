package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/blitz-approve/blitz-approve/gate"
)

// An endedError is the cause of a context that ended with a part of this program.
// What waited in it was answered by nobody.
type endedError string

func (e endedError) Error() string { return string(e) }

func (e endedError) Is(target error) bool {
	return target == gate.ErrUnanswered || target == context.Canceled
}

const errLeft = endedError("nobody answered: the session ended")

// untilLeft is a context that ends with the session, by leave.
func untilLeft(ctx context.Context) (_ context.Context, leave func()) {
	ctx, end := context.WithCancelCause(ctx)
	return ctx, func() { end(errLeft) }
}

// untilSignal is a context that ends when the program is told to.
func untilSignal() (_ context.Context, stop func()) {
	ctx, end := context.WithCancelCause(context.Background())
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case sig := <-told:
			end(endedError("ended by a signal: " + sig.String()))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(told)
		end(nil)
	}
}
