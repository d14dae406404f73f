package tui

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// terminalState is how the console was before it was taken.
type terminalState struct{ in, out *term.State }

func (t *Terminal) open() (err error) {
	if t.tty, t.out, err = tea.OpenTTY(); err != nil {
		return fmt.Errorf("%w: %w", ErrNoTerminal, err)
	}
	in, err1 := term.GetState(t.tty.Fd())
	out, err2 := term.GetState(t.out.Fd())
	if err := errors.Join(err1, err2); err != nil {
		_, _ = t.tty.Close(), t.out.Close()
		return fmt.Errorf("%w: %w", ErrNoTerminal, err)
	}
	t.state = terminalState{in, out}
	flushTyped(t.tty)
	return nil
}

// drain does nothing: a console answers queries before it returns from the
// write.
func (t *Terminal) drain() {}

func (t *Terminal) restore() error {
	flushTyped(t.tty)
	if err := errors.Join(term.Restore(t.tty.Fd(), t.state.in), term.Restore(t.out.Fd(), t.state.out)); err != nil {
		return fmt.Errorf("restore the console: %w", err)
	}
	return nil
}

// setRaw is left to the program; what was typed meanwhile is dropped.
func (t *Terminal) setRaw(tty *os.File) error {
	flushTyped(tty)
	return nil
}

// Suspend returns [ErrNotResumable]: consoles have no jobs.
func (t *Terminal) Suspend() error { return ErrNotResumable }

// flushTyped drops what was typed and not yet read.
func flushTyped(console *os.File) { _ = windows.FlushConsoleInputBuffer(windows.Handle(console.Fd())) }

// notify also covers the end of the session and the closing of the window,
// which Go reports as a termination.
func (t *Terminal) notify() { signal.Notify(t.signals, os.Interrupt, syscall.SIGTERM) }

func (t *Terminal) stopNotify() { signal.Stop(t.signals) }

func (t *Terminal) die(os.Signal) {
	_ = t.restore()
	os.Exit(1)
}
