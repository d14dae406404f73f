package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// wide is a command whose prompt offers rules.
func wide() gate.Prompt {
	p := command("go test ./pager")
	p.Saves = "cmd:/w\x00go test ./pager"
	p.Widths = []gate.Width{
		{Rule: `shell(/go test \./pager/)`, Label: "exactly this command", Exact: true},
		{Rule: "shell(go test ./pager *)", Label: "go test ./pager, whatever follows"},
		{Rule: "shell(go test *)", Label: "go test, whatever follows", Widest: "a wider rule would let go do something else"},
	}
	return p
}

func pastOf(rule string) PastMatches {
	if rule != "shell(go test *)" {
		return PastMatches{Calls: 3, Samples: []PastCall{{Target: "go test ./pager"}}}
	}
	return PastMatches{Calls: 12, Refused: 1, Samples: []PastCall{
		{Target: "go test -exec ./wipe ./...", Refused: true}, {Target: "go test ./pager"}, {Target: "go test ./cart"}, {Target: "go test -run TestPages ./pager"}, {Target: "go test ./..."}}}
}

// BEY-08: a lists all that may be saved, the narrowest first and chosen, with the
// past calls of each, and shows what is chosen in its own form and where it goes;
// arrows move, Tab changes the place, and only Enter saves.
func TestAlwaysChoosesHowWide(t *testing.T) {
	bubble(t, Options{Past: pastOf}, func(b *bench) {
		p := wide()
		p.SavedIn = map[gate.RulePlace]string{"": "~/approvals.json", gate.GlobalRules: "~/settings.toml"}
		id := b.ask(p)
		b.settle()
		b.key("a")
		b.drain()
		b.wantText("(•) this workspace  ( ) every workspace  ( ) 15 minutes  ( ) this turn",
			"  ▸ exactly this command", "    go test ./pager, whatever follows", "    go test, whatever follows",
			"will be saved  go test ./pager\n", "your saved approvals for /w · ~/approvals.json", "3 past calls", "12 past calls, 1 refused")
		b.key("up")
		b.wantText("nothing narrower is offered")
		b.key("down", "right")
		b.wantText("▸ go test, whatever follows", "shell(go test *)", "a pattern with wildcards", "refused: go test -exec ./wipe ./...",
			"nothing wider is offered: a wider rule would let go do something else", "your own settings for this workspace\n")
		b.key("right")
		b.wantText("nothing wider is offered: a wider rule would let go do something else", "▸ go test, whatever follows")
		b.key("tab")
		b.wantText("(•) every workspace", "▸ go test, whatever follows", "your settings for every workspace · ~/settings.toml")
		b.key("up", "up")
		b.wantText("▸ exactly this command", `shell(/go test \./pager/)`, "a regular expression")
		b.key("down", "down")
		b.wantWaiting(id)
		b.settle()
		b.key("enter")
		b.wantAnswer(id, gate.Answer{Decision: gate.Always, Rule: "shell(go test *)", Place: gate.GlobalRules})
	})
}

// BEY-08: what a key covers has its place among the rules: all edits of a
// workspace are wider than any of them, and a host is as wide as its narrowest rule.
func TestAlwaysOrdersKeysAmongRules(t *testing.T) {
	for name, row := range map[string]struct {
		kind  gate.Kind
		rules []string
		want  []string
		last  gate.Answer
	}{
		"a write":     {gate.WriteFile, []string{"this file", "everything below src"}, []string{"▸ this file", "  everything below src", "  all file edits in this workspace"}, gate.Answer{Decision: gate.Always}},
		"a deletion":  {gate.DeleteFile, []string{"this file"}, []string{"▸ this file", "  all file deletions in this workspace"}, gate.Answer{Decision: gate.Always}},
		"a host":      {gate.Network, []string{"this host"}, []string{"▸ this host"}, gate.Answer{Decision: gate.Always, Rule: "rule0", Place: gate.WorkspaceRules}},
		"no rules":    {gate.Network, nil, []string{"(•) every workspace", "▸ fetches from a.org"}, gate.Answer{Decision: gate.Always}},
		"only a line": {gate.RunCommand, nil, []string{"(•) this workspace", "▸ exactly this command"}, gate.Answer{Decision: gate.Always}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				p := command("ls")
				p.Request.Kind, p.Request.KeyLabel = row.kind, "fetches from a.org"
				for i, label := range row.rules {
					p.Widths = append(p.Widths, gate.Width{Rule: fmt.Sprint("rule", i), Label: label})
				}
				id := b.ask(p)
				b.settle()
				b.key("a")
				b.wantText(row.want...)
				if n := strings.Count(b.text(), "\n    ") + 1; n < len(row.rules) {
					t.Errorf("%d rows", n)
				}
				for range row.want {
					b.key("down")
				}
				b.settle()
				b.key("enter")
				b.wantAnswer(id, row.last)
			})
		})
	}
}

