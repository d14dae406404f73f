package agenthook

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"time"
)

// Claude is Claude Code. PreToolUse comes before every call, PermissionRequest
// when it would ask itself; both say what is called in the same way. It lets a
// call go on when its hook fails, takes too long, or writes what it doesn't
// know; only exit code 2, or a denial in the right form, stops it.
var Claude = &Agent{
	Name: "claude", Title: "Claude Code", Limit: 10 * time.Minute, Project: "CLAUDE_PROJECT_DIR",
	read: readClaude, answer: answerClaude, editsAsked: true, tools: claudeTools, search: "anthropic",
	settings: settings{
		path: func(home string, get func(string) string) string {
			if dir := get("CLAUDE_CONFIG_DIR"); dir != "" {
				return filepath.Join(dir, "settings.json")
			}
			return filepath.Join(home, ".claude", "settings.json")
		},
		project: filepath.Join(".claude", "settings.local.json"),
		events:  []string{PreToolUse}, timeout: "3600", onFailure: "exit 2",
		stops: claudeStops,
	},
}

// The tools by which the model asks the person something.
const (
	AskUserQuestion = "AskUserQuestion"
	EnterPlanMode   = "EnterPlanMode"
	ExitPlanMode    = "ExitPlanMode"
)

var claudeTools = map[string]tool{
	"Bash":      {kind: "execute", edits: edits{command: "command"}},
	"Write":     {kind: "edit", edits: edits{whole: "content"}},
	"Edit":      {kind: "edit", edits: edits{old: "old_string", new: "new_string", all: "replace_all"}},
	"MultiEdit": {kind: "edit"}, "NotebookEdit": {kind: "edit"},
	"Read": {kind: "read"}, "NotebookRead": {kind: "read"},
	"Glob": {kind: "search"}, "LS": {kind: "search"},
	"Grep":     {kind: "search", ignores: true, leaves: "glob !"},
	"WebFetch": {kind: "fetch"}, "WebSearch": {searches: true},
	AskUserQuestion: {own: true}, EnterPlanMode: {own: true}, ExitPlanMode: {own: true},
	"TodoWrite": {own: true}, "TodoRead": {own: true},
	"TaskCreate": {own: true}, "TaskUpdate": {own: true}, "TaskList": {own: true}, "TaskGet": {own: true},
	"TaskOutput": {own: true}, "TaskStop": {own: true}, "Task": {own: true, starts: true}, "Agent": {own: true, starts: true},
	"BashOutput": {own: true}, "KillShell": {own: true}, "KillBash": {own: true}, "ToolSearch": {own: true},
}

// claudeStops are the switches of a person, of a project and of who manages the
// machine.
func claudeStops(file, workspace string) (list []Switch) {
	const all, managedOnly = "disableAllHooks", "allowManagedHooksOnly"
	for _, name := range []string{file, filepath.Join(workspace, ".claude", "settings.json"), filepath.Join(workspace, ".claude", "settings.local.json")} {
		list = append(list, Switch{name, all})
	}
	folder := map[string]string{"darwin": "/Library/Application Support/ClaudeCode", "windows": `C:\Program Files\ClaudeCode`}[runtime.GOOS]
	if folder == "" {
		folder = "/etc/claude-code"
	}
	managed, _ := filepath.Glob(filepath.Join(folder, "managed-settings.d", "*.json"))
	for _, name := range append(managed, filepath.Join(folder, "managed-settings.json")) {
		list = append(list, Switch{name, all}, Switch{name, managedOnly})
	}
	return list
}

func readClaude(o object) (Event, error) {
	e, err := claudeLike(o)
	e.calls, e.asks = e.Name == PreToolUse, e.Name == PermissionRequest
	if e.host = byAsk; e.asks {
		e.host = bySilence
	}
	return e, err
}

// Claude's forms, of which other agents know a part.
type (
	claudeOutput struct {
		Continue   *bool          `json:"continue,omitempty"`
		StopReason string         `json:"stopReason,omitempty"`
		Specific   claudeSpecific `json:"hookSpecificOutput"`
	}
	claudeSpecific struct {
		Event    string          `json:"hookEventName"`
		Decision string          `json:"permissionDecision,omitempty"`
		Reason   string          `json:"permissionDecisionReason,omitempty"`
		Input    json.RawMessage `json:"updatedInput,omitempty"`
		Request  *claudeRequest  `json:"decision,omitempty"`
	}
	claudeRequest struct {
		Behavior  string          `json:"behavior"`
		Message   string          `json:"message,omitempty"`
		Interrupt bool            `json:"interrupt,omitempty"`
		Input     json.RawMessage `json:"updatedInput,omitempty"`
	}
)

func answerClaude(e Event, a Answer) any {
	o := claudeOutput{Specific: claudeSpecific{Event: e.Name}}
	if e.asks {
		o.Specific.Request = &claudeRequest{Behavior: "deny", Message: a.Reason, Interrupt: a.Stop}
		if a.Decision == Allow {
			o.Specific.Request = &claudeRequest{Behavior: "allow", Input: a.Input}
		}
		return o
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
	return o
}
