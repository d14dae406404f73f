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
	if t.lines {
		return t.takeLines()
	}
	return nil
}

// ctrlC is the byte that Ctrl+C types.
const ctrlC = 0x03

// takeLines has the console echo and edit lines. Ctrl+C is a character of the
// line, which Enter ends.
func (t *Terminal) takeLines() error {
	console := windows.Handle(t.tty.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return fmt.Errorf("take the console: %w", err)
	}
	mode |= windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT
	mode &^= windows.ENABLE_PROCESSED_INPUT
	if err := windows.SetConsoleMode(console, mode); err != nil {
		return fmt.Errorf("take the console: %w", err)
	}
	return nil
}

func (t *Terminal) discard() error {
	flushTyped(t.tty)
	return nil
}

// drain does nothing: a console answers queries before it returns from the
// write.
func (t *Terminal) drain() {}

// A console takes all output.
func (t *Terminal) dropOutput() {}

func (t *Terminal) restore() error {
	flushTyped(t.tty)
	if err := errors.Join(term.Restore(t.tty.Fd(), t.state.in), term.Restore(t.out.Fd(), t.state.out)); err != nil {
		return fmt.Errorf("restore the console: %w", err)
	}
	return nil
}

// hold drops what was typed meanwhile. To make the console raw is left to the
// program.
func (t *Terminal) hold(tty *os.File) error {
	flushTyped(tty)
	if t.lines {
		return t.takeLines()
	}
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
