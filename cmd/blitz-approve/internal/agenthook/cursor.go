package agenthook

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"
)

// Cursor is Cursor's agent. Commands, tools of MCP servers and reads have events
// of their own, of which the first two can be told to ask; preToolUse comes
// before every call, also these, and can't. An entry says that a hook which
// fails stops the call, and then an event wants an answer in any case. This is
// built from what is documented; nobody has run it.
var Cursor = &Agent{
	Name: "cursor", Title: "Cursor", Limit: time.Minute, Project: "CURSOR_PROJECT_DIR",
	read: readCursor, answer: answerCursor, explicit: true, tools: cursorTools, search: "cursor",
	settings: settings{
		path:    func(home string, _ func(string) string) string { return filepath.Join(home, ".cursor", "hooks.json") },
		events:  []string{cursorShell, cursorMCP, cursorRead, cursorCall},
		timeout: "3600", start: "{\n  \"version\": 1\n}", onFailure: sayAndStop,
		entry: `{
  "command": %s,
  "timeout": %s,
  "failClosed": true
}`,
		then: "This follows Cursor's documentation and was never tried with Cursor: look into its Hooks tab whether the hook runs.",
	},
}

const (
	cursorShell = "beforeShellExecution"
	cursorMCP   = "beforeMCPExecution"
	cursorRead  = "beforeReadFile"
	cursorCall  = "preToolUse"
)

var cursorTools = map[string]tool{
	"Shell": {kind: "execute", dir: "working_directory", spelled: map[string]string{"sandbox": ""}},
	"Write": {kind: "edit"}, "Edit": {kind: "edit"}, "StrReplace": {kind: "edit"},
	"Delete": {kind: "delete"},
	"Read":   {kind: "read"},
	"Grep":   {kind: "search", ignores: true, leaves: "glob !"},
	"Glob":   {kind: "search"}, "LS": {kind: "search"},
	"WebFetch": {kind: "fetch"}, "WebSearch": {searches: true},
	"Task": {own: true, starts: true}, "TodoWrite": {own: true}, "AskQuestion": {own: true}, "CreatePlan": {own: true}, "SwitchMode": {own: true},
}

func readCursor(o object) (Event, error) {
	var e Event
	err := texts(o, map[string]*string{
		"hook_event_name": &e.Name, "conversation_id": &e.Session, "cwd": &e.Dir, "tool_name": &e.Tool, "tool_use_id": &e.CallID,
	})
	if err != nil {
		return e, err
	}
	var roots []string
	if e.Dir == "" && json.Unmarshal(o["workspace_roots"], &roots) == nil && len(roots) > 0 {
		e.Dir = roots[0]
	}
	switch e.Name {
	case cursorShell:
		e.calls, e.Tool = true, "Shell"
		e.Input = only(o, "command")
	case cursorRead:
		e.calls, e.Tool = true, "Read"
		e.Input = only(o, "file_path")
	case cursorMCP:
		// A tool of a server that isn't named is none of Cursor's own either.
		e.calls, e.member, e.server = true, e.Tool, "?"
		var input string
		err = texts(o, map[string]*string{"mcp_server_name": &e.server, "tool_input": &input})
		e.Input = json.RawMessage(input)
	case cursorCall:
		e.calls, e.Input = true, bytes.TrimSpace(o["tool_input"])
		e.later = e.Tool == "Shell" || e.Tool == "Read" || strings.HasPrefix(e.Tool, "MCP:")
		if name, ok := strings.CutPrefix(e.Tool, "MCP:"); ok {
			e.server, e.member = "?", name
		}
	}
	return e, err
}

// only is an object with one field of another, if that has it.
func only(o object, name string) json.RawMessage {
	if o[name] == nil {
		return nil
	}
	raw, _ := json.Marshal(object{name: o[name]})
	return raw
}

type cursorOutput struct {
	Permission string `json:"permission"`
	ToUser     string `json:"user_message,omitempty"`
	ToAgent    string `json:"agent_message,omitempty"`
}

func answerCursor(e Event, a Answer) any {
	asks := e.Name == cursorShell || e.Name == cursorMCP
	o := cursorOutput{Permission: "deny", ToUser: a.Reason, ToAgent: a.Reason}
	switch {
	case a.Decision == Silent, a.Decision == Allow && a.Input == nil, a.Decision == Ask && e.later:
		return cursorOutput{Permission: "allow"}
	case a.Decision == Ask && asks:
		return cursorOutput{Permission: "ask", ToUser: a.Reason}
	case a.Decision == Ask:
		o.ToUser, o.ToAgent = "blitz-approve: no desk is open to ask you at: start blitz-approve in another terminal", unasked(a)
	}
	if e.Name == cursorRead {
		o.ToAgent = "" // not known there
	}
	return o
}
