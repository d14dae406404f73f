package agenthook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// APR-13, APR-15: no agent's search reads what a read rule keeps from it. To
// tell names is no reading.
func TestSearchesOfAgents(t *testing.T) {
	ws := t.TempDir()
	for _, name := range []string{".env", "src/a.go", "src/ca.pem", "docs/a.md"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(ws, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(ws, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var p gate.Policy
	for _, rule := range []string{"read(.env)", "read(**/*.pem)"} {
		if err := p.AddRule(gate.Deny, rule, gate.Source{Layer: "global"}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gate.New(gate.Options{Workspace: ws, Home: "/nobody", Mode: gate.Plan, Policy: p, Approver: gate.ApproverFunc(nil)})
	if err != nil {
		t.Fatal(err)
	}
	claude := `{"session_id":"s","cwd":"$WS","hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s}`
	for _, c := range []struct {
		agent             *Agent
		form, tool, input string
		want              gate.Effect
		says              string
	}{
		{Claude, claude, "Grep", `{"pattern":".","glob":".env","output_mode":"content"}`, gate.Deny, ".env may not be read"},
		{Claude, claude, "Grep", `{"pattern":".","glob":"*.ts, *.pem"}`, gate.Deny, "*.pem may not be read"},
		{Claude, claude, "Grep", `{"pattern":"."}`, gate.Ask, "glob '!.env' leaves it out"},
		{Claude, claude, "Grep", `{"pattern":".","path":"src"}`, gate.Ask, "src/ca.pem"},
		{Claude, claude, "Grep", `{"pattern":".","path":"src","glob":"!*.pem"}`, gate.Allow, ""},
		{Claude, claude, "Grep", `{"pattern":".","path":"src","glob":"!*.pem *.p*"}`, gate.Ask, "src/ca.pem"},
		{Claude, claude, "Grep", `{"pattern":".","path":"src","exclude":"*.pem"}`, gate.Ask, "src/ca.pem"},
		{Claude, claude, "Grep", `{"pattern":".","path":"docs"}`, gate.Allow, ""},
		{Claude, claude, "Grep", `{"pattern":".","glob":"*.go"}`, gate.Allow, ""},
		{Claude, claude, "Glob", `{"pattern":"**/.env"}`, gate.Allow, ""},
		{Claude, claude, "LS", `{"path":"$WS"}`, gate.Allow, ""},
		{Gemini, geminiBefore, "read_many_files", `{"include":[".env"]}`, gate.Deny, ".env may not be read"},
		{Gemini, geminiBefore, "read_many_files", `{"include":["**/*"]}`, gate.Ask, "may also read"},
		{Gemini, geminiBefore, "read_many_files", `{"include":["docs/*.md"]}`, gate.Allow, ""},
		{Gemini, geminiBefore, "read_many_files", `{"include":["src/*.PEM"]}`, gate.Ask, "src/ca.pem"},
		{Gemini, geminiBefore, "grep_search", `{"pattern":"x","include":".env"}`, gate.Deny, ".env may not be read"},
		{Gemini, geminiBefore, "grep_search", `{"pattern":"x","include_pattern":".env"}`, gate.Deny, ".env may not be read"},
		{Gemini, geminiBefore, "grep_search", `{"pattern":"x","exclude_pattern":"*.pem","dir_path":"src"}`, gate.Ask, "src/ca.pem"},
		{Gemini, geminiBefore, "glob", `{"pattern":"**/*"}`, gate.Allow, ""},
		{Gemini, geminiBefore, "list_directory", `{"dir_path":"$WS"}`, gate.Allow, ""},
		{OpenCode, openCodeBefore, "grep", `{"pattern":"x","include":".env"}`, gate.Deny, ".env may not be read"},
		{OpenCode, openCodeBefore, "grep", `{"pattern":"x"}`, gate.Ask, "include '!.env' leaves it out"},
		{OpenCode, openCodeBefore, "list", `{}`, gate.Allow, ""},
		{Copilot, copilotPre, "grep", `{"pattern":"x","glob":".env"}`, gate.Deny, ".env may not be read"},
		{Copilot, copilotPre, "grep", `{"pattern":"x","path":"src"}`, gate.Ask, "src/ca.pem"},
		{Cursor, cursorCallForm, "Grep", `{"pattern":"x","glob":".env"}`, gate.Deny, ".env may not be read"},
		{Cursor, cursorCallForm, "Grep", `{"pattern":"x","path":"$WS"}`, gate.Ask, "may also read"},
	} {
		said := strings.ReplaceAll(fmt.Sprintf(c.form, c.tool, c.input), "$WS", ws)
		for _, r := range event(t, c.agent, said).Requests(ws) {
			if v := g.Check(t.Context(), r); v.Effect != c.want || !strings.Contains(v.Reason, c.says) {
				t.Errorf("%s %s %s: %s, %q", c.agent.Name, c.tool, c.input, v.Effect, v.Reason)
			}
		}
	}
}
