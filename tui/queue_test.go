package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
)

func from(agent, session, line string) gate.Prompt {
	p := command(line)
	p.Request.Origin.Agent, p.Request.Origin.Session = agent, session
	p.Since = time.Date(2030, 1, 2, 14, 5, 0, 0, time.UTC)
	return p
}

// APR-31, BEY-02: requests of several agents wait in the order in which they
// came; each names its agent and session; what comes or goes meanwhile never
// changes what is shown.
func TestThreeAgents(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 160, Height: 40})
		agents := []string{"opencode", "codex", "gemini"}
		var ids []uint64
		for i := range 60 {
			ids = append(ids, b.ask(from(agents[i%3], fmt.Sprintf("s%d", i%3), fmt.Sprintf("make target-%d", i))))
		}
		b.settle()
		b.wantText("1 of 60", "60 waiting", "▸ 14:05 opencode s0", "codex s1", "+57")
		if help := ansi.Strip(strings.Join(b.helpRows(requestScreen), "\n")); !strings.Contains(help, "14:05 gemini s2 bash make target-59") {
			t.Errorf("the help sheet doesn't list what waits:\n%s", help)
		}
		b.key("ctrl+n", "ctrl+n", "ctrl+p")
		b.settle()
		shown := b.text()[strings.Index(b.text(), "run_command"):]
		b.wantText("2 of 60", "codex asks", "session s1", "make target-1\n")
		armed := b.arming.serial
		b.send(Withdraw{ID: ids[0], Why: "the agent ended"})
		b.send(Withdraw{ID: ids[2]})
		b.ask(from("opencode", "s0", "make late"))
		if now := b.text(); now[strings.Index(now, "run_command"):] != shown || b.arming.serial != armed {
			t.Fatalf("what is shown has changed:\n%s\nwas\n%s", now, shown)
		}
		b.key("y")
		b.wantAnswer(ids[1], once)
		for i := 3; i < 60; i++ { // the oldest comes next
			b.settle()
			b.wantText(fmt.Sprintf("make target-%d\n", i), agents[i%3]+" asks")
			b.key("n")
			b.wantAnswer(ids[i], gate.Answer{Decision: gate.Refuse})
		}
	})
}

// A thousand that wait are answered first in, first out, and drawn as fast as
// a few.
func TestAThousandWait(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		for i := range 1000 {
			b.update(Approval{ID: uint64(i + 1), Prompt: from("opencode", "s", fmt.Sprintf("make t%d", i)), Answer: func(gate.Answer) {}})
		}
		b.drain()
		b.wantText("1,000 waiting")
		for i := range 1000 {
			if w := b.queue.current(); w == nil || w.id != uint64(i+1) {
				t.Fatalf("%d: not the oldest: %+v", i, w)
			}
			b.run(b.deny())
			b.run(b.refresh())
		}
		b.drain()
		b.wantNoText("waiting")
	})
}

// APR-32, BEY-04: a request that a rule, the mode or another answer settles
// while it waits leaves the screen with the words by what.
func TestSettledSaysHow(t *testing.T) {
	for name, tt := range map[string]struct {
		settle func(b *bench, g *gate.Gate)
		says   []string
	}{
		"mode": {func(_ *bench, g *gate.Gate) { _ = g.SetMode(gate.Yolo) }, []string{"no longer asked: bash make two", "allowed meanwhile", "yolo"}},
		"rule": {func(_ *bench, g *gate.Gate) {
			g.SetPolicy(gate.Policy{Rules: []gate.Rule{{Effect: gate.Deny, Text: "shell(make two)", Source: gate.Source{Layer: "global", File: "settings.toml", Line: 7}}}})
		}, []string{"no longer asked: bash make two", "refused meanwhile", "deny shell(make two)", "settings.toml:7"}},
		"another answer": {func(b *bench, _ *gate.Gate) { b.settle(); b.key("s") }, []string{"no longer asked: bash make two", "allowed meanwhile", "session"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				b.send(tea.WindowSizeMsg{Width: 200, Height: 40})
				mail := newMailbox()
				g, err := gate.New(gate.Options{Workspace: t.TempDir(), Mode: gate.AlwaysAsk, Approver: gate.ApproverFunc(func(ctx context.Context, p gate.Prompt) (gate.Answer, error) { return mail.approve(ctx, nil, p) })})
				if err != nil {
					t.Fatal(err)
				}
				done := make(chan gate.Verdict, 2)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				for range 2 {
					go func() {
						done <- g.Decide(ctx, gate.Request{Tool: "bash", Kind: gate.RunCommand, Targets: []string{"make two"}})
					}()
					synctest.Wait()
				}
				b.send(mail.take())
				tt.settle(b, g)
				synctest.Wait()
				b.send(mail.take())
				b.wantText(tt.says...)
				if len(b.queue.items) != 0 {
					t.Errorf("%d wait", len(b.queue.items))
				}
				<-done
				<-done
			})
		})
	}
}
