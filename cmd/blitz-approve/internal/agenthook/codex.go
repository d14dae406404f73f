package agenthook

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"
)

// Codex has the events of Claude Code, with stricter answers: one field that it
// doesn't know, or an allow that says nothing else, makes the hook fail, and the
// call runs. PreToolUse can't have it ask. PermissionRequest comes where a call
// would leave its sandbox, never in "codex exec". A hook is skipped, without a
// word, until the person has trusted it there.
var Codex = &Agent{
	Name: "codex", Title: "Codex", Limit: 10 * time.Minute,
	read: readCodex, answer: answerCodex, before: codexBefore, tools: codexTools,
	settings: settings{
		path: func(home string, get func(string) string) string {
			if dir := get("CODEX_HOME"); dir != "" {
				return filepath.Join(dir, "hooks.json")
			}
			return filepath.Join(home, ".codex", "hooks.json")
		},
		events: []string{PreToolUse, PermissionRequest}, timeout: "3600", onFailure: sayAndStop,
		then: "Codex skips it until you trust it: start codex, and say /hooks.",
	},
}

func readCodex(o object) (Event, error) {
	e, err := readClaude(o)
	// What stays inside its sandbox it asks nobody about.
	if e.host = bySilence; !e.asks {
		e.host = 0
	}
	return e, err
}

// codexBefore is the event that came before with the call of a request: it has
// the same arguments, without what the model says for them.
func codexBefore(e Event) Event {
	o := e.fields()
	delete(o, "description")
	if raw, err := json.Marshal(o); err == nil && o != nil {
		e.Input = raw
	}
	e.Name, e.asks, e.calls = PreToolUse, false, true
	return e
}

var codexTools = map[string]tool{
	"Bash":        {kind: "execute", dir: "workdir", edits: edits{command: "command"}},
	"apply_patch": {kind: kindPatch},
}

// unasked is what a model reads where its agent can't be told to ask: why it would
// have to, and what helps.
func unasked(a Answer) string {
	return "this needs the user's approval (" + strings.TrimPrefix(a.Reason, "blitz-approve: ") +
		") and no desk is open to ask at: have them start blitz-approve in another terminal, then try again"
}

func answerCodex(e Event, a Answer) any {
	o := claudeOutput{Specific: claudeSpecific{Event: e.Name}}
	switch {
	case e.asks && a.Decision == Allow && a.Input == nil:
		o.Specific.Request = &claudeRequest{Behavior: "allow"}
	case e.asks:
		o.Specific.Request = &claudeRequest{Behavior: "deny", Message: a.Reason}
	case a.Decision == Allow && a.Input == nil:
		return nil
	case a.Decision == Allow:
		o.Specific.Decision, o.Specific.Input = "allow", a.Input
	case a.Decision == Ask:
		o.Specific.Decision, o.Specific.Reason = "deny", unasked(a)
	default:
		o.Specific.Decision, o.Specific.Reason = "deny", a.Reason
	}
	return o
}
