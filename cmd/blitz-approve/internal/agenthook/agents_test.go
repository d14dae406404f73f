package agenthook

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Events of agents whose forms are documented only, but for opencode's plugin.
const (
	openCodeBefore  = `{"hook_event_name":"tool.execute.before","session_id":"ses_1","tool_use_id":"c1","tool_name":%q,"tool_input":%s,"cwd":"$WS"}`
	cursorCommon    = `"conversation_id":"s","generation_id":"g","model":"m","cursor_version":"2.0","workspace_roots":["$WS"],"user_email":null,"transcript_path":null,`
	cursorShellForm = `{` + cursorCommon + `"tool_name":%q,"hook_event_name":"beforeShellExecution","command":%s,"cwd":"","sandbox":false}`
	cursorReadForm  = `{` + cursorCommon + `"tool_name":%q,"hook_event_name":"beforeReadFile","file_path":%s,"content":"one","attachments":[]}`
	cursorMCPForm   = `{` + cursorCommon + `"hook_event_name":"beforeMCPExecution","tool_name":%q,"tool_input":%s,"mcp_server_name":"my_db","command":"npx my-db"}`
	cursorCallForm  = `{` + cursorCommon + `"hook_event_name":"preToolUse","tool_name":%q,"tool_input":%s,"tool_use_id":"c1","cwd":"$WS","agent_message":"…"}`
)

