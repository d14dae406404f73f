package agenthook

import (
	"fmt"
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// APR-15, TAM-01: what starts an agent or a skill names it, so that rules can
// refuse it, and to start an agent is exec.
func TestStarted(t *testing.T) {
	claude := `{"session_id":"s","cwd":"$WS","hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s}`
	for _, c := range []struct {
		agent             *Agent
		form, tool, input string
		want              []string
		tier              gate.Tier
		gated             bool
	}{
		{Claude, claude, "Agent", `{"subagent_type":"explorer","name":"x","prompt":"look"}`, []string{"explorer"}, gate.Exec, true},
		{Claude, claude, "Task", `{"subagent_type":"explorer"}`, []string{"explorer"}, gate.Exec, true},
		{Claude, claude, "Agent", `{"description":"look","prompt":"look"}`, []string{"general-purpose"}, gate.Exec, true},
		{Claude, claude, "Agent", `{"subagent_type":"","prompt":"look"}`, []string{"general-purpose"}, gate.Exec, true},
		{Claude, claude, "Task", `{"id":"7"}`, nil, gate.Exec, true},
		{Claude, claude, "Skill", `{"skill":"deploy"}`, []string{"deploy"}, gate.Exec, false},
		{Claude, claude, "TodoWrite", `{"skill":"deploy"}`, nil, gate.Read, false},
		{OpenCode, openCodeBefore, "task", `{"subagent_type":"explorer","command":"ls"}`, []string{"explorer"}, gate.Exec, true},
		{OpenCode, openCodeBefore, "skill", `{"skill":"fine","name":"deploy"}`, []string{"fine", "deploy"}, gate.Read, false},
		{Gemini, geminiBefore, "invoke_agent", `{"agent_name":"explorer"}`, []string{"explorer"}, gate.Exec, true},
		{Gemini, geminiBefore, "activate_skill", `{"name":"deploy"}`, []string{"deploy"}, gate.Read, false},
		{Copilot, copilotPre, "task", `{"agent_type":"explorer","name":"x"}`, []string{"explorer"}, gate.Exec, true},
		{Cursor, cursorCallForm, "Task", `{"subagent_type":"explorer"}`, []string{"explorer"}, gate.Exec, true},
	} {
		r := event(t, c.agent, fmt.Sprintf(c.form, c.tool, c.input)).Requests("/w")[0]
		if !slices.Equal(r.Targets, c.want) || r.Declared.Tier != c.tier || r.Gated != c.gated || r.Kind != gate.NoKind {
			t.Errorf("%s %s %s: %q, %s, %v", c.agent.Name, c.tool, c.input, r.Targets, r.Declared.Tier, r.Gated)
		}
	}
}
