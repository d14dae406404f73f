package gate

import (
	"context"
	"errors"
	"slices"
	"time"
)

// An Approver puts a request before a person and returns the answer. It is
// called from many goroutines; it decides the order in which it shows them, and
// [InLine] helps it to keep that in which they came.
// When ctx ends the prompt is withdrawn: [context.Cause] tells why, for
// example [ErrSettled] when a rule or mode settled it meanwhile. An error
// denies (APR-12).
type Approver interface {
	Approve(ctx context.Context, p Prompt) (Answer, error)
}

// ErrHandedOver is an error of an [Approver] that leaves the question to somebody
// else, such as the agent's own prompt. The verdict is a refusal with
// [CauseHandedOver], which whoever hands it over takes for no answer; the log
// says that it was asked.
var ErrHandedOver = errors.New("somebody else is asked")

// ErrNoApprover is an error of an [Approver] who finds nobody to ask. The verdict
// is the refusal with [CauseNoApprover] of a gate that has none (APR-11).
var ErrNoApprover = errors.New("nobody can be asked")

// A Prompt is a request that waits for a person, with the verdict that says
// why and what may be answered.
type Prompt struct {
	Request Request
	Verdict Verdict // Effect is Ask
	// Session says in words what Session would cover; empty when Session
	// isn't offered.
	Session string
	// Saves is the key that Always would save, as it is saved; empty when
	// Always isn't offered.
	Saves string
	// Grants are what a Once answer may grant as well, in the order in which
	// to show them; nil when nothing may be (TAM-07, TAM-11).
	Grants []GrantOffer
	// CanSave says that grants can outlive the session.
	CanSave bool
	// Brief says that the process which asks ends with this request, as an
	// agent's hook does: what Grants offer lasts only where it is saved, nobody
	// hears of the end of the turn, and an answer for the session is offered only
	// where a desk keeps it ([Gate.Stand]).
	Brief bool
	// Widths are the rules that an Always answer may save instead of Saves,
	// the narrowest first; nil when none may be (BEY-08).
	Widths []Width
	// Unruled says why there are none, where that is known.
	Unruled string
	// SavedIn names, for a person, the file that an Always answer saves in, by its
	// Place.
	SavedIn map[RulePlace]string
	Since   time.Time
	// Revise checks an edit as the gate would decide on it and returns the
	// prompt that shows it, which offers Once: show that one, and answer it with
	// its own [Prompt.Answer] or [Prompt.Choices], which carry the edit. An error
	// says why it can't be approved, and the prompt stays as it was. It is nil
	// where the request can't be edited (BEY-05).
	Revise func(Edit) (Prompt, error)
	// Edit is what Revise made the prompt of; nil for a request as it came.
	Edit *Edit
	// Renewal counts how often the request was judged otherwise since it was
	// first asked about.
	Renewal int
	// Renewed waits until the request is judged otherwise than in any prompt
	// so far, and returns the prompt that now holds; ok is false when ctx ends
	// first. One goroutine calls it, again and again. Who doesn't has their
	// answer held against what they were shown. It is nil where nothing can
	// change (APR-15a).
	Renewed func(ctx context.Context) (p Prompt, ok bool)

	turn int // ends of turns of the request's session before it was asked
}

// Offers reports whether d may be answered. Refuse and CancelTurn always may,
// Turn and Until where Session may (BEY-07), but Turn to no Brief one.
func (p Prompt) Offers(d Decision) bool {
	switch {
	case d == Refuse, d == CancelTurn:
		return true
	case d == Turn && p.Brief:
		return false
	case d == Turn, d == Until:
		d = Session // they cover the same, for less long
	}
	return d == Always && len(p.Widths) > 0 || slices.Contains(p.Verdict.Offers, d)
}

// An Answer is what a person decided. The zero Answer denies, and so does one
// whose fields contradict each other. [Prompt.Answer] makes one for what a prompt
// shows.
type Answer struct {
	Decision Decision
	// Message goes to the agent with a refusal, or as a comment with a yes.
	Message string
	// Grant, with Once, also grants what the prompt's offer of that scope
	// covers; zero grants nothing.
	Grant GrantScope
	// Remember saves what Grant grants; otherwise it ends with the session.
	Remember bool
	// For is how long [Until] holds.
	For time.Duration
	// Rule, with Always, is that of one of the prompt's Widths: a rule, or
	// several on a line each, that is saved in Place, in place of the key that
	// Saves names (BEY-08).
	Rule  string
	Place RulePlace
	// Edited, with Once, approves this in place of what was asked: the Edit of
	// the prompt that Revise returned and that was shown (BEY-05, BEY-06).
	Edited *Edit
	// Renewal is that of the prompt which was shown when this was answered:
	// nothing is remembered but what that one offered (APR-12).
	Renewal int
}

// Answer is d as the answer to what p shows, which is an edit where [Prompt.Revise]
// returned p. The other fields are free to be added.
func (p Prompt) Answer(d Decision) Answer { return p.given(Answer{Decision: d}) }

// given makes a the answer to what p shows, and to nothing else.
func (p *Prompt) given(a Answer) Answer {
	a.Renewal = p.Renewal
	if a.Decision.allows() {
		a.Edited = p.Edit
	}
	return a
}

// A RulePlace is a file of the user's own that a rule can be saved in.
type RulePlace string

const (
	// WorkspaceRules are the user's own settings for one workspace.
	WorkspaceRules RulePlace = "workspace"
	// GlobalRules are the user's settings for everything.
	GlobalRules RulePlace = "global"
)

func (p RulePlace) valid() bool { return p == WorkspaceRules || p == GlobalRules }

// ApproverFunc makes a function an [Approver].
type ApproverFunc func(context.Context, Prompt) (Answer, error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, p Prompt) (Answer, error) { return f(ctx, p) }