func event(t *testing.T, agent *Agent, text string) Event {
	t.Helper()
	e, err := agent.ReadEvent(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Events as the agents send them.
const (
	codexPre     = `{"session_id":"s","turn_id":"u","transcript_path":"/t","cwd":"$WS","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":%q,"tool_input":%s,"tool_use_id":"c1"}`
	codexRequest = `{"session_id":"s","turn_id":"u","transcript_path":"/t","cwd":"$WS","hook_event_name":"PermissionRequest","model":"m","permission_mode":"default","tool_name":%q,"tool_input":%s}`
	geminiBefore = `{"session_id":"s","transcript_path":"/t","cwd":"$WS","hook_event_name":"BeforeTool","timestamp":"2026-11-30T08:32:03.415Z","tool_name":%q,"tool_input":%s}`
	geminiMCP    = `{"session_id":"s","cwd":"$WS","hook_event_name":"BeforeTool","tool_name":%q,"tool_input":%s,"mcp_context":{"server_name":"my_db","tool_name":"query_all","command":"db"}}`
	copilotPre   = `{"sessionId":"s","timestamp":1796027706454,"cwd":"$WS","toolName":%q,"toolArgs":%s}`
	copilotAsks  = `{"hookName":"permissionRequest","sessionId":"s","timestamp":1796027706595,"cwd":"$WS","toolName":%q,"toolInput":%s,"permissionSuggestions":[]}`
)

// BEY-01: what each agent's tools do, for the gate: kind, targets, tier, and
// whether a person may edit it. What isn't understood has a person asked.
func TestRequestsOfAgents(t *testing.T) {
	ws := t.TempDir()
	if err := os.WriteFile(filepath.Join(ws, "a.txt"), []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		agent              *Agent
		form, tool, input  string
		want               string
		editable, unsure   bool
		before, after, dir string
	}{
		{agent: Codex, form: codexPre, tool: "Bash", input: `{"command":"ls -l"}`, want: "run_command exec ls -l", editable: true},
		{agent: Codex, form: codexPre, tool: "Bash", input: `{"command":"ls","workdir":"sub"}`, want: "run_command exec ls", editable: true, dir: "$WS/sub"},
		{agent: Codex, form: codexRequest, tool: "Bash", input: `{"command":"ls","description":"It must be"}`, want: "run_command exec ls"},
		{agent: Codex, form: codexPre, tool: "Bash", input: `{"command":"ls","with_escalated_permissions":true}`, want: "run_command exec ls", editable: true, unsure: true},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file write a.txt", before: "one\ntwo\nthree\n", after: "one\n2\nthree\n",
			input: `{"command":"*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch\n"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file write b/c.txt", after: "new\n",
			input: `{"command":"*** Begin Patch\n*** Add File: b/c.txt\n+new\n*** End Patch\n"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "delete_file write a.txt", before: "one\ntwo\nthree\n",
			input: `{"command":"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"}`},
		// Only added lines say no place, another name is not shown as it is, and
		// lines that aren't there don't fit.
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file exec a.txt", unsure: true,
			input: `{"command":"*** Begin Patch\n*** Update File: a.txt\n@@\n+zero\n*** End Patch"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file exec a.txt /etc/x", unsure: true,
			input: `{"command":"*** Begin Patch\n*** Update File: a.txt\n*** Move to: /etc/x\n@@\n-one\n+1\n*** End Patch"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file write a.txt", unsure: true, before: "one\ntwo\nthree\n", after: "1\n",
			input: `{"command":"*** Begin Patch\n*** Update File: a.txt\n@@\n-four\n+1\n*** End Patch"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file write a.txt", unsure: true, before: "one\ntwo\nthree\n", after: "one\ntwo\nthr1\n",
			input: `{"command":"*** Begin Patch\n*** Update File: a.txt\n@@\n-ee\n+1\n*** End Patch"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file exec", unsure: true, input: `{"command":"rm -r x"}`},
		// Rules hold for the files of a patch that isn't understood, and what
		// some leave out around a name is no part of it for sure.
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file exec .envrc", unsure: true,
			input: `{"command":"*** Begin Patch\n*** Add File: .envrc \n+x\n*** End Patch"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file exec a.txt b.txt", unsure: true,
			input: `{"command":"apply_patch <<'E'\n*** Begin Patch\n  *** update file:a.txt\n*** Add File: b.txt\n+x\n*** End Patch\nE"}`},
		{agent: Codex, form: codexPre, tool: "apply_patch", want: "write_file exec $WS/~/x ~/x", unsure: true,
			input: `{"command":"*** Begin Patch\n*** Add File: ~/x\n+x\n*** End Patch"}`},
		{agent: Codex, form: codexPre, tool: "mcp__db__query", input: `{"sql":"x"}`, want: "mcp_tool write db:query"},
		{agent: Codex, form: codexPre, tool: "shell_of_tomorrow", input: `{"command":"ls"}`, want: "run_command exec ls", unsure: true},

		{agent: Gemini, form: geminiBefore, tool: "run_shell_command", input: `{"command":"ls","description":"Look","dir_path":"sub"}`, want: "run_command exec ls", editable: true, dir: "$WS/sub"},
		{agent: Gemini, form: geminiBefore, tool: "run_shell_command", input: `{"command":"ls","dir_path":"a","cwd":"/etc"}`, want: "run_command exec ls", editable: true, unsure: true, dir: "$WS/a"},
		{agent: Gemini, form: geminiBefore, tool: "write_file", input: `{"file_path":"$WS/b.txt","content":"x\n"}`, want: "write_file write b.txt", editable: true, after: "x\n"},
		{agent: Gemini, form: geminiBefore, tool: "replace", input: `{"file_path":"$WS/a.txt","instruction":"Count.","old_string":"two","new_string":"2","allow_multiple":false}`,
			want: "write_file write a.txt", editable: true, before: "one\ntwo\nthree\n", after: "one\n2\nthree\n"},
		{agent: Gemini, form: geminiBefore, tool: "read_file", input: `{"file_path":"$WS/a.txt"}`, want: " read a.txt"},
		{agent: Gemini, form: geminiBefore, tool: "list_directory", input: `{"dir_path":"/etc","file_filtering_options":{"x":true}}`, want: " read /etc"},
		{agent: Gemini, form: geminiBefore, tool: "glob", input: `{"pattern":"**/*.go"}`, want: " read ."},
		{agent: Gemini, form: geminiBefore, tool: "glob", input: `{"pattern":"src/**/*.{go,mod}"}`, want: " read ."},
		{agent: Gemini, form: geminiBefore, tool: "glob", input: `{"pattern":"$WS/*.go"}`, want: " read ."},
		{agent: Gemini, form: geminiBefore, tool: "glob", input: `{"pattern":"/etc/*"}`, want: " exec .", unsure: true},
		{agent: Gemini, form: geminiBefore, tool: "glob", input: `{"pattern":"a/{.,b}{.,b}/*"}`, want: " exec .", unsure: true},
		{agent: Claude, form: codexPre, tool: "Glob", input: `{"pattern":"../*"}`, want: " exec .", unsure: true},
		{agent: Gemini, form: geminiBefore, tool: "web_fetch", input: `{"prompt":"read https://example.com"}`, want: "network exec", unsure: true},
		{agent: Gemini, form: geminiBefore, tool: "google_web_search", input: `{"query":"x"}`, want: "network read google"},
		{agent: Gemini, form: geminiBefore, tool: "write_todos", input: `{"todos":[]}`, want: " read"},
		{agent: Gemini, form: geminiBefore, tool: "save_memory", input: `{"fact":"x"}`, want: " exec"},
		{agent: Gemini, form: geminiMCP, tool: "mcp_my_db_query_all", input: `{"sql":"x"}`, want: "mcp_tool write my_db:query_all"},

		{agent: Copilot, form: copilotPre, tool: "bash", input: `{"command":"ls","description":"Look"}`, want: "run_command exec ls"},
		{agent: Copilot, form: copilotAsks, tool: "bash", input: `{"command":"ls"}`, want: "run_command exec ls"},
		{agent: Copilot, form: copilotPre, tool: "create", input: `{"path":"$WS/b.txt","file_text":"x\n"}`, want: "write_file write b.txt", after: "x\n"},
		{agent: Copilot, form: copilotAsks, tool: "edit", want: "write_file write a.txt", before: "one\ntwo\nthree\n", after: "1\ntwo\nthree\n",
			input: `{"file_path":"$WS/a.txt","diff":"\ndiff --git a$WS/a.txt b$WS/a.txt\nindex 0000000..0000000 100644\n--- a$WS/a.txt\n+++ b$WS/a.txt\n@@ -1,3 +1,3 @@\n-one\n+1\n two\n three\n"}`},
		{agent: Copilot, form: copilotPre, tool: "view", input: `{"path":"$WS/a.txt"}`, want: " read a.txt"},
		{agent: Copilot, form: copilotPre, tool: "write_bash", input: `{"sessionId":"1","input":"y\n"}`, want: " exec"},

		{agent: OpenCode, form: openCodeBefore, tool: "bash", input: `{"command":"ls","description":"Look","workdir":"$WS/sub","timeout":1000}`, want: "run_command exec ls", editable: true, dir: "$WS/sub"},
		{agent: OpenCode, form: openCodeBefore, tool: "write", input: `{"filePath":"$WS/b.txt","content":"x\n"}`, want: "write_file write b.txt", editable: true, after: "x\n"},
		{agent: OpenCode, form: openCodeBefore, tool: "edit", input: `{"filePath":"$WS/a.txt","oldString":"two","newString":"2","replaceAll":false}`,
			want: "write_file write a.txt", editable: true, before: "one\ntwo\nthree\n", after: "one\n2\nthree\n"},
		{agent: OpenCode, form: openCodeBefore, tool: "read", input: `{"filePath":"$WS/a.txt","limit":5}`, want: " read a.txt"},
		{agent: OpenCode, form: openCodeBefore, tool: "glob", input: `{"pattern":"**/*.go","path":"$WS"}`, want: " read ."},
		{agent: OpenCode, form: openCodeBefore, tool: "webfetch", input: `{"url":"https://example.com/x","format":"text"}`, want: "network read example.com"},
		{agent: OpenCode, form: openCodeBefore, tool: "todowrite", input: `{"todos":[]}`, want: " read"},
		{agent: OpenCode, form: openCodeBefore, tool: "batch", input: `{"tool_calls":[{"tool":"bash","parameters":{"command":"rm x"}}]}`, want: " exec", unsure: false},
		{agent: OpenCode, form: openCodeBefore, tool: "db_query", input: `{"sql":"x"}`, want: " exec"},

		{agent: Cursor, form: cursorShellForm, tool: "", input: `"ls -l"`, want: "run_command exec ls -l"},
		{agent: Cursor, form: cursorReadForm, tool: "", input: `"$WS/a.txt"`, want: " read a.txt"},
		{agent: Cursor, form: cursorMCPForm, tool: "query", input: `"{\"sql\":\"x\"}"`, want: "mcp_tool write my_db:query"},
		{agent: Cursor, form: cursorCallForm, tool: "Shell", input: `{"command":"ls","working_directory":"$WS/sub"}`, want: "run_command exec ls", dir: "$WS/sub"},
		{agent: Cursor, form: cursorCallForm, tool: "Write", input: `{"file_path":"$WS/b.txt","content":"x\n"}`, want: "write_file write b.txt", after: "x\n"},
		{agent: Cursor, form: cursorCallForm, tool: "StrReplace", input: `{"path":"$WS/a.txt","old_string":"two","new_string":"2"}`, want: "write_file write a.txt", before: "one\ntwo\nthree\n", after: "one\n2\nthree\n"},
		{agent: Cursor, form: cursorCallForm, tool: "Delete", input: `{"path":"$WS/a.txt"}`, want: "delete_file write a.txt", before: "one\ntwo\nthree\n"},
		{agent: Cursor, form: cursorCallForm, tool: "Write", input: `{"file_path":"$WS/b.txt","content":"x\n","mode":"append"}`, want: "write_file exec b.txt", after: "x\n", unsure: true},
		{agent: Cursor, form: cursorCallForm, tool: "MCP:query", input: `{"sql":"x"}`, want: "mcp_tool write ?:query"},
		{agent: Cursor, form: cursorCallForm, tool: "Grep", input: `{"pattern":"x"}`, want: " read ."},
	} {
		fill := strings.NewReplacer("$WS", ws).Replace
		name := c.agent.Name + " " + c.tool + " " + c.input
		requests := event(t, c.agent, fill(fmt.Sprintf(c.form, c.tool, c.input))).Requests(ws)
		if len(requests) != 1 {
			t.Errorf("%s: %d requests", name, len(requests))
			continue
		}
		r := requests[0]
		got := strings.TrimRight(fmt.Sprintf("%s %s %s", r.Kind, r.Declared.Tier, strings.Join(r.Targets, " ")), " ")
		if got != fill(c.want) || r.Editable != c.editable || r.Dir != fill(c.dir) || r.Origin.Agent != c.agent.Title || r.Origin.Protocol != "hook" {
			t.Errorf("%s: %q, editable %t, in %q, origin %+v", name, got, r.Editable, r.Dir, r.Origin)
		}
		if unsure := r.Unrevealed || r.Declared.Policy == gate.PolicyPrompt; unsure != c.unsure {
			t.Errorf("%s: it has a person asked: %t (%+v)", name, unsure, r.Declared)
		}
		if c.before+c.after != "" && (len(r.Diff) != 1 || string(r.Diff[0].Before) != c.before || string(r.Diff[0].After) != c.after) {
			t.Errorf("%s: %q", name, r.Diff)
		}
	}
}

// BEY-01: exactly what each agent is told. An agent that can't be told to ask
// is told no, unless it asks anyway; nothing is allowed by an answer that it
// doesn't know.
func TestAnswersOfAgents(t *testing.T) {
	no := Answer{Reason: "no", Stop: true}
	edited := Answer{Decision: Allow, Input: json.RawMessage(`{"command":"ls"}`)}
	ask := Answer{Decision: Ask, Reason: "why"}
	yes := Answer{Decision: Allow, Reason: "rule"}
	for _, c := range []struct {
		agent                    *Agent
		form                     string
		yes, edited, ask, denied string
	}{
		{
			Codex, codexPre, ``,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}`,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"this needs the user's approval (why) and no desk is open to ask at: have them start blitz-approve in another terminal, then try again"}}`,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`,
		},
		{
			Codex, codexRequest,
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}}`, // it can't be carried
			``,
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}`,
		},
		{
			Gemini, geminiBefore,
			`{"decision":"allow"}`,
			`{"decision":"allow","hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls"}}}`,
			`{"decision":"ask","reason":"why"}`,
			`{"decision":"deny","reason":"no","continue":false}`,
		},
		{
			Copilot, copilotPre,
			`{"permissionDecision":"allow"}`, `{"permissionDecision":"deny"}`,
			`{"permissionDecision":"ask","permissionDecisionReason":"why"}`,
			`{"permissionDecision":"deny","permissionDecisionReason":"no"}`,
		},
		{
			Copilot, copilotAsks,
			`{"behavior":"allow"}`, `{"behavior":"deny"}`, ``,
			`{"behavior":"deny","message":"no","interrupt":true}`,
		},
		{
			OpenCode, openCodeBefore,
			`{"decision":"allow"}`, `{"decision":"allow","input":{"command":"ls"}}`,
			`{"decision":"deny","reason":"this needs the user's approval (why) and no desk is open to ask at: have them start blitz-approve in another terminal, then try again"}`,
			`{"decision":"deny","reason":"no"}`,
		},
		{
			Cursor, strings.Replace(cursorShellForm, "%s", `"ls"%.0s`, 1),
			`{"permission":"allow"}`, `{"permission":"deny"}`, `{"permission":"ask","user_message":"why"}`,
			`{"permission":"deny","user_message":"no","agent_message":"no"}`,
		},
		{
			Cursor, strings.Replace(cursorReadForm, "%s", `"a"%.0s`, 1),
			`{"permission":"allow"}`, `{"permission":"deny"}`, `{"permission":"deny","user_message":"blitz-approve: no desk is open to ask you at: start blitz-approve in another terminal"}`,
			`{"permission":"deny","user_message":"no"}`,
		},
		{
			Cursor, cursorCallForm,
			`{"permission":"allow"}`, `{"permission":"deny"}`,
			`{"permission":"deny","user_message":"blitz-approve: no desk is open to ask you at: start blitz-approve in another terminal","agent_message":"this needs the user's approval (why) and no desk is open to ask at: have them start blitz-approve in another terminal, then try again"}`,
			`{"permission":"deny","user_message":"no","agent_message":"no"}`,
		},
	} {
		e := event(t, c.agent, strings.ReplaceAll(fmt.Sprintf(c.form, "x", "{}"), "$WS", "/w"))
		silent := ""
		if c.agent.explicit {
			silent = c.yes
		}
		for _, said := range []struct {
			answer Answer
			want   string
		}{{yes, c.yes}, {edited, c.edited}, {ask, c.ask}, {no, c.denied}, {Answer{Decision: Silent}, silent}} {
			var b strings.Builder
			if err := e.Write(&b, said.answer); err != nil || strings.TrimSpace(b.String()) != said.want {
				t.Errorf("%s %s: %s, %v\nand not %s", c.agent.Name, e.Name, b.String(), err, said.want)
			}
		}
		// A refusal always has a reason: some take one without for a fault.
		var b strings.Builder
		if err := e.Write(&b, Answer{}); err != nil || !strings.Contains(b.String(), "blitz-approve refused it") {
			t.Errorf("%s %s: %s", c.agent.Name, e.Name, b.String())
		}
	}
}

