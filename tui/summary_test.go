package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TAM-22: with the list, the details of a call are one row, each by its first
// line; everything is behind ctrl+o, and an approval shows it first.
func TestSummary_TAM22(t *testing.T) {
	script := command("set -e\nrm -rf build\nmake")
	several := edit(4)
	several.Request.Targets = []string{"a.go", "b.go"}
	several.Request.Diff = append(several.Request.Diff, gate.Change{Path: "b.go", After: []byte("package b\n")})
	fields := command("make")
	fields.Request.Fields = []gate.Field{{Label: "shell", Value: "bash\nwith more"}, {Label: "timeout", Value: "30 s"}}
	fields.Request.Dir = "/elsewhere"
	long := command("echo " + strings.Repeat("x", 200) + "END")
	tool := command("")
	tool.Request.Kind, tool.Request.Server, tool.Request.Tool, tool.Request.Targets = gate.MCPTool, "db", "query", nil
	tool.Request.Detail = "{\n  \"sql\": \"drop table users\"\n}"
	for name, tt := range map[string]struct {
		prompt gate.Prompt
		row    string
		more   string // is behind ctrl+o; empty where the row says it all
	}{
		"whole":   {command("make test"), "run_command  make test", ""},
		"script":  {script, "run_command  set -e …", "rm -rf build"},
		"edit":    {pagerEdit(), "write_file   internal/pager/pager.go · +4 −1", "return p.total / p.size"},
		"several": {several, "write_file   a.go · b.go · a.go +4 −0 · b.go +1 −0", "package b"},
		"fields":  {fields, "run_command  make · shell: bash … · timeout: 30 s · in /elsewhere", "with more"},
		"long":    {long, "xxxxx…", "END"},
		"tool":    {tool, `mcp_tool     db:query · { "sql": "drop table users" }`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
				b.send(tea.WindowSizeMsg{Width: 80, Height: 40})
				id := b.ask(tt.prompt)
				b.settle()
				b.wantText(tt.row)
				if rows := b.lay.panel; rows > 5 {
					t.Errorf("it takes %d rows:\n%s", rows, b.text())
				}
				if tt.more == "" {
					b.wantText("▸ Approve")
					b.key("enter")
					b.wantAnswer(id, once)
					return
				}
				b.wantNoText(tt.more)
				b.wantText("▸ Show the rest", "ctrl+o all", "more line")
				b.key("ctrl+q") // shows it first (BEY-03)
				b.wantWaiting(id)
				b.wantText(tt.more)
				b.settle()
				b.key("ctrl+o") // and in short again, read
				b.settle()
				b.wantText(tt.row)
				b.wantNoText("Show the rest")
				b.key("enter")
				b.wantAnswer(id, once)
			})
		})
	}
}

// TAM-22: PgUp and PgDn read what ctrl+o shows; in short there is nothing more
// to page to.
func TestSummaryPages_TAM22(t *testing.T) {
	bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
		id := b.ask(edit(200))
		b.settle()
		b.key("pgdown", "pgdown")
		if w := b.queue.current(); w.offset != 0 || w.unseen() == 0 {
			t.Errorf("offset %d, %d unseen", w.offset, w.unseen())
		}
		b.key("ctrl+o")
		for range 40 {
			b.settle()
			b.key("pgdown")
		}
		b.settle()
		if n := b.queue.current().unseen(); n != 0 {
			t.Fatalf("%d rows weren't seen\n%s", n, b.text())
		}
		b.key("pgup")
		b.settle()
		b.key("enter")
		b.wantAnswer(id, once)
	})
}

// TAM-22: the row is made from the input that will run: of an edited command,
// the edited one.
func TestSummaryOfAnEdit_TAM22(t *testing.T) {
	bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
		p := command("make")
		p.Request.Editable, p.Revise = true, func(e gate.Edit) (gate.Prompt, error) { return command(e.Command), nil }
		b.ask(p)
		b.settle()
		b.key("f4")
		b.typing(" test")
		b.key("enter")
		b.settle()
		b.wantText("run_command  make test", "you edited")
	})
}

// Each of several agents has a mode of its own: what a request in short says of
// grants is that of the agent which asks.
func TestSummaryOfOneOfSeveral_TAM22(t *testing.T) {
	for _, mode := range []gate.Mode{gate.Default, gate.AlwaysAskCached} {
		bubble(t, Options{AnswerKeys: AnswerList, Several: true, Mode: gate.Default}, func(b *bench) {
			p := command("cat a.go")
			p.Verdict.Mode, p.Request.GrantTargets = mode, []gate.GrantTarget{{Kind: gate.GrantFile, Path: "/w/a.go"}}
			b.send(tea.WindowSizeMsg{Width: 80, Height: 40})
			b.asks(&Client{Agent: "one"}, p)
			b.settle()
			if says := strings.Contains(b.text(), "/w/a.go"); says != (mode == gate.AlwaysAskCached) {
				t.Errorf("in mode %v it says what is touched: %v\n%s", mode, says, b.text())
			}
		})
	}
}

// TAM-20: with the list, every command of a request has a key that doesn't
// type.
func TestEveryCommandWithTheList(t *testing.T) {
	k := newKeymap(Options{AnswerKeys: AnswerList})
	for _, b := range newKeymap(Options{})[requestScreen] {
		switch b.name {
		case "once", "session", "folder", "remember", "turn", "minutes", "always", "deny", // the list gives them
			"line-down", "line-up", "transcript-down", "transcript-up": // pages and the wheel do
			continue
		}
		found := false
		for _, c := range k[requestScreen] {
			found = found || c.name == b.name && !c.letter || c.name == b.name && len(c.keys[0]) > 1
		}
		if !found {
			t.Errorf("%s has no key", b.name)
		}
	}
}
