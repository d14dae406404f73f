package agenthook

import (
	"encoding/json"
	"io"
)

// A Decision is what is said to an event. The zero Decision denies.
type Decision uint8

const (
	// Deny refuses the call.
	Deny Decision = iota
	// Ask has the agent ask the person itself. One that can't be told to do so
	// is refused the call, unless it asks anyway.
	Ask
	// Allow lets the call happen, without a question of the agent's own where
	// that can be said.
	Allow
	// Silent leaves the call to the agent, as if there were no hook.
	Silent
)

// An Answer is a decision with what belongs to it.
type Answer struct {
	Decision Decision
	// Reason is told to the agent with a denial, and to the person else.
	Reason string
	// Input, with Allow, takes the place of the tool's arguments; nil leaves
	// them.
	Input json.RawMessage
	// Stop, with Deny, ends the turn, where the agent can be told so.
	Stop bool
}

// Write writes an answer in the form of its agent and event. An event that
// comes when the agent asks anyway is not told to ask.
func (e Event) Write(w io.Writer, a Answer) error {
	if a.Decision == Silent && !e.Agent.explicit || !e.Answered() || e.asks && a.Decision == Ask {
		return nil
	}
	if (a.Decision == Deny || a.Decision == Ask) && a.Reason == "" {
		a.Reason = "blitz-approve refused it" // some agents take a refusal without a reason for a fault
	}
	said := e.Agent.answer(e, a)
	if said == nil {
		return nil
	}
	return json.NewEncoder(w).Encode(said)
}
