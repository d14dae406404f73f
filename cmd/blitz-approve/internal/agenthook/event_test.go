package agenthook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TAM-01, TAM-13: a tool that isn't known is not taken for a shell because it
// has an argument "command". A deny rule for what it looks like still holds.
func TestUnknownToolIsNotAShell(t *testing.T) {
	var policy gate.Policy
	for effect, rule := range map[gate.Effect]string{gate.Allow: "shell(ls)", gate.Deny: "shell(rm)"} {
		if err := policy.AddRule(effect, rule, gate.Source{Layer: "global"}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gate.New(gate.Options{Workspace: "/w", Mode: gate.Auto, Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool, command string
		allowed       bool
		cause         string
	}{
		{"Bash", "ls -l", true, gate.CauseRuleAllow},
		{"PowerShell", "ls -l", false, gate.CauseNoApprover},
		{"SlashCommand", "ls", false, gate.CauseNoApprover},
		{"PowerShell", "rm -r x", false, gate.CauseRuleDeny},
	} {
		e, err := Claude.ReadEvent(strings.NewReader(fmt.Sprintf(
			`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":%q,"tool_input":{"command":%q}}`, c.tool, c.command)))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range e.Requests("/w") {
			if v := g.Decide(t.Context(), r); v.Allowed() != c.allowed || v.Cause != c.cause {
				t.Errorf("%s %q: %s, %s (%s)", c.tool, c.command, v.Effect, v.Cause, v.Reason)
			}
		}
	}
}

// P04: what a tool is given is shown as what it means, however it was encoded.
func TestArgumentsAreDecoded_P04(t *testing.T) {
	for _, tool := range []string{"mcp__gh__x", "WebSearch"} {
		e, err := Claude.ReadEvent(strings.NewReader(
			`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"` + tool + `","tool_input":{"query":"\u0072\u006d \u65e5\u672c"}}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Requests("/w")[0].Detail; got != "{\n  \"query\": \"rm 日本\"\n}" {
			t.Errorf("%s: %q", tool, got)
		}
	}
}
