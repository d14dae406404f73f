package acp_test

import (
	"fmt"
	"strings"
	"testing"
)

// TAM-24: while a dialog is open, the agent can't put other words on its card.
// What it says about the call meanwhile comes after the answer, in its order.
func TestProxyDialogStays_TAM24(t *testing.T) {
	b := inTurn(t)
	b.agent.send(askFor("2", "s1", "touch x"))
	d := b.dialog()
	update := func(session, call, kind, more string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":%q,"toolCallId":%q,"title":"Read the README"%s}}}`, session, kind, call, more)
	}
	held := []string{
		update("s1", "c2", "tool_call_update", ""), update("s1", "c2", "tool_call", ""),
		update("s1", "other", "tool_call", `,"ToolCallId":"c2"`),
		update("s9", "other", "tool_call", `,"toolCallId":"c2"`),
	}
	for _, line := range held {
		b.agent.send(line)
	}
	free := update("s1", "c3", "tool_call", "")
	b.agent.send(free)
	b.editor.expect(free)
	b.choose(d, "Deny")
	b.agent.expect(selectedBy("2", "no"))
	for _, line := range held {
		b.editor.expect(line)
	}
	again := update("s1", "c2", "tool_call_update", "")
	b.agent.send(again)
	b.editor.expect(again)
}

// TAM-24: two requests about one call are two dialogs, one after the other: the
// second must not replace what the first shows.
func TestProxyOneDialogACard_TAM24(t *testing.T) {
	b := inTurn(t)
	ask := func(id, command string) string {
		return strings.Replace(askFor(id, "s1", command), `"toolCallId":"c`+id+`"`, `"toolCallId":"c"`, 1)
	}
	b.agent.send(ask("1", "touch a"))
	first := b.dialog()
	b.agent.send(ask("2", "touch b"))
	for i := range 20 { // time enough for it to come
		b.agent.send(askFor(fmt.Sprint(10+i), "s1", "touch c"))
		if d := b.dialog(); d.Params.ToolCall.ToolCallID == "c" {
			t.Error("two dialogs on one card")
		}
	}
	b.choose(first, "Deny")
	if second := b.dialog(); second.Params.ToolCall.Title == first.Params.ToolCall.Title {
		t.Error(second.Params.ToolCall.Title)
	} else {
		b.choose(second, "Deny")
	}
	for range 2 {
		if got := b.agent.next(); !strings.Contains(got, `"no"`) {
			t.Error(got)
		}
	}
}

// BEY-01: the editor shows its dialogs in the order in which the agent asked.
func TestProxyDialogsInOrder_BEY01(t *testing.T) {
	b := inTurn(t)
	const n = 30
	for i := range n {
		b.agent.send(askFor(fmt.Sprint(i), "s1", "touch x"))
	}
	for i := range n {
		if got := b.dialog().Params.ToolCall.ToolCallID; got != fmt.Sprint("c", i) {
			t.Errorf("%d. is %s", i+1, got)
		}
	}
}
