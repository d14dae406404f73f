package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// APR-30: through a connection that stands still, what is asked isn't on the
// person's screen yet, and their key was meant for what was there before.
func TestArmingWaitsForASlowTerminal(t *testing.T) {
	well := uv.UnknownCsiEvent("\x1b[0n")
	bubble(t, Options{}, func(b *bench) {
		b.run(b.Init())
		b.send(well)
		first := b.ask(command("ls"))
		b.wait(paintTime)
		b.send(well)
		b.settle()
		b.send(Withdraw{ID: first})
		b.wait(50 * time.Millisecond)
		id := b.ask(command("rm -rf build"))
		b.wait(3 * time.Second)
		b.key("y", "ctrl+q")
		b.wantWaiting(id)
		b.wantText("came too early")
		b.send(well)
		b.wait(quietTime - time.Millisecond)
		b.key("n")
		b.wantWaiting(id)
		b.settle()
		b.key("y")
		b.wantAnswer(id, once)
	})
	// The answer to what was asked for an earlier frame isn't one for this.
	bubble(t, Options{}, func(b *bench) {
		b.run(b.Init())
		b.send(well)
		id := b.ask(command("ls"))
		b.wait(paintTime)
		b.send(tea.WindowSizeMsg{Width: 90, Height: 30})
		b.wait(paintTime)
		b.send(well)
		b.wait(time.Second)
		b.key("y")
		b.wantWaiting(id)
		b.send(well)
		b.settle()
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// A terminal that never answers is not waited for, and one that has stopped
// answering not for ever.
func TestArmingWithoutAnAnswer(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.run(b.Init())
		id := b.ask(command("ls"))
		b.wait(armed)
		b.key("y")
		b.wantAnswer(id, once)
	})
	bubble(t, Options{}, func(b *bench) {
		b.run(b.Init())
		b.send(uv.UnknownCsiEvent("\x1b[0n"))
		id := b.ask(command("ls"))
		b.wait(armed + echoLimit)
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// What the terminal answered while an editor had it isn't waited for.
func TestArmingAfterTheTerminalWasLent(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.run(b.Init())
		b.send(uv.UnknownCsiEvent("\x1b[0n"))
		id := b.ask(command("ls"))
		b.wait(paintTime)
		b.send(lentMsg{})
		b.wait(paintTime)
		b.send(uv.UnknownCsiEvent("\x1b[0n"))
		b.wait(quietTime)
		b.key("y")
		b.wantAnswer(id, once)
	})
}

// A terminal is asked only when something else is asked of the person.
func TestTerminalIsAskedOncePerRequest(t *testing.T) {
	c, term, _ := start(t, Options{}, tuitest.Environ("TERM=xterm-256color"))
	asked := func() int { return strings.Count(term.Output(), "\x1b[5n") }
	term.Settle()
	for n := range 3 {
		if got := asked(); got != 1+n {
			t.Fatalf("asked %d times for %d requests", got, n)
		}
		go func() { _, _ = c.Approve(t.Context(), command("ls")) }()
		term.UntilWritten("a question to the terminal", func(s string) bool { return strings.Count(s, "\x1b[5n") == 2+n })
		term.WaitGone("a moment")
		term.Key([]string{"n", "d", "n"}[n]) // the same key at once would be held
		term.WaitGone("opencode asks")
	}
}