// What a person edited goes back in the agent's own words.
func TestEditedForAgents(t *testing.T) {
	e := event(t, Gemini, fmt.Sprintf(geminiBefore, "replace", `{"file_path":"/w/a","instruction":"i","old_string":"a","new_string":"b","allow_multiple":true}`))
	got, err := e.Edited(gate.Request{Diff: []gate.Change{{Path: "a", Before: []byte("x"), After: []byte("y")}}})
	want := `{"allow_multiple":false,"file_path":"/w/a","instruction":"i","new_string":"y","old_string":"x"}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

// Cursor comes once more for a command, a read and a tool of a server, and is
// told to go on the first time.
func TestCursorAsksLater(t *testing.T) {
	for tool, want := range map[string]bool{"Shell": true, "Read": true, "MCP:x": true, "Write": false, "Delete": false, "New": false} {
		e := event(t, Cursor, fmt.Sprintf(cursorCallForm, tool, "{}"))
		var b strings.Builder
		if err := e.Write(&b, Answer{Decision: Ask}); err != nil || e.AskedLater() != want || strings.Contains(b.String(), "allow") != want {
			t.Errorf("%s: %t, %s, %v", tool, e.AskedLater(), b.String(), err)
		}
	}
}

// Copilot comes twice: only the second time a person is asked.
func TestCopilotAsksLater(t *testing.T) {
	for tool, want := range map[string]bool{"bash": true, "create": true, "edit": true, "view": false, "web_fetch": false, "new": false} {
		if got := event(t, Copilot, fmt.Sprintf(copilotPre, tool, "{}")).AskedLater(); got != want {
			t.Errorf("%s: %t", tool, got)
		}
	}
	if event(t, Copilot, fmt.Sprintf(copilotAsks, "bash", "{}")).AskedLater() {
		t.Error("it is never asked")
	}
}

// Other events are not answered, and what is no event is an error.
func TestOtherEvents(t *testing.T) {
	for agent, text := range map[*Agent]string{
		Codex: `{"hook_event_name":"PostToolUse","tool_name":"Bash","cwd":"/w","tool_input":{}}`, Gemini: `{"hook_event_name":"AfterTool","tool_name":"x","cwd":"/w","tool_input":{}}`,
		Copilot: `{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{},"toolResult":{}}`,
	} {
		if event(t, agent, text).Answered() {
			t.Errorf("%s answers %s", agent.Name, text)
		}
	}
	for _, agent := range agents {
		for _, text := range []string{"", "[]", `{`, `{"hook_event_name":7,"hookName":7}`, `{"hook_event_name":"PreToolUse","hookName":"permissionRequest"}`} {
			if e, err := agent.ReadEvent(strings.NewReader(text)); err == nil && e.Answered() || err != nil && !errors.Is(err, ErrEvent) {
				t.Errorf("%s, %s: %+v, %v", agent.Name, text, e, err)
			}
		}
	}
}

// TestInstallForAgents: for each agent, twice is once, and taking it out leaves
// the file as it was.
func TestInstallForAgents(t *testing.T) {
	for _, agent := range agents {
		before := `{"hooks":{"Stop":[]},"z":1}`
		if agent.settings.file != "" {
			before = ""
		}
		text, err := agent.Install([]byte(before), "/opt/blitz-approve")
		if err != nil || json.Valid(text) != (agent != OpenCode) || !agent.Installed(text) || agent.Installed([]byte(before)) {
			t.Errorf("%s: %s, %v", agent.Name, text, err)
		}
		events := map[*Agent]int{Claude: 1, Codex: 2, Gemini: 1, Copilot: 2, Cursor: 4}[agent]
		if got := strings.Count(string(text), "'/opt/blitz-approve' hook "+agent.Name+" --limit 1h || "); got != events {
			t.Errorf("%s: %d hooks in %s", agent.Name, got, text)
		}
		if again, err := agent.Install(text, "/opt/blitz-approve"); err != nil || string(again) != string(text) {
			t.Errorf("%s: twice is %s, %v", agent.Name, again, err)
		}
		if out, err := agent.Uninstall(text); err != nil || string(out) != before {
			t.Errorf("%s: taken out is %s, %v", agent.Name, out, err)
		}
	}
	for _, agent := range []*Agent{Copilot, OpenCode} {
		if out, err := agent.Install([]byte(`{"version":1}`), "/opt/blitz-approve"); err == nil {
			t.Errorf("a file of somebody else's became %s", out)
		}
	}
	// Cursor's file has a version, which is nothing by itself.
	text, err := Cursor.Install(nil, "/opt/blitz-approve")
	if err != nil || !strings.HasPrefix(string(text), "{\n  \"version\": 1,\n  \"hooks\": {\n") || strings.Count(string(text), `"failClosed": true`) != 4 {
		t.Errorf("%s, %v", text, err)
	}
	if out, err := Cursor.Uninstall(text); err != nil || len(out) > 0 {
		t.Errorf("taken out is %s, %v", out, err)
	}
}
