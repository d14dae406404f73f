package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

var once = gate.Answer{Decision: gate.Once}

// armed is when a request that has just been shown takes answers.
const armed = paintTime + quietTime

// APR-30, TAM-20: a request takes no answer before it was painted and half a
// second has passed.
func TestNothingAnswersARequestThatHasJustAppeared(t *testing.T) {
	for _, key := range []string{"y", "s", "a", "n", "d", "enter", "esc", "ctrl+enter", "ctrl+q"} {
		t.Run(key, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.ask(command("ls"))
				b.key(key)
				b.wantWaiting(id)
				if b.over != noSheet {
					t.Error("a sheet opened")
				}
				b.wantText("came too early")
				if !b.composer.empty() {
					t.Errorf("the key was typed: %q", string(b.composer.text))
				}
			})
		})
	}
}

func TestArmingTakesPaintAndQuiet(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.wait(armed - time.Millisecond)
		b.wantText("a moment")
		b.key("y")
		b.wantWaiting(id)
		// The early key starts the quiet time anew.
		b.wait(quietTime - time.Millisecond)
		b.key("n")
		b.wantWaiting(id)
		b.wait(quietTime)
		b.wantNoText("a moment")
		b.key("y")
		b.wantAnswer(id, once)
	})
}

func TestArmingWithoutEarlyKeys(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.wait(armed)
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// Someone who keeps pressing different keys isn't held up for longer than the
// limit.
func TestArmingEndsAtItsLimit(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		for i := range 8 {
			b.wait(200 * time.Millisecond)
			b.key([]string{"y", "n"}[i%2])
			if i < 7 {
				b.wantWaiting(id)
			}
		}
		if len(b.answers[id]) != 1 {
			t.Fatalf("no answer after the limit\n%s", b.text())
		}
	})
}

// A key that is held down when the request appears comes again and again, and
// never answers: neither with the flag that some terminals send nor without.
func TestHeldKeysNeverAnswer(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.KeyPressMsg{Code: 'y', Text: "y"}) // typed into the composer
		b.composer.clear()
		id := b.ask(command("ls"))
		b.wait(660 * time.Millisecond) // the pause before the first repeat
		for range 100 {
			b.key("y")
			b.wait(33 * time.Millisecond)
		}
		b.wantWaiting(id)
		b.wait(repeatGap)
		b.key("y")
		b.wantAnswer(id, once)
	})
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.send(tea.KeyPressMsg{Code: 'y', Text: "y", IsRepeat: true})
		b.wantWaiting(id)
	})
}

// Keys that stood in the terminal's buffer while the program did arrive
// together; none answers.
func TestKeysTypedWhileTheScreenStoodStill(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.wait(paintTime)
		// The timer comes a second late: the loop stood still.
		time.Sleep(quietTime + time.Second)
		b.key("y")
		b.wantWaiting(id)
	})
	now := time.Now()
	var a arming
	a.restart()
	a.paint(now)
	if d := a.tick(now.Add(quietTime + stallTime + time.Millisecond)); d != quietTime || a.armed {
		t.Errorf("after a stall armed=%v, next tick in %v; want it to begin anew", a.armed, d)
	}
}

// Every change of what is asked starts the arming again.
func TestChangesDisarm(t *testing.T) {
	changes := map[string]func(b *bench){
		"resize":            func(b *bench) { b.send(tea.WindowSizeMsg{Width: 90, Height: 24}) },
		"everything":        func(b *bench) { b.key("ctrl+o") },
		"another request":   func(b *bench) { b.key("ctrl+n") },
		"side by side":      func(b *bench) { b.key("|") },
		"help and back":     func(b *bench) { b.key("?", "esc") },
		"why and back":      func(b *bench) { b.key("w", "esc") },
		"the line of a":     func(b *bench) { b.key("a") },
		"the line of tab":   func(b *bench) { b.key("tab") },
		"withdrawn":         func(b *bench) { b.send(Withdraw{ID: b.queue.current().id}) },
		"answered the last": func(b *bench) { b.key("n") },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				b.ask(command("one"))
				b.ask(command("two"))
				b.settle()
				before := len(b.queue.items)
				change(b)
				if b.arming.armed {
					t.Fatal("still armed")
				}
				left := len(b.queue.items)
				b.key("enter", "ctrl+q")
				if len(b.queue.items) != left || left < before-1 {
					t.Error("a key answered what had just changed")
				}
			})
		})
	}
}

// What only lay over a request takes no half second: neither the key that
// closes it answers, nor its repeat, but soon another one does. What was written
// meanwhile, or changed under it, takes all of it.
func TestClosingASheetArmsSoon(t *testing.T) {
	for keys, soon := range map[string]bool{
		"w esc": true, "? esc": true, "f1 enter": true, "tab esc": true, "w pgdown esc": true,
		"tab x esc": false, "w x esc": false, "ctrl+o ctrl+o": false, "a esc": false,
	} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(command("ls"))
			b.settle()
			b.key(strings.Fields(keys)...)
			b.wait(20 * time.Millisecond)
			last := strings.Fields(keys)[len(strings.Fields(keys))-1]
			b.key(last) // it bounces
			b.key("enter", "ctrl+q")
			b.wantWaiting(id)
			if b.over != noSheet {
				b.key("esc")
			}
			b.wait(holdTime + paintTime)
			if b.arming.armed != soon {
				t.Errorf("%s: armed %v, want %v\n%s", keys, b.arming.armed, soon, b.text())
			}
		})
	}
	bubble(t, Options{}, func(b *bench) {
		p := command("ls")
		id := b.ask(p)
		b.settle()
		b.key("w")
		p.Renewal = 1
		b.send(Renewal{ID: id, Prompt: p})
		b.key("esc")
		b.wait(quietTime - time.Millisecond)
		b.key("ctrl+q")
		b.wantWaiting(id)
	})
}

// What doesn't change the request leaves it armed: the transcript goes on.
func TestEventsDontDisarm(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.send(AgentSaid{"…"})
		b.send(ToolCall{ID: "1", Title: "x"})
		b.ask(command("another"))
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// APR-30: Ctrl+C is for emergencies and needs no arming; it allows nothing.
func TestCancelNeedsNoArming(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		one, two := b.ask(command("one")), b.ask(command("two"))
		b.key("ctrl+c")
		b.wantAnswer(one, gate.Answer{Decision: gate.CancelTurn})
		b.wantAnswer(two, gate.Answer{Decision: gate.CancelTurn})
		if b.cancels != 1 {
			t.Errorf("the turn was cancelled %d times", b.cancels)
		}
	})
}

func TestPasteAndMouseNeverAnswer(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.send(tea.MouseClickMsg{X: 3, Y: 20, Button: tea.MouseLeft})
		b.send(tea.MouseReleaseMsg{X: 3, Y: 20, Button: tea.MouseLeft})
		b.send(tea.FocusMsg{})
		b.wantWaiting(id)
		b.send(tea.PasteMsg{Content: "y\ny\n"})
		b.wantWaiting(id)
		if got := b.field().value(); got != "y\ny" {
			t.Errorf("the paste became %q", got)
		}
	})
}

func TestEndScreenIsNotLeftByWhatWasTypedBefore(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(Finished{Summary: []string{"3 files changed", "audit log: /x/audit.jsonl"}})
		b.key("x")
		if b.quit {
			t.Fatal("left at once")
		}
		b.settle()
		b.wantText("3 files changed", "audit.jsonl", "any key leaves")
		b.key("x")
		if !b.quit {
			t.Error("not left")
		}
	})
}