// BEY-08: past calls are counted one rule after the other, what is chosen first, and
// no more once the panel is closed: each count reads the whole log.
func TestPastCallsAreCountedInTurn(t *testing.T) {
	var asked chan string // in the bubble
	var answer chan struct{}
	past := func(rule string) PastMatches { asked <- rule; <-answer; return PastMatches{Calls: 1} }
	bubble(t, Options{Past: past}, func(b *bench) {
		asked, answer = make(chan string), make(chan struct{})
		b.ask(wide())
		b.settle()
		b.key("a")
		b.wantText("…")
		b.key("down", "down")
		for _, want := range []string{`shell(/go test \./pager/)`, "shell(go test *)"} {
			if got := <-asked; got != want {
				t.Errorf("%s is counted, and not %s", got, want)
			}
			b.wantNoText("2 past")
			if want == "shell(go test *)" {
				b.key("esc")
			}
			answer <- struct{}{}
			b.drain()
		}
		select {
		case rule := <-asked:
			t.Errorf("%s is counted for nobody", rule)
		default:
		}
	})
}

// The last row of what would be saved names only keys that do something with what
// is chosen, and nothing there reads on in the request.
func TestSavingNamesItsKeys(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.ask(wide())
		b.settle()
		b.key("a")
		b.wantNoText("ctrl+o")
		b.wantText("Enter save and approve   ↓ wider   tab where   Esc back")
		b.key("right")
		b.wantText("↑ narrower   ↓ wider")
		b.key("right")
		b.wantText("approve   ↑ narrower   tab where")
		b.key("tab", "tab")
		b.wantText("(•) 15 minutes", "Enter approve so   tab where   Esc back")
	})
	bubble(t, Options{}, func(b *bench) {
		p := wide()
		p.Widths = p.Widths[:1]
		p.Verdict.Offers = []gate.Decision{gate.Once, gate.Always}
		b.ask(p)
		b.settle()
		b.key("a")
		b.wantText("(•) this workspace", "Enter save and approve   tab where")
	})
	bubble(t, Options{}, func(b *bench) {
		b.ask(edit(14))
		b.settle()
		for range 3 {
			b.key("pgdown")
			b.wait(2 * paintTime)
		}
		b.key("a")
		b.wantText("more line", "will be saved")
		b.wantNoText("PgDn")
		b.wantNoText("ctrl+o")
	})
}

// BEY-08: the rules for a line of several commands are shown one by one, with
// the commands that they are for, and saved together; where none is offered, the
// reason is said.
func TestAlwaysForALine(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := command("make c && go vet && ls")
		p.Verdict.Offers = []gate.Decision{gate.Once}
		p.Widths = []gate.Width{{Rule: "shell(/make c/)\nshell(go vet *)", Label: "exactly make c\ngo vet, whatever follows", Of: "make c, go vet"}}
		id := b.ask(p)
		b.settle()
		b.key("a")
		b.settle()
		b.wantText("make c, go vet; the rest is allowed already", "exactly make c", "go vet, whatever follows", "shell(/make c/)", "shell(go vet *)")
		b.key("enter")
		b.wantAnswer(id, gate.Answer{Decision: gate.Always, Rule: p.Widths[0].Rule, Place: gate.WorkspaceRules})
	})
	bubble(t, Options{}, func(b *bench) {
		p := command("make > out")
		p.Saves, p.Unruled = "cmd:/w\x00make > out", "it writes a file by redirection"
		b.ask(p)
		b.settle()
		b.key("a", "right")
		b.wantText("nothing wider is offered: it writes a file by redirection")
	})
}

