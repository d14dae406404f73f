package agenthook

import (
	"bytes"
	"path/filepath"
	"time"
)

// Copilot is Copilot CLI. preToolUse comes before every call; permissionRequest
// comes after it for all but reads, before its own rules and whatever it was
// started with, and says in other words what is called. The person is asked at
// the latter, whose allow passes its own question. A hook that takes too long
// lets the call go on.
var Copilot = &Agent{
	Name: "copilot", Title: "Copilot CLI", Limit: 30 * time.Second, Project: "COPILOT_PROJECT_DIR",
	read: readCopilot, answer: answerCopilot, tools: copilotTools,
	settings: settings{
		path: func(home string, get func(string) string) string {
			if dir := get("COPILOT_HOME"); dir != "" {
				return filepath.Join(dir, "hooks", "blitz-approve.json")
			}
			return filepath.Join(home, ".copilot", "hooks", "blitz-approve.json")
		},
		file: `{
  "version": 1,
  "hooks": {
    "preToolUse": [
      { "type": "command", "bash": %[1]s, "timeoutSec": 3600 }
    ],
    "permissionRequest": [
      { "type": "command", "bash": %[1]s, "timeoutSec": 3600 }
    ]
  }
}
`,
		onFailure: sayAndStop,
	},
}

// requested are the tools whose calls are known to come with a
// permissionRequest.
var requested = map[string]bool{"bash": true, "create": true, "edit": true}

var copilotTools = map[string]tool{
	"bash":        {kind: "execute", spelled: map[string]string{"mode": "", "sessionId": ""}},
	"create":      {kind: "edit"},
	"edit":        {kind: "edit"},
	"view":        {kind: "read", spelled: map[string]string{"forceReadLargeFiles": ""}},
	"grep":        {kind: "search", ignores: true, leaves: "glob !"},
	"glob":        {kind: "search"},
	"web_fetch":   {kind: "fetch"},
	"update_todo": {own: true}, "report_intent": {own: true}, "ask_user": {own: true}, "exit_plan_mode": {own: true},
	"task": {own: true, starts: true}, "read_bash": {own: true}, "stop_bash": {own: true}, "list_bash": {own: true},
}

func readCopilot(o object) (Event, error) {
	var e Event
	if err := texts(o, map[string]*string{"hookName": &e.Name, "sessionId": &e.Session, "cwd": &e.Dir, "toolName": &e.Tool}); err != nil {
		return e, err
	}
	// Only the request says its name.
	_, input := o["toolInput"]
	_, args := o["toolArgs"]
	_, result := o["toolResult"]
	switch {
	case e.Name == "permissionRequest":
		e.asks, e.Input = true, bytes.TrimSpace(o["toolInput"])
		e.host = byItsRules
	case e.Name == "" && args && !input && !result:
		e.Name, e.calls, e.Input = "preToolUse", true, bytes.TrimSpace(o["toolArgs"])
		if e.later = requested[e.Tool]; e.later {
			e.host = byItsRules // told to ask, it refuses while it is hosted
		}
	case e.Name == "":
		e.Name = "another"
	}
	return e, nil
}

type copilotCall struct {
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
}

type copilotRequest struct {
	Behavior  string `json:"behavior"`
	Message   string `json:"message,omitempty"`
	Interrupt bool   `json:"interrupt,omitempty"`
}

func answerCopilot(e Event, a Answer) any {
	switch {
	case e.asks && a.Decision == Allow && a.Input == nil:
		return copilotRequest{Behavior: "allow"}
	case e.asks:
		return copilotRequest{Behavior: "deny", Message: a.Reason, Interrupt: a.Stop}
	case a.Decision == Allow && a.Input == nil:
		return copilotCall{Decision: "allow"}
	case a.Decision == Ask:
		return copilotCall{"ask", a.Reason}
	}
	return copilotCall{"deny", a.Reason}
}
