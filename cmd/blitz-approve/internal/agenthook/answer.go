package agenthook

import (
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Decision is what is said to an event. The zero Decision denies.
type Decision uint8

const (
	// Deny refuses the call.
	Deny Decision = iota
	// Ask has Claude Code ask the person itself.
	Ask
	// Allow lets the call happen, without a question of Claude Code's own.
	Allow
	// Silent leaves the call to Claude Code, as if there were no hook.
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
	// Stop, with Deny, ends the turn.
	Stop bool
}

type output struct {
	Continue   *bool    `json:"continue,omitempty"`
	StopReason string   `json:"stopReason,omitempty"`
	Specific   specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event    string          `json:"hookEventName"`
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Request  *requested      `json:"decision,omitempty"`
}

type requested struct {
	Behavior  string          `json:"behavior"`
	Message   string          `json:"message,omitempty"`
	Interrupt bool            `json:"interrupt,omitempty"`
	Input     json.RawMessage `json:"updatedInput,omitempty"`
}

// Write writes an answer in the form of its event. A PermissionRequest comes
// when Claude Code asks anyway, so that Ask says nothing there.
func (e Event) Write(w io.Writer, a Answer) error {
	if a.Decision == Silent || !e.Answered() || e.Name == PermissionRequest && a.Decision == Ask {
		return nil
	}
	o := output{Specific: specific{Event: e.Name}}
	if e.Name == PermissionRequest {
		o.Specific.Request = &requested{Behavior: "deny", Message: a.Reason, Interrupt: a.Stop}
		if a.Decision == Allow {
			o.Specific.Request = &requested{Behavior: "allow", Input: a.Input}
		}
		return json.NewEncoder(w).Encode(o)
	}
	o.Specific.Decision, o.Specific.Reason = "deny", a.Reason
	switch {
	case a.Decision == Allow:
		o.Specific.Decision, o.Specific.Input = "allow", a.Input
	case a.Decision == Ask:
		o.Specific.Decision = "ask"
	case a.Stop:
		o.Continue, o.StopReason = new(bool), a.Reason
	}
	return json.NewEncoder(w).Encode(o)
}

// canEdit reports whether what a person makes of the request can be put into
// the call's arguments.
func (e Event) canEdit(r *gate.Request, requests int) bool {
	if requests != 1 || e.fields() == nil {
		return false
	}
	switch e.Tool {
	case "Bash":
		return true
	case "Write":
		return len(r.Diff) == 1
	case "Edit":
		return len(r.Diff) == 1 && len(r.Diff[0].Before) > 0 && utf8.Valid(r.Diff[0].Before)
	}
	return false
}

func (e Event) fields() (o map[string]json.RawMessage) {
	_ = json.Unmarshal(e.Input, &o)
	return o
}

// errNotText is for what arguments can't carry as it is.
var errNotText = errors.New("what was edited holds bytes that are no text, which Claude Code can't be given")

// Edited are the arguments for what a person made of the call.
func (e Event) Edited(r gate.Request) (json.RawMessage, error) {
	o := e.fields()
	exact := true
	set := func(name, value string) {
		exact = exact && utf8.ValidString(value)
		o[name], _ = json.Marshal(value)
	}
	switch e.Tool {
	case "Bash":
		set("command", r.Targets[0])
	case "Write":
		set("content", string(r.Diff[0].After))
	case "Edit":
		set("old_string", string(r.Diff[0].Before))
		set("new_string", string(r.Diff[0].After))
		o["replace_all"] = json.RawMessage("false")
	}
	if !exact {
		return nil, errNotText
	}
	return json.Marshal(o)
}