// TAM-21: what is typed at what would be saved, such as fg for a shell, means
// something else, and so does the Enter behind it.
func TestTypingAtAlwaysSavesNothing(t *testing.T) {
	bubble(t, Options{Past: pastOf}, func(b *bench) {
		id := b.ask(wide())
		b.settle()
		b.key("a")
		b.settle()
		b.key("f", "g", "enter")
		b.wantWaiting(id)
		b.send(tea.PasteMsg{Content: "fg"})
		b.key("enter")
		b.wantWaiting(id)
		b.settle()
		b.key("enter")
		b.wantAnswer(id, gate.Answer{Decision: gate.Always})
	})
}

// BEY-08: for a call of an MCP tool the rule for that tool comes first, and the
// one for the whole server says what else it covers, to its last word.
func TestAlwaysForAServerSaysHowWide(t *testing.T) {
	nobody := gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{}, nil })
	g, err := gate.New(gate.Options{Workspace: "/w", Mode: gate.Default, Approver: nobody})
	if err != nil {
		t.Fatal(err)
	}
	p := wide()
	p.Request = gate.MCPRequest("production-database", "query")
	p.Verdict.Offers, p.Widths = []gate.Decision{gate.Once, gate.Session}, g.Widths(p.Request)
	bubble(t, Options{}, func(b *bench) {
		b.ask(p)
		b.settle()
		b.key("a")
		b.wantText("(•) this workspace", "mcp(production-database:query)", "this tool of production-database, whatever it is called with")
		b.key("right")
		b.wantText("mcp(production-database:*)", "every tool of production-database, also one that deletes, and those that")
		b.wantText("it gets later")
	})
}

// BEY-07, BEY-08: how long is chosen in the same line, so that the list of
// answers without letters has it too.
func TestAlwaysChoosesHowLong(t *testing.T) {
	for _, row := range []struct {
		keys []string
		want gate.Answer
	}{
		{nil, gate.Answer{Decision: gate.Always}},
		{[]string{"shift+tab"}, gate.Answer{Decision: gate.Turn}},
		{[]string{"shift+tab", "shift+tab"}, gate.Answer{Decision: gate.Until, For: 15 * time.Minute}},
		{[]string{"down"}, gate.Answer{Decision: gate.Always, Rule: "shell(go test ./pager *)", Place: gate.WorkspaceRules}},
		{[]string{"tab"}, gate.Answer{Decision: gate.Always, Rule: `shell(/go test \./pager/)`, Place: gate.GlobalRules}},
	} {
		bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
			id := b.ask(wide())
			b.settle()
			b.key("down", "down", "enter") // Approve, session, Always…
			b.settle()
			b.key(row.keys...)
			b.settle()
			b.key("enter")
			b.wantAnswer(id, row.want)
		})
	}
}

// BEY-08: a change of what would be saved has to be looked at before Enter
// saves it, and Esc saves nothing.
func TestWhatIsSavedArms(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(wide())
		b.settle()
		b.key("a")
		b.settle()
		b.key("right", "enter")
		b.wantWaiting(id)
		b.wantText("came too early")
		b.settle()
		b.key("esc")
		b.wantWaiting(id)
		b.wantNoText("will be saved")
	})
}

// BEY-07: t and m answer for a while, held and armed like every letter, and
// only where s does.
func TestKeysForAWhile(t *testing.T) {
	for key, want := range map[string]gate.Answer{"t": {Decision: gate.Turn}, "m": {Decision: gate.Until, For: 15 * time.Minute}} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(command("ls"))
			b.key(key)
			b.wantWaiting(id)
			b.settle()
			b.key(key)
			b.wantAnswer(id, want)
		})
		bubble(t, Options{}, func(b *bench) {
			p := command("ls")
			p.Verdict.Offers = []gate.Decision{gate.Once}
			p.Verdict.Forced = true
			id := b.ask(p)
			b.settle()
			b.key(key)
			b.wantWaiting(id)
			b.wantText("this is asked each time")
		})
	}
	// No burst of typing answers: the words go to the draft.
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.typing("tm")
		b.settle()
		b.wantWaiting(id)
		if got := b.field().value(); got != "tm" {
			t.Errorf("the draft is %q", got)
		}
	})
}

