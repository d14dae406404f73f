package acp

import (
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// An Event is something that a screen shows. Texts in events come from the
// agent and are not escaped.
type Event interface{ event() }

type (
	// UserChunk is a piece of a message of the person, as the agent repeats it.
	UserChunk struct{ Text string }
	// AgentChunk is a piece of what the agent says.
	AgentChunk struct{ Text string }
	// ThoughtChunk is a piece of what the agent thinks.
	ThoughtChunk struct{ Text string }

	// CallStarted is the first that is heard of a tool call.
	CallStarted struct{ Call Call }
	// CallUpdated is the whole of a call after something changed.
	CallUpdated struct{ Call Call }
	// Decided is the gate's verdict on a call. A call that does several kinds
	// of things gets several; all of them have to allow it.
	Decided struct {
		CallID  string
		Verdict gate.Verdict
	}

	// Todos is the agent's checklist; it replaces the one before (APR-43).
	Todos struct{ List prompts.TodoList }
	// PlanReviewed is the outcome of a plan review (APR-41). An embedder sets
	// the gate's mode to Result.Mode after an approval.
	PlanReviewed struct {
		Plan   string
		Result prompts.PlanResult
	}

	// ModeChanged is the agent's own mode, at the start and at each change.
	// Loosens says that in this mode it acts without asking the gate.
	ModeChanged struct {
		Current   SessionMode
		Available []SessionMode
		Loosens   bool
	}
	// Commands are the agent's slash commands.
	Commands struct{ List []Command }
	// Usage is how much of the agent's context is used, in tokens, and what the
	// session cost so far; without a currency it doesn't say.
	Usage struct {
		Used, Size uint64
		Cost       float64
		Currency   string
	}

	// NoteQueued says that a person's words to a decision will be sent as the
	// next prompt: the protocol has no place for them in the answer.
	NoteQueued struct{ Text string }
	// TurnStarted begins a turn; FollowUp marks one that sends queued notes.
	TurnStarted struct {
		Text     string
		FollowUp bool
	}
	// TurnEnded ends a turn. Err is set when it has no stop reason.
	TurnEnded struct {
		Reason StopReason
		Err    error
	}

	// Notice is something that the person should know.
	Notice struct {
		Severity Severity
		Text     string
	}
	// Stderr is a line that the agent wrote to its standard error.
	Stderr struct{ Line string }
	// AgentExited says that the agent is gone; Err is nil when it ended well
	// or was told to.
	AgentExited struct{ Err error }
)

func (UserChunk) event()    {}
func (AgentChunk) event()   {}
func (ThoughtChunk) event() {}
func (CallStarted) event()  {}
func (CallUpdated) event()  {}
func (Decided) event()      {}
func (Todos) event()        {}
func (PlanReviewed) event() {}
func (ModeChanged) event()  {}
func (Commands) event()     {}
func (Usage) event()        {}
func (NoteQueued) event()   {}
func (TurnStarted) event()  {}
func (TurnEnded) event()    {}
func (Notice) event()       {}
func (Stderr) event()       {}
func (AgentExited) event()  {}

// A Severity grades a [Notice].
type Severity uint8

const (
	Info Severity = iota
	Warning
	Fault
)

func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Fault:
		return "error"
	}
	return "info"
}
