package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A word that begins with an answer's letter is a message (TAM-21, APR-30):
// it goes to the draft whole, and nothing is answered.
func TestWordsAreNotAnswers(t *testing.T) {
	for _, text := range []string{"you should not", "no copies please", "session", "also", "ask me later", "don't"} {
		t.Run(text, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.ask(command("rm -rf build"))
				b.settle()
				b.typing(text)
				b.wantWaiting(id)
				if got := b.field().value(); got != text {
					t.Fatalf("the draft is %q, want %q", got, text)
				}
				if b.over != noSheet {
					t.Fatalf("a sheet opened\n%s", b.text())
				}
				b.settle()
				b.wantWaiting(id)
			})
		})
	}
}

// A letter that was pressed alone just before, and answered nothing, may begin
// a word all the same: what follows it doesn't answer instead.
func TestWordAfterItsLetter(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := command("make")
		p.Verdict.Offers = []gate.Decision{gate.Once}
		id := b.ask(p)
		b.settle()
		b.key("m") // not offered
		b.wait(200 * time.Millisecond)
		b.typing("my")
		b.settle()
		b.wantWaiting(id)
		if got := b.field().value(); got != "my" {
			t.Errorf("the draft is %q", got)
		}
	})
}

// A letter alone answers after a moment, and at once with Enter behind it,
// which then answers nothing else (APR-30).
func TestHeldLetter(t *testing.T) {
	rows := []struct {
		name string
		then tea.Msg // what follows the y
		want []gate.Decision
		over sheet
	}{
		{"nothing", nil, []gate.Decision{gate.Once}, noSheet},
		{"enter", press("enter"), []gate.Decision{gate.Once}, noSheet},
		{"an arrow", press("down"), nil, noSheet},
		{"a paste", tea.PasteMsg{Content: "y"}, nil, noSheet},
		{"the turn is cancelled", press("ctrl+c"), []gate.Decision{gate.CancelTurn}, noSheet},
		{"the screen changes", tea.WindowSizeMsg{Width: 100, Height: 30}, nil, noSheet},
		{"the request is withdrawn", Withdraw{ID: 1}, nil, noSheet},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				first := b.ask(command("make"))
				second := b.ask(command("make install"))
				b.settle()
				b.send(press("y"))
				b.wantWaiting(first)
				if row.then != nil {
					b.send(row.then)
				}
				b.wait(2 * holdTime)
				var got []gate.Decision
				for _, a := range b.answers[first] {
					got = append(got, a.Decision)
				}
				if len(got) != len(row.want) || len(got) > 0 && got[0] != row.want[0] {
					t.Fatalf("answered with %v, want %v\n%s", got, row.want, b.text())
				}
				if row.name != "the turn is cancelled" {
					b.wantWaiting(second)
				}
			})
		})
	}
}

// A notice doesn't hide that keys come too early, nor that one did (BEY-02).
func TestNoticesDontHideTheArming(t *testing.T) {
	for _, width := range []int{40, 80} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: width, Height: 24})
			b.ask(command("ls"))
			b.settle()
			b.key("shift+tab")
			b.wantText("answer first")
			b.send(tea.WindowSizeMsg{Width: width, Height: 30})
			b.wantText("answer first", "◌")
			b.key("y")
			b.wantText("too early")
		})
	}
}

// A message whose first letter is a command's key is a message whole: also
// while the request isn't armed, on every screen of a request (TAM-21).
func TestCommandsBeginWords(t *testing.T) {
	for _, wait := range []time.Duration{0, armed} {
		for _, full := range []bool{false, true} {
			for _, text := range []string{"why", "wait, don't", "explain", "try it", "make it", "x-ray", "zip it", "y?", "fix", "re"} {
				bubble(t, Options{}, func(b *bench) {
					id := b.ask(command("rm -rf build"))
					if full {
						b.key("ctrl+o")
					}
					b.wait(wait)
					b.typing(text)
					if got := b.field().value(); got != text || b.over != noSheet {
						t.Fatalf("after %v, full %v: the draft of %q is %q\n%s", wait, full, text, got, b.text())
					}
					b.wantNoText("too early")
					b.wantWaiting(id)
				})
			}
		}
	}
}
