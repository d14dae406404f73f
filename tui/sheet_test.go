package tui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// What lies over the screen is drawn anew when the terminal changes: no row is
// cut on a narrower one, and what happens meanwhile is shown.
func TestSheetsFollowTheTerminal(t *testing.T) {
	long := strings.Repeat("a sentence that has to be folded ", 6) + "to its end"
	for _, tt := range []struct {
		name, ends string
		keys       []string
	}{
		{"why", "to its end", []string{"w"}}, {"tasks", "to its end", []string{"alt+t"}}, {"help", "starts a new line", []string{"?"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				b.send(tea.WindowSizeMsg{Width: 200, Height: 60})
				b.send(checklist(3, 1))
				p := command("make")
				p.Verdict.Reason = long
				b.ask(p)
				b.settle()
				b.key(tt.keys...)
				list := checklist(3, 1)
				list.List.Items[2].Content = long
				b.send(list)
				b.send(tea.WindowSizeMsg{Width: 80, Height: 60})
				if text := strings.Join(strings.Fields(b.text()), " "); !strings.Contains(text, tt.ends) {
					t.Errorf("%q is cut on\n%s", tt.ends, b.text())
				}
				dark := b.View().Content
				b.send(tea.BackgroundColorMsg{Color: color.White})
				if b.View().Content == dark {
					t.Error("the sheet keeps the colours of the dark")
				}
				if strings.Contains(b.View().Content, "124;183;255") {
					t.Errorf("colours of the dark in the light:\n%q", b.View().Content)
				}
			})
		})
	}
}

// A request that fits in place of the transcript is shown whole, and can be
// answered at once (BEY-03).
func TestWholeRatherThanTranscript(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		for _, e := range story() {
			b.send(e)
		}
		b.send(Tasks{})
		id := b.ask(edit(0))
		for n := 1; b.lay.transcript > 0; n++ {
			b.send(Withdraw{ID: id})
			id = b.ask(edit(n))
			if hidden := b.queue.current().body.n - b.lay.panel; hidden > 0 {
				t.Fatalf("%d rows are hidden, and %d are the transcript's\n%s", hidden, b.lay.transcript, b.text())
			}
		}
		b.settle()
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// The whole checklist opens at the task that matters now.
func TestAllTasksOpenAtTheCurrentOne(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(checklist(50, 30))
		b.key("alt+t")
		b.wantText("the task that is under way", "task number 35")
	})
}

// The question mark shows the keys on every screen that asks, and where nothing
// waits; after a word it is one of its letters, and f1 does then.
func TestQuestionMarkShowsTheKeys(t *testing.T) {
	asks := map[string]func(b *bench){
		"nothing waits":  func(b *bench) {},
		"request":        func(b *bench) { b.ask(command("make")) },
		"full screen":    func(b *bench) { b.ask(edit(60)); b.key("ctrl+o") },
		"question":       func(b *bench) { b.question(choice) },
		"in own words":   func(b *bench) { b.question(prompts.Question{Text: "Why?"}) },
		"several pages":  func(b *bench) { b.group(choice, choice) },
		"before sending": func(b *bench) { b.group(choice, choice); b.key("right", "right") },
		"plan":           func(b *bench) { b.question(pagerPlan) },
	}
	for name, ask := range asks {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{Submit: func(string) {}}, func(b *bench) {
				ask(b)
				b.settle()
				b.wantText("? keys")
				b.key("?")
				if b.screen() != sheetScreen {
					t.Fatalf("no keys are shown\n%s", b.text())
				}
				b.key("esc")
				b.settle()
				if !writes(b.screen()) {
					return
				}
				b.typing("what?")
				b.settle()
				b.wantText("what?", "f1 keys")
				b.key("f1")
				if b.screen() != sheetScreen {
					t.Errorf("f1 shows no keys\n%s", b.text())
				}
			})
		})
	}
}

// A line of very many commands is explained as soon as a short one: what isn't
// allowed is listed first, and the rest is counted.
func TestWhyOfVeryManyCommands(t *testing.T) {
	p := command("make")
	for range 50_000 {
		p.Verdict.Parts = append(p.Verdict.Parts, gate.Part{Effect: gate.Allow, Command: "true"})
		p.Verdict.Trail = append(p.Verdict.Trail, gate.Note{Text: "no rule"})
	}
	p.Verdict.Parts = append(p.Verdict.Parts, gate.Part{Effect: gate.Deny, Command: "rm -rf /"})
	bubble(t, Options{}, func(b *bench) {
		b.ask(p)
		b.settle()
		b.key("w")
		if n := len(b.sheetRows); n > 5*mostReasons {
			t.Errorf("%d rows are drawn", n)
		}
		b.wantText("rm -rf /")
		all := ansi.Strip(strings.Join(b.sheetRows, "\n"))
		if !strings.Contains(all, "⋯ 49,001 more") || !strings.Contains(all, "⋯ 49,000 more") {
			t.Error("the rest isn't counted")
		}
	})
}
