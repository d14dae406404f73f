package tui

import (
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// An Event is something that happened in the session and that the screen
// shows. The types below are all there are. Each is also a message for
// [Model.Update].
type Event interface{ event() }

// UserSaid is a prompt that the person gave.
type UserSaid struct{ Text string }

// AgentSaid is a piece of what the agent says, in markdown; pieces that
// follow each other are joined.
type AgentSaid struct{ Text string }

// AgentThought is a piece of what the agent thinks aloud; pieces that follow
// each other are joined.
type AgentThought struct{ Text string }

// ToolCall is one line of the transcript. A later one with the same ID takes
// its place; fields that it leaves empty stay as they were.
type ToolCall struct {
	ID     string
	Title  string
	Kind   string // the tool's name, or its kind; where several agents ask, the agent's
	Place  string // where that agent works
	Status ToolStatus
	// Verdict says why the call was let through or not.
	Verdict *gate.Verdict
	// Files are what the call does to files. A refused call keeps its diff
	// on the screen.
	Files []gate.Change
}

// ToolStatus is how far a tool call is.
type ToolStatus uint8

const (
	ToolPending ToolStatus = iota // or left to somebody else
	ToolRunning
	ToolDone
	ToolFailed
	ToolRefused
)

// Tasks replaces the checklist (APR-43). Agent is whose it is, where several ask
// on the same screen; the list is headed by it then.
type Tasks struct {
	List  prompts.TodoList
	Agent string
}

// ModeChanged says that the gate's mode is another one now.
type ModeChanged struct{ Mode gate.Mode }

// AgentMode says which mode the agent itself is in. Loose means that it may
// act without asking in that mode.
type AgentMode struct {
	Name  string
	Loose bool
}

// AgentStarting says that the agent of this name is being started; what is
// typed waits for it.
type AgentStarting struct{ Name string }

// AgentReady says that the agent takes prompts.
type AgentReady struct{}

// AgentGone says that the agent takes no prompts any more.
type AgentGone struct{}

// Prompted is a prompt that the person gave with the command: it is sent before
// what they type.
type Prompted struct{ Text string }

// TurnStarted says that the agent works.
type TurnStarted struct{}

// TurnEnded says that the agent waits for a prompt.
type TurnEnded struct{ Reason string }

// Notice is a line from the program itself.
type Notice struct {
	Severity Severity
	Text     string
}

// Severity says how much a [Notice] stands out.
type Severity uint8

const (
	Info Severity = iota
	Warning
	Failure
)

// Finished shows the end screen: what was done, and where the audit log is.
// Any key leaves it.
type Finished struct{ Summary []string }

// TimedApprovals is what is approved now for the turn or until a time, as
// [gate.Gate.Approved] lists it, and what stands for an agent's session where
// several ask. The header counts down (BEY-07).
type TimedApprovals struct{ List []gate.Approved }

// Connected is how many agents there are now, where several ask.
type Connected struct{ Agents int }

func (UserSaid) event()       {}
func (AgentSaid) event()      {}
func (AgentThought) event()   {}
func (ToolCall) event()       {}
func (Tasks) event()          {}
func (ModeChanged) event()    {}
func (AgentMode) event()      {}
func (AgentStarting) event()  {}
func (AgentReady) event()     {}
func (AgentGone) event()      {}
func (Prompted) event()       {}
func (TurnStarted) event()    {}
func (TurnEnded) event()      {}
func (Notice) event()         {}
func (Finished) event()       {}
func (TimedApprovals) event() {}
func (Connected) event()      {}
