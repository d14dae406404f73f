//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long something may take to come on a busy machine.
const patience = 30 * time.Second

// A terminal is a pseudo-terminal with an emulator behind it, for programs in
// processes of their own. Its methods are called from one goroutine.
type terminal struct {
	person, tty *os.File
	before      string // the line settings, before any program
	cmd         *exec.Cmd
	exited      chan struct{}
	reading     sync.WaitGroup

	mu      sync.Mutex
	em      *vt.Emulator
	partial bool          // in the middle of a frame
	screen  string        // the last whole frame
	hidden  bool          // the cursor
	output  bytes.Buffer  // since the program was started
	changed chan struct{} // closed and replaced when something changes
}

// open makes the terminal. It knows synchronized output, so that whole frames
// can be told from halves.
func (t *terminal) open(width, height int) (err error) {
	if t.person, t.tty, err = pty.Open(); err != nil {
		return err
	}
	t.em, t.changed = vt.NewEmulator(width, height), make(chan struct{})
	if err := t.resize(width, height); err != nil {
		return err
	}
	if t.before, err = lineSettings(t.tty); err != nil {
		return err
	}
	_, _ = t.em.WriteString(ansi.SetModeSynchronizedOutput + ansi.ResetModeSynchronizedOutput)
	t.em.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { t.mode(m, true) },
		DisableMode: func(m ansi.Mode) { t.mode(m, false) },
	})
	t.reading.Go(t.show)
	t.reading.Go(func() { _, _ = io.Copy(t.person, t.em) })
	return nil
}

// mode follows what the emulator doesn't keep as terminals do: its cursor is
// hidden for one of the two screens.
func (t *terminal) mode(m ansi.Mode, on bool) {
	switch m {
	case ansi.ModeSynchronizedOutput:
		t.partial = on
	case ansi.ModeTextCursorEnable:
		t.hidden = !on
	}
}

func (t *terminal) show() {
	chunk := make([]byte, 32<<10)
	for {
		n, err := t.person.Read(chunk)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.output.Write(chunk[:n])
		_, _ = t.em.Write(chunk[:n])
		t.look()
		t.mu.Unlock()
	}
}

// look takes the screen as it is, unless a frame is half drawn. The caller
// holds mu.
func (t *terminal) look() {
	if !t.partial {
		t.screen = trimScreen(t.em.String())
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

func trimScreen(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// start runs a program with the terminal as its controlling one.
func (t *terminal) start(cmd *exec.Cmd) error {
	if t.cmd != nil {
		return errors.New("a program is running on the terminal")
	}
	t.mu.Lock()
	t.output.Reset()
	t.mu.Unlock()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.tty, t.tty, t.tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	t.cmd, t.exited = cmd, make(chan struct{})
	go func(exited chan struct{}) {
		defer close(exited)
		_ = cmd.Wait()
	}(t.exited)
	return nil
}

func (t *terminal) resize(width, height int) error {
	t.mu.Lock()
	t.em.Resize(width, height)
	t.mu.Unlock()
	return pty.Setsize(t.tty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
}

// send is what a person types, as bytes.
func (t *terminal) send(bytes string) error {
	_, err := io.WriteString(t.person, bytes)
	return err
}

// until waits for a whole frame that ok holds for.
func (t *terminal) until(what string, ok func(screen string) bool) error {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		t.mu.Lock()
		screen, changed := t.screen, t.changed
		t.mu.Unlock()
		if ok(screen) {
			return nil
		}
		select {
		case <-changed:
		case <-timeout.C:
			return fmt.Errorf("waited in vain for %s on\n%s", what, screen)
		}
	}
}

// ends waits for the program's end, and checks that it gave the terminal back
// as it was. It returns the exit code.
func (t *terminal) ends() (int, error) {
	if t.cmd == nil {
		return 0, errors.New("no program is running on the terminal")
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-t.exited:
	case <-timeout.C:
		return 0, fmt.Errorf("the program is still running:\n%s", t.text())
	}
	code := t.cmd.ProcessState.ExitCode()
	t.cmd = nil
	return code, t.restored()
}

func (t *terminal) restored() error {
	now, err := lineSettings(t.tty)
	if err != nil {
		return err
	}
	if now != t.before {
		return fmt.Errorf("the line settings are %s, and were %s", now, t.before)
	}
	// What the program wrote last may still be on its way.
	const mark = "\x1b]7501;end\a"
	if _, err := io.WriteString(t.tty, mark); err != nil {
		return err
	}
	var left string
	err = t.until("the main screen with a cursor", func(string) bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		left = fmt.Sprintf("end seen: %v, alternate screen: %v, cursor hidden: %v, last output %q",
			bytes.Contains(t.output.Bytes(), []byte(mark)), t.em.IsAltScreen(), t.hidden, t.output.Bytes()[max(0, t.output.Len()-300):])
		return bytes.Contains(t.output.Bytes(), []byte(mark)) && !t.em.IsAltScreen() && !t.hidden
	})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, left)
	}
	return nil
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen
}

// close ends a program that still runs, and the terminal. It can be opened
// anew then.
func (t *terminal) close() {
	if t.person == nil {
		return
	}
	if t.cmd != nil {
		_ = t.cmd.Process.Kill()
		<-t.exited
		t.cmd = nil
	}
	_ = t.tty.Close()
	_ = t.person.Close()
	_ = t.em.InputPipe().(io.Closer).Close()
	t.reading.Wait()
	t.person = nil
}

// lineSettings are the settings of a terminal's line discipline, to compare.
func lineSettings(tty *os.File) (string, error) {
	state, err := term.GetState(tty.Fd())
	return fmt.Sprintf("%+v", state), err
}
