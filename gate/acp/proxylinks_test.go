package acp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// BEY-02: leave to write a file is none for what a link of its name leads to
// later.
func TestProxyLeaveFollowsNoLink_BEY02(t *testing.T) {
	b := inTurn(t)
	file, elsewhere := filepath.Join(b.dir, "new.txt"), filepath.Join(t.TempDir(), "startup")
	ask := fmt.Sprintf(`{"jsonrpc":"2.0","id":6,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"e","kind":"edit",`+
		`"content":[{"type":"diff","path":%q,"newText":"x"}]},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`, file)
	b.agent.send(ask)
	d := b.dialog()
	link := func() {
		t.Helper()
		if err := os.Symlink(elsewhere, file); err != nil {
			t.Fatal(err)
		}
	}
	link()
	b.choose(d, "Approve once")
	if said := b.editor.next(); !strings.Contains(said, "changed while it waited") {
		t.Error("a link came while it was asked:", said)
	}
	d = b.dialog()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	b.choose(d, "Approve once")
	b.editor.next()
	b.choose(b.dialog(), "Approve once")
	b.agent.expect(selectedBy("6", "yes"))
	link()
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"fs/write_text_file","params":{"sessionId":"s1","path":%q,"content":"x"}}`, file))
	b.choose(b.dialog(), "Deny")
}

// TAM-10: behind a link, .. leads where the link does. A path through one is
// judged by both ways to read it, and a person is asked.
func TestProxyDotsBehindLinks_TAM10(t *testing.T) {
	elsewhere := t.TempDir()
	b := newBetween(t, acp.ProxyOptions{}, gate.Policy{Rules: append(rules(t, gate.Allow, "write(**)", "shell(make)"), rules(t, gate.Deny, "read("+elsewhere+"/f)")...)}, gate.Default)
	b.session("s1")
	b.prompt("s1")
	if err := os.Mkdir(filepath.Join(elsewhere, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, "sub"), filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	file := b.dir + "/link/../f"
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":6,"method":"fs/read_text_file","params":{"sessionId":"s1","path":%q}}`, file))
	b.editor.next() // is told
	if got := b.agent.next(); !strings.Contains(got, "may not be read") {
		t.Error(got)
	}
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"fs/write_text_file","params":{"sessionId":"s1","path":%q,"content":"x"}}`, b.dir+"/link/../g"))
	d := b.dialog()
	if !strings.Contains(d.text(), "`"+filepath.Join(elsewhere, "g")+"`") {
		t.Error(d.text())
	}
	b.choose(d, "Deny")
	b.editor.next()
	b.agent.next()
	b.agent.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":8,"method":"terminal/create","params":{"sessionId":"s1","command":"make","args":[],"cwd":%q}}`, b.dir+"/link/.."))
	if d := b.dialog(); !strings.Contains(d.text(), "Runs in: `"+b.dir+"/link/..`") {
		t.Error(d.text())
	}
}
