package gatetest

import (
	"context"
	"errors"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrNoAnswer is the error of an [Approver] whose script is over. The gate
// denies with it.
var ErrNoAnswer = errors.New("the script has no answer left")

// An Approver answers prompts from a script, in the order in which they come.
// The zero Approver has none. It may be used from several goroutines.
type Approver struct {
	mu      sync.Mutex
	answers []gate.Answer
	asked   []gate.Prompt
}

// Answers is an approver that gives these decisions and then none.
func Answers(decisions ...gate.Decision) *Approver {
	a := &Approver{}
	for _, d := range decisions {
		a.Add(gate.Answer{Decision: d})
	}
	return a
}

// Add puts an answer at the end of the script.
func (a *Approver) Add(answer gate.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers = append(a.answers, answer)
}

// Approve gives the next answer of the script.
func (a *Approver) Approve(_ context.Context, p gate.Prompt) (gate.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, p)
	if len(a.answers) == 0 {
		return gate.Answer{}, ErrNoAnswer
	}
	next := a.answers[0]
	a.answers = a.answers[1:]
	return next, nil
}

// Asked are the prompts so far, in order.
func (a *Approver) Asked() []gate.Prompt {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]gate.Prompt(nil), a.asked...)
}

// Left is how many answers were not needed yet.
func (a *Approver) Left() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.answers)
}
