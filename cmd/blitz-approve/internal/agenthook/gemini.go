package agenthook

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
)

// Gemini is Gemini CLI. BeforeTool comes before every call, in its own screen
// and headless, not when another program hosts it. It asks by itself after an
// allow where its own settings say so. Its limits are in milliseconds.
var Gemini = &Agent{
	Name: "gemini", Title: "Gemini CLI", Limit: time.Minute, Project: "GEMINI_PROJECT_DIR",
	read: readGemini, answer: answerGemini, tools: geminiTools, search: "google",
	settings: settings{
		path: func(home string, get func(string) string) string {
			if dir := get("GEMINI_CLI_HOME"); dir != "" {
				home = dir
			}
			return filepath.Join(home, ".gemini", "settings.json")
		},
		events: []string{"BeforeTool"}, timeout: "3600000", onFailure: sayAndStop,
		then: "Gemini CLI still asks by itself where its own settings say so.",
	},
}

var geminiTools = map[string]tool{
	"run_shell_command": {kind: "execute", dir: "dir_path", edits: edits{command: "command"}},
	"write_file":        {kind: "edit", edits: edits{whole: "content"}},
	"replace": {
		kind: "edit", edits: edits{old: "old_string", new: "new_string", all: "allow_multiple"},
		spelled: map[string]string{"instruction": "", "allow_multiple": "replace_all"},
	},
	"read_file":       {kind: "read"},
	"read_many_files": {kind: "search", leaves: "exclude **/"},
	"list_directory":  {kind: "search", spelled: map[string]string{"file_filtering_options": ""}},
	"glob":            {kind: "search", spelled: map[string]string{"respect_gemini_ignore": ""}},
	"grep_search": {kind: "search", spelled: map[string]string{
		"include_pattern": "include", "exclude_pattern": "", "names_only": "", "max_matches_per_file": "", "total_max_matches": "",
	}},
	"web_fetch": {kind: "fetch"}, "google_web_search": {searches: true},
	"write_todos": {own: true}, "ask_user": {own: true}, "enter_plan_mode": {own: true}, "exit_plan_mode": {own: true},
	"update_topic": {own: true}, "complete_task": {own: true}, "get_internal_docs": {own: true},
	"activate_skill": {own: true}, "invoke_agent": {own: true, starts: true},
}

func readGemini(o object) (Event, error) {
	e, err := claudeLike(o)
	if e.calls = e.Name == "BeforeTool"; err != nil || !e.calls {
		return e, err
	}
	raw := o["mcp_context"]
	if raw == nil || string(raw) == "null" {
		return e, nil
	}
	var server object
	if json.Unmarshal(raw, &server) == nil {
		err = texts(server, map[string]*string{"server_name": &e.server, "tool_name": &e.member})
	}
	if err == nil && (e.server == "" || e.member == "") {
		err = fmt.Errorf("%w: it doesn't say which server's tool", ErrEvent)
	}
	return e, err
}

type geminiOutput struct {
	Decision string          `json:"decision"`
	Reason   string          `json:"reason,omitempty"`
	Continue *bool           `json:"continue,omitempty"`
	Specific *geminiSpecific `json:"hookSpecificOutput,omitempty"`
}

type geminiSpecific struct {
	Event string          `json:"hookEventName"`
	Input json.RawMessage `json:"tool_input"` // all of it
}

func answerGemini(e Event, a Answer) any {
	o := geminiOutput{Decision: "deny", Reason: a.Reason}
	switch {
	case a.Decision == Allow:
		o.Decision, o.Reason = "allow", ""
		if a.Input != nil {
			o.Specific = &geminiSpecific{e.Name, a.Input}
		}
	case a.Decision == Ask:
		o.Decision = "ask"
	case a.Stop:
		o.Continue = new(bool)
	}
	return o
}
