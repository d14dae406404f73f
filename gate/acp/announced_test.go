package acp_test

import (
	"fmt"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// BEY-01: a call counts as announced from the agent's word of it until the agent
// asks about it or says how it ended, or the turn is cancelled; in no other
// session, and not while the agent is in a mode in which it doesn't ask.
func TestAnnounced_BEY01(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{Preset: acp.Preset{Name: "x", Loose: []string{"free"}}}, gate.Policy{}, gate.Default)
	b.session("s1")
	b.prompt("s1")
	update := func(what string) {
		t.Helper()
		// The second line comes through when the first one has been heard.
		for _, line := range []string{what, `"sessionUpdate":"what"`} {
			line = fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{%s}}}`, line)
			b.agent.send(line)
			for got := ""; got != line; { // a warning may come between
				got = b.editor.next()
			}
		}
	}
	is := func(session, want string) {
		t.Helper()
		got := ""
		for _, c := range b.proxy.Announced(session) {
			got += c.ID + " "
		}
		if got != want {
			t.Errorf("%s: %q, not %q", session, got, want)
		}
	}
	is("s1", "")
	update(`"sessionUpdate":"tool_call","toolCallId":"c1","kind":"execute","status":"pending","rawInput":{"command":"ls"}`)
	update(`"sessionUpdate":"tool_call","toolCallId":"c2","status":"in_progress"`)
	update(`"sessionUpdate":"tool_call","toolCallId":"c3"`)
	is("s1", "c1 c2 c3 ")
	is("s2", "")
	is("", "")
	update(`"sessionUpdate":"tool_call_update","toolCallId":"c2","status":"completed"`)
	is("s1", "c1 c3 ")
	update(`"sessionUpdate":"current_mode_update","currentModeId":"free"`)
	is("s1", "")
	update(`"sessionUpdate":"current_mode_update","currentModeId":"careful"`)
	is("s1", "c1 c3 ")
	b.agent.send(askFor("1", "s1", "ls >x"))
	b.choose(b.dialog(), "Deny")
	b.agent.expect(selectedBy("1", "no"))
	is("s1", "c3 ")
	const cancel, ended = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`, `{"jsonrpc":"2.0","id":"turn-s1","result":{"stopReason":"cancelled"}}`
	b.editor.send(cancel)
	b.agent.expect(cancel)
	b.agent.send(ended)
	for got := ""; got != ended; { // the ends of the cards come before
		got = b.editor.next()
	}
	is("s1", "")
}
