package acp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/gatetest"
)

// An argumentCase is one call and whether rules may allow it.
type argumentCase struct {
	name   string
	call   string // members of the tool call
	allow  bool
	target string // a target that the gate has to see
}

const (
	executes = `"kind":"execute","rawInput":`
	edits    = `"kind":"edit","rawInput":`
	reads    = `"kind":"read","rawInput":`
)

var argumentCases = []argumentCase{
	// What the known agents send stays with the rules.
	{"ordinary: a command", executes + `{"command":"ls"}`, true, "ls"},
	{"ordinary: Claude Code's command", executes + `{"command":"ls","description":"List","timeout":1000,"run_in_background":false,"dangerouslyDisableSandbox":false}`, true, "ls"},
	{"ordinary: Copilot's command", executes + `{"command":"ls","commands":["ls"],"description":"List","initial_wait":30}`, true, "ls"},
	{"ordinary: Codex's command", executes + `{"command":["go","test"],"cwd":"$WS"}`, true, "go test"},
	{"ordinary: opencode's command", executes + `{"command":"go test ./...","cwd":"$WS","description":"Test"}`, true, "go test ./..."},
	{"ordinary: empty arguments", executes + `{"command":"ls","cmd":"","env":{},"args":[],"stdin":null}`, true, "ls"},
	{"ordinary: one command twice", executes + `{"command":"ls","cmd":["ls"]}`, true, "ls"},
	{"ordinary: a new text", edits + `{"file_path":"docs/a","content":"x"}`, true, "docs/a"},
	{"ordinary: Copilot's edit", edits + `{"path":"$WS/docs/a","file_text":"x\n","fileName":"$WS/docs/a","diff":"\ndiff --git a$WS/docs/a b$WS/docs/a\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b$WS/docs/a\n@@ -1,0 +1,1 @@\n+x\n"}`, true, "docs/a"},
	{"ordinary: opencode's edit", edits + `{"content":"x\n","filePath":"$WS/docs/a","filepath":"$WS/docs/a","diff":"Index: $WS/docs/a\n===\n--- $WS/docs/a\n+++ $WS/docs/a\n@@ -0,0 +1,1 @@\n+x\n"},"content":[{"type":"diff","path":"$WS/docs/a","newText":"x\n"}]`, true, "docs/a"},
	{"ordinary: Claude Code's edit", edits + `{"replace_all":false,"file_path":"docs/a","old_string":"a","new_string":"b"},"content":[{"type":"diff","path":"docs/a","oldText":"a","newText":"b"}]`, true, "docs/a"},
	{"ordinary: a read", reads + `{"file_path":"f","offset":1,"limit":10}`, true, "f"},
	{"ordinary: Copilot's read", reads + `{"path":"f","view_range":[1,20]}`, true, "f"},
	{"ordinary: a search", `"kind":"search","rawInput":{"pattern":"a..b","path":".","glob":"*.go","-n":true}`, true, "."},
	{"ordinary: a page", `"kind":"fetch","rawInput":{"url":"https://go.dev/x","format":"text","timeout":3}`, true, "go.dev"},

	{"regression: two commands", executes + `{"command":"ls","cmd":"touch x"}`, false, "touch x"},
	{"regression: two commands, turned", executes + `{"cmd":"ls","command":"touch x"}`, false, "touch x"},
	{"regression: a second command that can't be read", executes + `{"cmd":"ls","command":{"run":"touch x"}}`, false, "ls"},
	{"regression: further commands", executes + `{"command":"ls","commands":["ls","touch x"]}`, false, "touch x"},
	{"regression: one name twice", executes + `{"command":"touch x","command":"ls"}`, false, "ls"},
	{"regression: another spelling", executes + `{"command":"ls","Command":"touch x"}`, false, "ls"},
	{"regression: PATH", executes + `{"command":"ls","env":{"PATH":"."}}`, false, "ls"},
	{"regression: a rule's command with PATH", executes + `{"command":"go test","env":{"PATH":"."}}`, false, "go test"},
	{"regression: a preloaded library", executes + `{"command":"ls","environment":{"LD_PRELOAD":"./x.so"}}`, false, "ls"},
	{"regression: another shell", executes + `{"command":"ls","shell":"python3"}`, false, "ls"},
	{"regression: input", executes + `{"command":"ls","stdin":"x"}`, false, "ls"},
	{"regression: a script", executes + `{"command":"ls","script":"touch x"}`, false, "ls"},
	{"regression: a command inside", executes + `{"command":"ls","input":{"command":"touch x"}}`, false, "ls"},
	{"regression: no sandbox", executes + `{"command":"ls","dangerouslyDisableSandbox":true}`, false, "ls"},
	{"regression: sandbox off", executes + `{"command":"ls","sandbox":false}`, false, "ls"},
	{"regression: args as a text", executes + `{"command":"ls","args":"; touch x"}`, false, "ls"},
	{"regression: args beside words", executes + `{"command":["ls"],"args":["x"]}`, false, "ls"},
	{"regression: two directories", executes + `{"command":"ls","cwd":"$WS","workdir":"/"}`, false, "ls"},
	{"regression: a timeout with parts", executes + `{"command":"ls","timeout":{"after":"touch x"}}`, false, "ls"},
	{"regression: a command and a change", executes + `{"command":"ls"},"content":[{"type":"diff","path":"/etc/x","newText":"x"}]`, false, "ls"},

	{"regression: changes of other files", edits + `{"file_path":"docs/a","content":"x","changes":{"/etc/b":{"add":"x"}}}`, false, "/etc/b"},
	{"regression: edits of other files", edits + `{"file_path":"docs/a","content":"x","edits":[{"file_path":"/etc/x","new_string":"x"}]}`, false, "/etc/x"},
	{"regression: edits of other files, another spelling", edits + `{"file_path":"docs/a","content":"x","Edits":[{"deep":[{"FilePath":"/etc/x"}]}]}`, false, "/etc/x"},
	{"regression: edits of the same file", edits + `{"file_path":"docs/a","content":"x","edits":[{"old_string":"a","new_string":"b"}]}`, false, "docs/a"},
	{"regression: a list of paths", edits + `{"file_path":"docs/a","content":"x","paths":["/etc/x"]}`, false, "/etc/x"},
	{"regression: a path that is a list", edits + `{"file_path":"docs/a","content":"x","path":["/etc/x"]}`, false, "/etc/x"},
	{"regression: a patch of another file", edits + `{"file_path":"docs/a","patch":"--- /etc/x\n+++ /etc/x\n@@ -0,0 +1,1 @@\n+x\n"},"content":[{"type":"diff","path":"docs/a","newText":"x"}]`, false, "/etc/x"},
	{"regression: a second patch", edits + `{"file_path":"docs/a","diff":"--- docs/a\n+++ docs/a\n@@ -0,0 +1,1 @@\n+x\n","patch":"--- /etc/x\n+++ /etc/x\n@@ -0,0 +1,1 @@\n+x\n"}`, false, "/etc/x"},
	{"regression: a patch that renames", edits + `{"file_path":"docs/a","patch":"--- docs/a\n+++ docs/a\n@@ -0,0 +1,1 @@\n+x\n\ndiff --git a/etc/x b/docs/b\nrename from etc/x\nrename to docs/b\n"}`, false, "docs/a"},
	{"regression: a patch in another language", edits + `{"file_path":"docs/a","patch":"*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch"}`, false, "docs/a"},
	{"regression: an edit with a command", edits + `{"file_path":"docs/a","content":"x","command":"touch x"}`, false, "docs/a"},
	{"regression: two texts", edits + `{"file_path":"docs/a","content":"x","new_string":"y","old_string":""}`, false, "docs/a"},
	{"regression: an edit of words without names", edits + `["/etc/x","x"],"content":[{"type":"diff","path":"docs/a","newText":"x"}]`, false, "docs/a"},
	{"regression: a move with two ends", `"kind":"move","rawInput":{"from":"docs/a","to":"docs/b","destination":"/etc/x"}`, false, "/etc/x"},
	{"regression: a deletion with a change", `"kind":"delete","rawInput":{"path":"docs/a"},"content":[{"type":"diff","path":"/etc/x","newText":"x"}]`, false, "/etc/x"},

	{"regression: a read that writes", reads + `{"file_path":"f","content":"x"}`, false, "f"},
	{"regression: a read that replaces", reads + `{"file_path":"f","old_string":"a","new_string":"b"}`, false, "f"},
	{"regression: a read with edits", reads + `{"file_path":"f","edits":[{"path":"/etc/x","newText":"x"}]}`, false, "/etc/x"},
	{"regression: a read with a patch", reads + `{"file_path":"f","patch":"x"}`, false, "f"},
	{"regression: a search elsewhere", `"kind":"search","rawInput":{"pattern":"a","path":".","glob":"/etc/*"}`, false, "."},
	{"regression: a read with parts", reads + `{"file_path":"f","limit":{"then":"write"}}`, false, "f"},
	{"regression: a page that is sent to", `"kind":"fetch","rawInput":{"url":"https://go.dev/x","method":"POST","body":"x"}`, false, "go.dev"},
}

