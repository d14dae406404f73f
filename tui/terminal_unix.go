//go:build unix

package tui

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// terminalState is how the terminal was before it was taken.
type terminalState = *unix.Termios

func (t *Terminal) open() error {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoTerminal, err)
	}
	if err := t.take(tty); err != nil {
		_ = tty.Close()
		return err
	}
	t.tty, t.out = tty, tty
	return nil
}

func (t *Terminal) take(tty *os.File) error {
	fd := int(tty.Fd())
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoTerminal, err)
	}
	if own, err := unix.Getpgid(0); err != nil || group != own {
		return ErrBackground
	}
	if t.state, err = unix.IoctlGetTermios(fd, getTermios); err != nil {
		return fmt.Errorf("%w: %w", ErrNoTerminal, err)
	}
	return t.hold(tty)
}

// hold sets the terminal, not only while the program runs: a reply that comes
// before or after it would be echoed. Setting it with a flush drops what was
// typed ahead (APR-30).
func (t *Terminal) hold(tty *os.File) error {
	held := rawTermios(*t.state)
	if t.lines {
		held = lineTermios(*t.state)
	}
	if err := unix.IoctlSetTermios(int(tty.Fd()), setTermiosFlush, &held); err != nil {
		return fmt.Errorf("take the terminal: %w", err)
	}
	return nil
}

// ctrlC is the byte that Ctrl+C types.
const ctrlC = 0x03

// lineTermios is s with lines that the terminal echoes and edits. Ctrl+C makes
// no signal, which would end more than the turn: it ends the line, as its last
// byte.
func lineTermios(s unix.Termios) unix.Termios {
	s.Iflag |= unix.ICRNL
	s.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.INLCR | unix.IGNCR
	s.Oflag |= unix.OPOST | unix.ONLCR
	s.Lflag |= unix.ICANON | unix.ECHO | unix.ECHOE | unix.ECHOK | unix.ECHOCTL | unix.IEXTEN
	s.Lflag &^= unix.ISIG | unix.ECHONL
	s.Cc[unix.VEOL] = ctrlC
	return s
}

// discard drops also a line that isn't ended yet. Setting the terminal anew
// with a flush does that on every system.
func (t *Terminal) discard() error {
	fd := int(t.tty.Fd())
	now, err := unix.IoctlGetTermios(fd, getTermios)
	if err == nil {
		err = unix.IoctlSetTermios(fd, setTermiosFlush, now)
	}
	if err != nil {
		return fmt.Errorf("drop what was typed: %w", err)
	}
	return nil
}

// rawTermios is s with every byte passed on as it comes, as cfmakeraw does.
func rawTermios(s unix.Termios) unix.Termios {
	s.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	s.Oflag &^= unix.OPOST
	s.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	s.Cflag &^= unix.CSIZE | unix.PARENB
	s.Cflag |= unix.CS8
	s.Cc[unix.VMIN], s.Cc[unix.VTIME] = 1, 0
	return s
}

// drain asks the terminal what it is, a question that all of them answer and
// in turn, and reads up to the end of that answer.
func (t *Terminal) drain() {
	if term := os.Getenv("TERM"); term == "" || term == "dumb" {
		return
	}
	fd := int(t.tty.Fd())
	if unix.SetNonblock(fd, false) != nil {
		return
	}
	timed := rawTermios(*t.state)
	timed.Cc[unix.VMIN], timed.Cc[unix.VTIME] = 0, 1 // a read waits for 100 ms
	if unix.IoctlSetTermios(fd, setTermios, &timed) != nil {
		return
	}
	if _, err := t.out.WriteString(ansi.RequestPrimaryDeviceAttributes); err != nil {
		return
	}
	var got []byte
	chunk := make([]byte, 256)
	for start := time.Now(); time.Since(start) < longestReply; {
		n, err := unix.Read(fd, chunk)
		if err != nil && err != unix.EINTR {
			return
		}
		got = append(got, chunk[:max(n, 0)]...)
		if endsInAttributes(got) {
			return
		}
	}
}

// endsInAttributes reports whether b ends in a terminal's answer to what it is.
func endsInAttributes(b []byte) bool {
	if len(b) == 0 || b[len(b)-1] != 'c' {
		return false
	}
	for i := len(b) - 2; i >= 0; i-- {
		switch c := b[i]; {
		case c == ';' || c >= '0' && c <= '9':
		default:
			return c == '?' && i >= 2 && b[i-1] == '[' && b[i-2] == 0x1b
		}
	}
	return false
}

// restore drops what came in and sets the terminal as it was.
func (t *Terminal) restore() error {
	if err := unix.IoctlSetTermios(int(t.tty.Fd()), setTermiosFlush, t.state); err != nil {
		return fmt.Errorf("restore the terminal: %w", err)
	}
	return nil
}

var ending = []os.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT}

func (t *Terminal) notify() {
	// A signal that was ignored from the start, as under nohup, stays so.
	caught := slices.DeleteFunc(slices.Clone(ending), signal.Ignored)
	signal.Notify(t.signals, caught...)
}

func (t *Terminal) stopNotify() { signal.Stop(t.signals) }

// givenBack ends everything that the screen asks of a terminal. The keyboard's
// protocol belongs to the alternate screen, so that it comes first.
func givenBack() string {
	return ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) +
		ansi.ResetModeSynchronizedOutput + ansi.ResetModeAltScreenSaveCursor + ansi.ShowCursor +
		ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent +
		ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseExtSgr + ansi.ResetModeUnicodeCore +
		ansi.SetWindowTitle("")
}

// dropOutput drops what the terminal hasn't taken, where it takes no more.
func (t *Terminal) dropOutput() {
	room := []unix.PollFd{{Fd: int32(t.out.Fd()), Events: unix.POLLOUT}}
	if n, err := unix.Poll(room, 0); n == 0 && err == nil {
		t.deaf.Store(true)
		_ = flushOutput(int(t.out.Fd()))
	}
}

// die lets s do what it would have done, had it not been caught. A terminal that
// takes no output, as over a connection that hangs, is waited for a moment only.
func (t *Terminal) die(s os.Signal) {
	restored := make(chan struct{})
	go func() {
		defer close(restored)
		if !t.lines {
			_, _ = t.out.WriteString(givenBack())
		}
		_ = t.restore()
	}()
	select {
	case <-restored:
	case <-time.After(longestReply):
		_ = unix.IoctlSetTermios(int(t.tty.Fd()), setTermios, t.state) // this one waits for no output
	}
	signal.Reset(s)
	_ = unix.Kill(unix.Getpid(), s.(syscall.Signal))
}
