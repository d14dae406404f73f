package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/gate"
)

// A hook that its agent cuts off lets the call happen. So it ends what it asks
// hookMargin before the agent's own limit, and answers hookLast before it
// whatever else still takes time, such as a log that another process locks or a
// disk that hangs.
const (
	hookMargin = 5 * time.Second
	hookLast   = time.Second
)

var (
	errHookTime = fmt.Errorf("%w: the hook's time is over", gate.ErrUnanswered)
	errHookLate = errors.New("it took longer than the hook's time limit")
)

// askTime is how long a hook with that limit may ask.
func askTime(limit time.Duration) time.Duration { return max(limit-hookMargin, time.Second) }

// inTime is what decide returns, or errHookLate once a hook with that limit,
// which has started now, has to answer. decide may then go on.
func inTime(limit time.Duration, decide func() (agenthook.Answer, error)) (agenthook.Answer, error) {
	type outcome struct {
		answer agenthook.Answer
		err    error
	}
	decided := make(chan outcome, 1)
	go func() {
		a, err := decide()
		decided <- outcome{a, err}
	}()
	late := time.NewTimer(max(limit-hookLast, 2*time.Second))
	defer late.Stop()
	select {
	case o := <-decided:
		return o.answer, o.err
	case <-late.C:
		return agenthook.Answer{}, errHookLate
	}
}
