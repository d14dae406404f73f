package tui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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