// BEY-07: the header counts down, with no more ticks than it takes, and one
// key revokes.
func TestCountdown(t *testing.T) {
	revoked := 0
	bubble(t, Options{Revoke: func() { revoked++ }}, func(b *bench) {
		end := time.Now().Add(2*time.Minute + 30*time.Second)
		b.send(TimedApprovals{[]gate.Approved{{Label: "go test ./...", Until: end}, {Label: "file edits", Session: "3f2"}}})
		b.wantText("3 min left: go test ./... and 1 more")
		for _, step := range []struct {
			pass time.Duration
			want string
		}{{30 * time.Second, "2 min left"}, {time.Minute, "60 s left"}, {time.Second, "59 s left"}, {58 * time.Second, "1 s left"}, {time.Second, "this turn: file edits"}} {
			b.wait(step.pass)
			b.wantText(step.want)
		}
		b.key("ctrl+r")
		if revoked != 1 {
			t.Error("nothing was revoked")
		}
		b.send(TimedApprovals{})
		b.wantNoText("this turn")
		b.key("ctrl+r")
		b.wantText("nothing is approved")
		if revoked != 1 {
			t.Error("revoked what isn't there")
		}
	})
}

// BEY-01: the header shows what the desk keeps for an agent's session, and whose
// it is where there is room; a hook's agent is offered no turn.
func TestStandingInHeader(t *testing.T) {
	bubble(t, Options{Several: true}, func(b *bench) {
		b.send(TimedApprovals{[]gate.Approved{{Label: "file edits in the workspace", Session: "3f2", Agent: "Claude Code", Standing: true}}})
		b.wantText("session: file edits in")
		b.send(tea.WindowSizeMsg{Width: 160, Height: 24})
		b.wantText("session: Claude Code: file edits in the workspace")
		p := command("ls")
		p.Brief = true
		b.ask(p)
		b.settle()
		b.key("t")
		b.settle()
		b.wantText("nobody tells the desk when this agent's turn ends")
		b.key("a")
		b.wantText("15 minutes")
		b.wantNoText("this turn")
	})
}

// BEY-07: an idle screen has no ticks, and one that counts minutes has one a
// minute.
func TestCountdownTicks(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		for _, row := range []struct {
			list []gate.Approved
			left time.Duration
			want time.Duration
		}{
			{nil, 0, 0},
			{[]gate.Approved{{Label: "x", Session: "s"}}, 0, 0},
			{[]gate.Approved{{Label: "x"}}, 15 * time.Minute, time.Minute},
			{[]gate.Approved{{Label: "x"}}, 30 * time.Second, time.Second},
		} {
			if row.left > 0 {
				row.list[0].Until = time.Now().Add(row.left)
			}
			cmd := b.setTimed(row.list)
			if (cmd != nil) != (row.want > 0) {
				t.Errorf("%d approved: a tick %v", len(row.list), cmd != nil)
			}
			if cmd != nil {
				start := time.Now()
				cmd()
				if got := time.Since(start); got != row.want {
					t.Errorf("the next tick comes after %v, want %v", got, row.want)
				}
			}
		}
		b.send(TimedApprovals{})
	})
}

// BEY-07: where nothing can be saved but a session may be covered, this turn
// and 15 minutes are an answer of their own, with letters and without.
func TestForAWhileWithoutAlways(t *testing.T) {
	for _, o := range []Options{{}, {AnswerKeys: AnswerList}} {
		for _, row := range []struct {
			keys []string
			want gate.Answer
		}{{nil, minutes}, {[]string{"tab"}, gate.Answer{Decision: gate.Turn}}} {
			bubble(t, o, func(b *bench) {
				p := command("make")
				p.Verdict.Offers, p.Saves, p.Widths = []gate.Decision{gate.Once, gate.Session}, "", nil
				id := b.ask(p)
				b.settle()
				b.wantText(map[AnswerKeys]string{AnswerLetters: "a for a while…", AnswerList: "For a while…"}[o.AnswerKeys])
				b.key("down", "down", "enter")
				b.settle()
				b.wantNoText("will be saved")
				b.key(row.keys...)
				b.settle()
				b.key("enter")
				b.wantAnswer(id, row.want)
			})
		}
	}
}
