package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// What an agent says before and after a call, or in another turn, are
// messages of their own.
func TestMessagesStayApart(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(TurnStarted{})
		b.send(AgentSaid{"It writes "})
		b.send(AgentSaid{"yes.txt"})
		b.send(ToolCall{ID: "1", Title: "yes.txt", Status: ToolRunning})
		b.send(AgentSaid{"It wrote."})
		b.send(ToolCall{ID: "1", Status: ToolDone})
		b.send(AgentSaid{"## Done"})
		b.send(TurnEnded{})
		b.send(TurnStarted{})
		b.send(AgentSaid{"Next."})
		var said []string
		for _, e := range b.transcript.entries {
			if e.kind == agentEntry {
				said = append(said, e.text)
			}
		}
		if want := []string{"It writes yes.txt", "It wrote.", "## Done", "Next."}; !slices.Equal(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
	})
}

// The mode key pressed twice at once moves two modes, and the header shows the
// mode in force, also when one is refused (APR-14).
func TestModeKeyTwice(t *testing.T) {
	var set []gate.Mode
	o := Options{Mode: gate.Default, SetMode: func(m gate.Mode) error {
		set = append(set, m)
		if m == gate.Plan {
			return errors.New("no planning here")
		}
		return nil
	}}
	bubble(t, o, func(b *bench) {
		b.update(press("shift+tab"))
		b.update(press("shift+tab"))
		b.drain()
		if want := []gate.Mode{gate.AcceptEdits, gate.Auto}; !slices.Equal(set, want) || b.mode != gate.Auto {
			t.Fatalf("set %v, shown %s, want %v", set, b.mode, want)
		}
		b.key("shift+tab")
		b.wantText("no planning here")
		if b.mode != gate.Auto {
			t.Errorf("shown %s after a refusal, want auto", b.mode)
		}
	})
}

// While the agent is being started the screen says so, and that what is typed
// waits.
func TestStarting(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(AgentStarting{Name: "gemini\x1b[31m"})
		b.wantText("starting gemini", "sent when it is ready")
		b.send(AgentReady{})
		b.wantText("type the next prompt")
	})
}

// The notice that a turn is being cancelled goes when it has ended.
func TestCancellingEnds(t *testing.T) {
	bubble(t, Options{Cancel: func() {}}, func(b *bench) {
		b.send(TurnStarted{})
		b.key("ctrl+c")
		b.wantText("being cancelled")
		b.send(TurnEnded{Reason: "cancelled"})
		b.wantNoText("being cancelled")
	})
}

// Ctrl+C at a request cancels the turn and no more, also when the key bounces
// or is held; pressed again it leaves (APR-30).
func TestCancelDoesNotLeave(t *testing.T) {
	bubble(t, Options{Cancel: func() {}}, func(b *bench) {
		b.send(TurnStarted{})
		b.ask(command("make"))
		b.key("ctrl+c", "ctrl+c", "ctrl+c")
		if b.quit {
			t.Fatal("it left at once")
		}
		b.wantText("ctrl+c again leaves")
		b.wait(repeatGap)
		b.key("ctrl+c")
		if !b.quit {
			t.Fatal("it didn't leave when asked again")
		}
	})
}

// Half a second after it has cancelled Ctrl+C leaves, unless it is held: then
// repeats follow (APR-30).
func TestCancelThenLeave(t *testing.T) {
	for _, turn := range []bool{false, true} {
		for _, held := range []bool{false, true} {
			bubble(t, Options{Cancel: func() {}}, func(b *bench) {
				if turn {
					b.send(TurnStarted{})
				}
				b.ask(command("make"))
				b.key("ctrl+c")
				b.wait(quietTime)
				b.key("ctrl+c")
				for range 20 {
					if held {
						b.wait(33 * time.Millisecond)
						b.key("ctrl+c")
					}
				}
				b.wait(time.Second)
				if b.quit == held {
					t.Errorf("in a turn %v, held %v: left is %v\n%s", turn, held, b.quit, b.text())
				}
			})
		}
	}
}

// Ctrl+C once more leaves a program that asks on whatever was cancelled, and has
// no turns (APR-30).
func TestLeavesAProgramThatAsksOn(t *testing.T) {
	bubble(t, Options{Cancel: func() {}}, func(b *bench) {
		first := b.ask(command("make"))
		b.key("ctrl+c")
		b.wantAnswer(first, gate.Answer{Decision: gate.CancelTurn})
		b.wantText("ctrl+c again leaves")
		b.ask(command("ls"))
		b.key("ctrl+c") // a key that bounces
		if b.quit {
			t.Fatal("it left at once")
		}
		b.wait(repeatGap)
		b.key("ctrl+c")
		if !b.quit {
			t.Error("it didn't leave when asked again")
		}
	})
	bubble(t, Options{}, func(b *bench) {
		b.key("ctrl+c") // with nothing to cancel
		b.wait(repeatGap)
		id := b.ask(command("make"))
		b.key("ctrl+c")
		b.wantAnswer(id, gate.Answer{Decision: gate.CancelTurn})
		if b.quit {
			t.Error("it left with something to cancel")
		}
	})
}

// The words of a refusal stand in the transcript once: by themselves when they
// refused everything that waits, else at the call.
func TestRefusalStandsOnce(t *testing.T) {
	for name, refuse := range map[string]func(b *bench){
		"a draft":  func(b *bench) { b.typing("not today"); b.key("enter") },
		"a reason": func(b *bench) { b.key("tab"); b.settle(); b.typing("not today"); b.key("enter") },
	} {
		bubble(t, Options{}, func(b *bench) {
			b.send(ToolCall{ID: "1", Kind: "run", Title: "ls"})
			b.send(ToolCall{ID: "2", Kind: "run", Title: "ls"})
			b.ask(command("ls"))
			b.settle()
			refuse(b)
			v := &gate.Verdict{Message: "not today"}
			b.send(ToolCall{ID: "1", Verdict: v, Status: ToolRefused})
			if name == "a draft" {
				b.send(ToolCall{ID: "2", Verdict: v, Status: ToolRefused})
			}
			if n := strings.Count(b.text(), "not today"); n != 1 {
				t.Errorf("%s stands %d times\n%s", name, n, b.text())
			}
		})
	}
}

// What was said is broken between words; its own lines stay.
func TestWordsAreNotBroken(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 40, Height: 24})
		b.send(UserSaid{Text: "please look into the pagination\n  and its tests"})
		b.wantText("please look into the", "pagination", "  and its tests")
		b.wantNoText("paginat\n")
	})
}