// TestArguments: what the gate doesn't understand about a call is never
// settled by an allow rule, by what is read-only by default, or by the mode,
// yolo included, and is not remembered (APR-15, BEY-02).
func TestArguments(t *testing.T) {
	for _, mode := range []gate.Mode{gate.Default, gate.Yolo} {
		for _, c := range argumentCases {
			t.Run(fmt.Sprintf("%s/%s", mode, c.name), func(t *testing.T) { c.check(t, mode) })
		}
	}
}

func (c argumentCase) check(t *testing.T, mode gate.Mode) {
	ws := t.TempDir()
	var policy gate.Policy
	for _, rule := range []string{"shell(go test)", "write(docs/**)", "web(go.dev)"} {
		if err := policy.AddRule(gate.Allow, rule, gate.Source{Layer: "flag"}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gate.New(gate.Options{Workspace: ws, Policy: policy, Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	seen := decideCall(t, g, ws, c.call)
	allowed := true
	for _, v := range seen {
		allowed = allowed && v.Allowed()
		if q := v.Request; !c.allow && q.Kind != gate.MCPTool && q.Key != "" {
			t.Errorf("it can be remembered: %q", q.Key)
		}
	}
	if allowed != c.allow {
		t.Errorf("allowed: %v; the gate said %s (%s), targets %q", allowed, seen[0].Cause, seen[0].Reason, seen[0].Request.Targets)
	}
	if !slices.ContainsFunc(seen, func(v gate.Verdict) bool { return slices.Contains(v.Request.Targets, c.target) }) {
		t.Errorf("the gate didn't see %q", c.target)
	}
}

// A pattern for names of files is a search like any other, unless it leads out
// of the folder; so it is where only the agent's own way tells the tool's name.
func TestPatternsElsewhere(t *testing.T) {
	ws := t.TempDir()
	g, err := gate.New(gate.Options{Workspace: ws, Mode: gate.Default})
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]bool{
		"**/*.go": true, "$WS/**/*.go": true, "src/*.{ts,tsx}": true, "*": true,
		"/etc/*": false, "~/.ssh/*": false, "../*": false, "a/{x,../..}/*": false, "$WS/../*": false, "{a,/etc}/*": false, "$WSx/*": false,
	} {
		asks := func(rest string) string {
			return `"kind":"search","rawInput":{"pattern":"` + pattern + `","path":"."}` + rest
		}
		for name, seen := range map[string][]gate.Verdict{
			"by its name":      decideCall(t, g, ws, asks(`,"name":"Glob"`)),
			"by the call's id": decideCallOf(t, g, ws, acp.Preset{ToolInCallID: true}, "glob__1", asks("")),
		} {
			if seen[0].Allowed() != want {
				t.Errorf("%s %s: %s (%s)", pattern, name, seen[0].Effect, seen[0].Reason)
			}
		}
		if seen := decideCall(t, g, ws, asks(`,"name":"Grep"`)); !seen[0].Allowed() {
			t.Errorf("%s is searched for in files: %s", pattern, seen[0].Reason)
		}
	}
}

// decideCall puts one call before a gate where nobody can be asked.
func decideCall(t *testing.T, g *gate.Gate, ws, call string) (seen []gate.Verdict) {
	t.Helper()
	return decideCallOf(t, g, ws, acp.Preset{}, "c", call)
}

func decideCallOf(t *testing.T, g *gate.Gate, ws string, preset acp.Preset, id, call string) (seen []gate.Verdict) {
	t.Helper()
	var mu sync.Mutex
	h, p := open(t, acp.Options{Workspace: ws, Preset: preset, Decide: func(ctx context.Context, q gate.Request) gate.Verdict {
		v := g.Decide(ctx, q)
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, v)
		return v
	}})
	ended := prompt(t, h, p)
	p.send(strings.ReplaceAll(`{"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"`+id+`",`+call+`},"options":`+options+`}}`, "$WS", ws))
	if _, err := p.in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) == 0 {
		t.Fatal("the gate wasn't asked")
	}
	return seen
}

// APR-13, APR-15: a search that an agent asks for is one that reads, too.
func TestSearchReadsNothingDenied(t *testing.T) {
	ws := t.TempDir()
	if err := os.WriteFile(filepath.Join(ws, ".env"), []byte("KEY=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := gatetest.New(t, gate.Options{Workspace: ws, Mode: gate.Yolo, Policy: gatetest.Rules(t, "deny read(.env)")}, gate.Refuse)
	for _, c := range []struct {
		call string
		want gate.Effect
	}{
		{`"kind":"search","rawInput":{"pattern":".","path":".","glob":".env"}`, gate.Deny},
		{`"kind":"read","rawInput":{"path":".","include":[".env"]}`, gate.Deny},
		{`"kind":"search","rawInput":{"pattern":".","path":".","glob":"*.go"}`, gate.Allow},
		{`"kind":"search","rawInput":{"pattern":".","path":"."}`, gate.Deny}, // the person's word
	} {
		if v := decideCall(t, g.Gate, ws, c.call)[0]; v.Effect != c.want {
			t.Errorf("%s: %s, %s", c.call, v.Effect, v.Reason)
		}
	}
	if n := g.Person.Left(); n != 0 {
		t.Error("nobody was asked about the whole folder")
	}
}
