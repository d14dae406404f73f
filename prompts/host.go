package prompts

import "errors"

// A Host says who is there to answer. The zero Host reaches nobody.
type Host struct {
	// Prompter puts questions on the screen; nil when there is none.
	Prompter Prompter
	// Unattended marks a run that nobody watches, such as a worker (APR-10).
	Unattended bool
	// DontAsk is set while the permission mode is dont-ask. It withholds plan
	// reviews (APR-41, APR-42) but not questions: an answer permits nothing.
	DontAsk bool
	// Agent is who asks, for display.
	Agent string
}

var (
	// ErrUnattended answers a question in a run that nobody watches (APR-40).
	ErrUnattended = errors.New("nobody can answer in an unattended run; make the decision yourself and state what you assumed")
	// ErrNoPrompter answers a question where no screen can show it (APR-40).
	ErrNoPrompter = errors.New("nobody can be asked from here; go on and use your own judgement")
)

// answers is the reason why nobody answers questions here, or nil.
func (h Host) answers() error {
	switch {
	case h.Unattended:
		return ErrUnattended
	case h.Prompter == nil:
		return ErrNoPrompter
	}
	return nil
}

// reviews reports whether a person can be asked to review a plan.
func (h Host) reviews() bool { return h.answers() == nil && !h.DontAsk }
