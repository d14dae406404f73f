package gate

import (
	"context"
	"errors"
	"time"
)

// What a request waits in may end before it is settled. The cause of ctx's end,
// which [context.Cause] returns, says who ended it, and the log names them. An end
// without one of these causes is taken for one by whoever asked.
var (
	// ErrUnanswered is the cause for what ended before the person said anything: a
	// terminal that was closed, for example. It may also be the error of an
	// [Approver]. The log then names nobody who decided.
	ErrUnanswered = errors.New("nobody answered")
	// ErrTurnCancelled is the cause for a turn that the person cancelled.
	ErrTurnCancelled = errors.New("the person cancelled the turn")
	// ErrWithdrawn is the cause for a request that the agent took back. See
	// [Withdrawn].
	ErrWithdrawn = errors.New("the agent withdrew it")
)

// Withdrawn is why as a cause of ctx's end that is the agent's own: it is an
// [ErrWithdrawn] that says why, such as that the agent has gone.
func Withdrawn(why error) error { return withdrawal{why} }

type withdrawal struct{ error }

func (w withdrawal) Is(target error) bool { return target == ErrWithdrawn }

func (w withdrawal) Unwrap() error { return w.error }

// Ended is v as the refusal that it becomes when ctx has ended, by whoever ended it.
func Ended(ctx context.Context, v Verdict) Verdict {
	cause, reason := ending(ctx)
	return refused(v, cause, reason)
}

// ending is the cause and the reason of a refusal by the end of ctx.
func ending(ctx context.Context) (cause, reason string) {
	switch why := context.Cause(ctx); {
	case errors.Is(why, ErrUnanswered):
		return CauseUnanswered, why.Error()
	case errors.Is(why, ErrTurnCancelled):
		return CauseCancelled, why.Error()
	case errors.Is(why, ErrWithdrawn):
		return CauseWithdrawn, why.Error()
	}
	return CauseWithdrawn, "it was withdrawn before it was settled"
}

func refused(v Verdict, cause, reason string) Verdict {
	v.Effect, v.Cause, v.Reason, v.Step, v.Offers = Deny, cause, reason, StepAsk, nil
	v.Until = time.Time{}
	return v
}
