package stream

import (
	"encoding/json"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A message is one line that the program writes.
type message struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Session string          `json:"session"`
	Request *Request        `json:"request"`
	Args    json.RawMessage `json:"args"`
	Plan    string          `json:"plan"`
	Text    string          `json:"text"`
	State   string          `json:"state"`
}

// A reply is one line that the program reads.
type reply struct {
	Type string `json:"type"`
	ID   string `json:"id,omitempty"`
	*verdict
	Result any    `json:"result,omitempty"`
	Text   string `json:"text,omitempty"`
	Error  string `json:"error,omitempty"`
}

// A verdict is the gate's, as the program reads it.
type verdict struct {
	Verdict string        `json:"verdict"` // allow or deny
	Cause   string        `json:"cause"`
	Step    gate.StepName `json:"step"`
	Rule    string        `json:"rule,omitempty"`
	Reason  string        `json:"reason"`
	Refusal string        `json:"refusal,omitempty"` // the text for the agent
	Message string        `json:"message,omitempty"` // what the person said with a yes
	Warning string        `json:"warning,omitempty"`
	Until   string        `json:"until,omitempty"`
	Edited  *edited       `json:"edited,omitempty"`
}

// edited is what has to be run in place of what was asked.
type edited struct {
	Command *string      `json:"command,omitempty"`
	Files   []editedFile `json:"files,omitempty"`
}

type editedFile struct {
	Path  string `json:"path"`
	After []byte `json:"after_b64"`
}

func verdictOf(v gate.Verdict) *verdict {
	out := &verdict{
		Verdict: gate.Deny.String(), Cause: v.Cause, Step: v.Step, Reason: v.Reason, Refusal: v.Refusal(), Message: v.Message, Warning: v.Warning,
	}
	if v.Allowed() {
		out.Verdict = gate.Allow.String()
	}
	if v.Rule != nil {
		out.Rule = v.Rule.String()
	}
	if !v.Until.IsZero() {
		out.Until = v.Until.UTC().Format(time.RFC3339)
	}
	if v.Asked != nil && v.Allowed() {
		out.Edited = editedOf(v.Request)
	}
	return out
}

func editedOf(req gate.Request) *edited {
	if req.Kind == gate.RunCommand {
		return &edited{Command: &req.Targets[0]}
	}
	e := &edited{}
	for _, c := range req.Diff {
		if c.After != nil {
			e.Files = append(e.Files, editedFile{c.Path, c.After})
		}
	}
	return e
}
