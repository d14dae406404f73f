package gate

import (
	"cmp"
	"fmt"
	"time"
)

// An Effect is what a rule or a verdict says. The zero effect denies.
type Effect uint8

const (
	Deny Effect = iota
	Ask
	Allow
)

func (e Effect) String() string {
	switch e {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	}
	return "deny"
}

// A Verdict is the outcome for one request and everything that explains it.
// The zero Verdict denies.
type Verdict struct {
	// Effect is Allow or Deny after [Gate.Decide]; Ask only from
	// [Gate.Check], and in a [Prompt].
	Effect Effect
	// Step is where in the order it was decided.
	Step StepName
	// Cause is the word that the audit log records (APR-11).
	Cause string
	// Mode is the mode that was decided in: that of the gate, or of a turn
	// that plans or runs headless.
	Mode Mode
	// Rule is the rule that decided, if one did.
	Rule *Rule
	// Reason says in one sentence why, for a person.
	Reason string
	// Forced says that the ask can't be settled by a mode, a remembered
	// approval or an allow rule (MustAsk, APR-15).
	Forced bool
	// Offers are the decisions that a person may give.
	Offers []Decision
	// Parts explain a command line, one per command in it.
	Parts []Part
	// Trail lists every rule and step that was looked at, for `why`.
	Trail []Note
	// Request is what was decided on, with ID and Origin filled in.
	Request Request
	// Asked is the request as it came, when a person edited it: Request is then
	// what they approved, and what has to be run (BEY-05). Else nil.
	Asked *Request
	// Message is what the person said with the answer, and what they changed.
	Message string
	// Warning is something that went wrong without changing the outcome, such
	// as an approval that could not be saved (APR-12).
	Warning string
	// Until is when the approval that let the request pass ends, if it ends by
	// its time; else zero.
	Until time.Time
	// Kept is what the person's answer lets pass from now on, for the session,
	// the turn or a time; nil where that is nothing, or a grant.
	Kept *Approved

	grants   []GrantOffer   // without their entries
	wayOut   string         // what would let it pass without a person
	remember func(*Verdict) // makes the approval last, once it is recorded
}

// Allowed reports whether the action may happen.
func (v Verdict) Allowed() bool { return v.Effect == Allow }

// Who says who decided: person, agent, rule, mode, tool, user-policy, hook,
// reviewer, unattended or gate.
func (v Verdict) Who() string {
	switch v.Cause {
	case CauseError, CauseUnanswered, CauseHandedOver, CauseAuditFailed, CauseInvalid:
		return "gate"
	case CauseCancelled:
		return "person"
	case CauseWithdrawn, CauseLeft:
		return "agent"
	}
	if who := stepOf(v.Step).who; who != "" {
		return who
	}
	switch v.Cause {
	case CauseToolAllow, CauseToolDeny:
		return "tool"
	case CauseUserAllow, CauseUserDeny:
		return "user-policy"
	case CauseRuleAllow, CauseRuleDeny, CauseHardPolicy:
		return "rule"
	}
	return "gate"
}

// Refusal is the text for the agent: what was refused, by whom, and the
// person's words if there are any. Only these have several lines, and nothing
// in it acts on a terminal. It is empty for an allow.
func (v Verdict) Refusal() string {
	if v.Effect == Allow {
		return ""
	}
	what := v.Request.Tool
	if len(v.Request.Targets) > 0 {
		what += " (" + v.Request.Targets[0] + ")"
	}
	what = visible(what)
	text := fmt.Sprintf("%s was refused: %s", cmp.Or(what, "the action"), visible(v.Reason))
	if v.Asked != nil {
		text += " (the user had edited it)"
	}
	if v.Rule != nil {
		text += visible(fmt.Sprintf(" [%s]", v.Rule))
	}
	switch v.Cause {
	case CauseUserRefused:
		text = fmt.Sprintf("the user declined %s", cmp.Or(what, "the action"))
	case CauseCancelled, CauseWithdrawn:
		text = fmt.Sprintf("%s was cancelled: %s", cmp.Or(what, "the action"), visible(v.Reason))
	}
	if v.Message != "" {
		text += ". They say: " + VisibleLines(v.Message)
	}
	return text
}

// A Part is the verdict on one command of a command line.
type Part struct {
	Command string // as written
	Effect  Effect
	Rule    *Rule // nil when no rule matched
	Reason  string
}

func (p Part) String() string {
	s := p.Effect.String() + " " + p.Command
	if p.Rule != nil {
		return s + " [" + p.Rule.String() + "]"
	}
	return s + because(p.Reason)
}

// A Note is one line of a verdict's trail.
type Note struct {
	Step StepName
	Text string
}

// A Decision is a person's answer (APR-03). The zero Decision denies.
type Decision uint8

const (
	// Refuse denies this request.
	Refuse Decision = iota
	// Once allows this request only.
	Once
	// Session allows requests with the same key until the process ends.
	Session
	// Always allows requests with the same key and saves that.
	Always
	// CancelTurn denies this request and everything else of the same turn.
	CancelTurn
	// Turn allows what Session would, until the agent's turn ends.
	Turn
	// Until allows what Session would, for the time that the answer says.
	Until
)

// allows reports a decision that lets the request pass.
func (d Decision) allows() bool {
	switch d {
	case Once, Session, Always, Turn, Until:
		return true
	}
	return false
}

func (d Decision) String() string {
	switch d {
	case Once:
		return "once"
	case Session:
		return "session"
	case Always:
		return "always"
	case CancelTurn:
		return "cancel"
	case Turn:
		return "turn"
	case Until:
		return "until"
	}
	return "deny"
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}
