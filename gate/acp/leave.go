package acp

import (
	"slices"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A leave is what the agent was allowed to do and has not done yet: where it
// then has the editor do it, nobody is asked again (BEY-02).
type leave struct {
	mu      sync.Mutex
	actions []left
}

// A left is an action, and where its files led when it was allowed.
type left struct {
	gate.Request
	call  string
	leads []string
}

func (l *leave) give(call string, actions []gate.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range actions {
		l.actions = append(l.actions, left{a, call, a.Leads()})
	}
}

// done takes back what was not done of a call that is over: the agent did it
// in another way, or not at all.
func (l *leave) done(call string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.actions = slices.DeleteFunc(l.actions, func(have left) bool { return have.call == call })
}

// end takes back what was not done in the turn that it was for.
func (l *leave) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.actions = nil
}

// take reports whether the agent has leave for all of these, which it then has
// no more. A file must still be as it was, and where it was.
func (l *leave) take(actions []gate.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := slices.Clone(l.actions)
	for _, want := range actions {
		i := slices.IndexFunc(rest, func(have left) bool {
			return gives(have.Request, want) && slices.Equal(have.leads, want.Leads())
		})
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	l.actions = rest
	return len(actions) > 0
}

// gives reports whether leave to do what is known of have is leave for want.
func gives(have, want gate.Request) bool {
	if have.Unrevealed || want.Unrevealed || have.Kind != want.Kind || have.Dir != want.Dir || want.Declared.Policy != gate.NoPolicy {
		return false
	}
	switch want.Kind {
	case gate.WriteFile:
		return len(want.Diff) == 1 && len(have.Diff) == 1 && sameChange(have.Diff[0], want.Diff[0])
	case gate.RunCommand:
		return slices.Equal(have.Targets, want.Targets)
	}
	return false
}
