package acp_test

import (
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// A message can't keep the gate busy: names are looked through once, however
// deep they lie.
func TestProxyReadsDeepMessages(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Yolo)
	b.session("s1")
	b.prompt("s1")
	const deep = 9000
	line := `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"sessionId":"s1","path":"/x","a":` +
		strings.Repeat(`{"a":`, deep) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat("}", deep) + `}}`
	b.agent.send(line)
	d := b.dialog()
	if shown := len(d.text()); shown > 3*len(line) {
		t.Errorf("%d bytes are shown as %d", len(line), shown)
	}
	b.choose(d, "Deny")
}

// TAM-24: no turn begins in a session that the gate doesn't know, whatever way
// it was opened, and ids that programs may write in another way go nowhere.
func TestProxyGuardsEachTurn_TAM24(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{}, gate.Default)
	b.session("s1")
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s2","prompt":[]}}`,
		`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s1"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"session/fork","params":{"sessionId":"s1"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":7}}`,
	} {
		b.editor.send(line)
		if got := b.editor.next(); !strings.Contains(got, `"id":2,"error"`) {
			t.Errorf("%s got %s", line, got)
		}
	}
	for _, id := range []string{"1.0", "1e0", "-0", "01", "9007199254740993"} {
		b.agent.send(`{"jsonrpc":"2.0","id":` + id + `,"result":{"sessionId":"s3"}}`)
		if got := b.agent.next(); !strings.Contains(got, `"id":null,"error"`) {
			t.Error(id, got)
		}
	}
}

// TAM-24: an argument that editors don't know says nothing about what they do,
// though tools of agents may have one of that name.
func TestProxyKnowsTheEditorsArguments_TAM24(t *testing.T) {
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{Rules: rules(t, gate.Allow, "shell(make)", "write(b)")}, gate.Default)
	b.session("s1")
	b.prompt("s1")
	for more, title := range map[string]string{
		`terminal/create","params":{"command":"make","directory":"/srv"`:                                     "Run `make`",
		`fs/write_text_file","params":{"content":"x","path":"` + b.dir + `/a","file_path":"` + b.dir + `/b"`: "Change `a`",
	} {
		b.agent.send(`{"jsonrpc":"2.0","id":1,"method":"` + more + `,"sessionId":"s1"}}`)
		d := b.dialog()
		if !strings.HasPrefix(d.Params.ToolCall.Title, title) || strings.Contains(d.text(), "Runs in") || !strings.Contains(d.text(), "other") {
			t.Error(d.Params.ToolCall.Title, d.text())
		}
		b.choose(d, "Deny")
		b.editor.next()
		b.agent.next()
	}
	b.agent.send(`{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s1","command":"make","cwd":"sub"}}`)
	if got := b.agent.next(); !strings.Contains(got, "must be absolute") {
		t.Error(got)
	}
}
