//go:build unix

package tui

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A real terminal takes a process of its own, which has it as its controlling
// terminal: this test's program again, in a part named by the environment.
const partVariable = "BLITZ_APPROVE_TERMINAL_TEST"

func TestTerminalPart(t *testing.T) {
	part := os.Getenv(partVariable)
	if part == "" {
		return // not started by a test below
	}
	switch part {
	case "parent of a background job":
		runBackgroundJob()
	case "shell":
		runForegroundJob()
	}
	if part == "unread lines" {
		runUnreadLines()
	}
	term, err := OpenTerminal()
	if err != nil {
		fmt.Println("error", errors.Is(err, ErrNoTerminal), errors.Is(err, ErrBackground))
		os.Exit(3)
	}
	p := tea.NewProgram(&keyPrinter{term: term}, term.ProgramOptions()...)
	term.QuitOnSignal(func() {
		fmt.Println("asked to quit")
		if part != "stubborn" && part != "stuck" {
			p.Quit()
		}
	})
	if part == "stuck" {
		go func() {
			fillTerminal()
			_, _ = io.WriteString(term, "drawing")
		}()
		select {}
	}
	if part == "unread" {
		fillTerminal()
	}
	if part == "stubborn" {
		fmt.Println("ready")
		select {}
	}
	_, err = p.Run()
	fmt.Println("ended", err, term.Signal(), term.Close())
	os.Exit(0)
}

// runUnreadLines asks in lines on a terminal that takes no output.
func runUnreadLines() {
	term, err := OpenLineTerminal()
	if err != nil {
		fmt.Println("error", err)
		os.Exit(3)
	}
	p := NewPlain(Options{}, term, term)
	term.QuitOnSignal(p.Quit)
	answered := make(chan error)
	go func() {
		_, err := p.Approve(context.Background(), command("make"))
		answered <- err
	}()
	p.Show(AgentSaid{strings.Repeat("x", 4<<20)}) // more than is dropped at a time
	fillTerminal()
	err = p.Run(context.Background())
	fmt.Println("answered", <-answered)
	fmt.Println("ended", err, term.Signal(), term.Close())
	os.Exit(0)
}

// fillTerminal writes until the terminal takes no more.
func fillTerminal() {
	fd, err := unix.Open("/dev/tty", unix.O_WRONLY|unix.O_NONBLOCK, 0)
	for err == nil {
		_, err = unix.Write(fd, []byte("x"))
	}
	fmt.Println("ready", err)
}

func runBackgroundJob() {
	job := exec.Command(os.Args[0], os.Args[1:]...)
	job.Env = append(os.Environ(), partVariable+"=background job")
	job.Stdout = os.Stdout
	job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	_ = job.Run()
	os.Exit(job.ProcessState.ExitCode())
}

// runForegroundJob does what a shell does: it gives the terminal to a job, takes
// it when the job stops, and resumes the job when it reads a line.
func runForegroundJob() {
	signal.Ignore(syscall.SIGTTOU)
	tty := os.Stderr
	job := exec.Command(os.Args[0], os.Args[1:]...)
	job.Env = append(os.Environ(), partVariable+"=job")
	job.Stdout, job.Stderr = os.Stdout, tty
	job.SysProcAttr = &syscall.SysProcAttr{Foreground: true, Ctty: int(tty.Fd())}
	if err := job.Start(); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(job.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			os.Exit(status.ExitStatus())
		}
		_ = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPGRP, syscall.Getpgrp())
		fmt.Println("stopped")
		line, _ := bufio.NewReader(tty).ReadString('\n')
		fmt.Printf("shell read %q\n", line)
		_ = unix.IoctlSetPointerInt(int(tty.Fd()), unix.TIOCSPGRP, job.Process.Pid)
		_ = syscall.Kill(-job.Process.Pid, syscall.SIGCONT)
	}
}

// keyPrinter prints on stdout, which isn't the terminal, what keys it reads.
type keyPrinter struct{ term *Terminal }

func (k *keyPrinter) Init() tea.Cmd { return nil }

func (k *keyPrinter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		fmt.Println("key", msg)
		switch msg.String() {
		case "q":
			return k, tea.Quit
		case "ctrl+z":
			return k, lending(k.term.Suspend)
		}
	case lentMsg:
		fmt.Println("back", msg.err)
	case tea.WindowSizeMsg:
		fmt.Println("ready")
	}
	return k, nil
}

func (k *keyPrinter) View() tea.View {
	v := tea.NewView("a request")
	v.AltScreen = true
	return v
}

// A realTerminal is a pseudo-terminal: the test holds the side that a person
// sits at.
type realTerminal struct {
	person, tty *os.File
	before      unix.Termios
	// says is what the terminal sends when it is first sent the key.
	says map[string]string

	mu   sync.Mutex
	more *sync.Cond
	seen []byte
	late bool // it didn't come in time
}

func openRealTerminal(t *testing.T, says map[string]string) *realTerminal {
	t.Helper()
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	r := &realTerminal{person: person, tty: tty, says: says}
	r.more = sync.NewCond(&r.mu)
	r.before = r.termios(t)
	done := make(chan struct{})
	go func() { defer close(done); r.look() }()
	t.Cleanup(func() {
		_ = tty.Close()
		_ = person.Close()
		<-done
	})
	return r
}

func (r *realTerminal) look() {
	chunk := make([]byte, 4096)
	for {
		n, err := r.person.Read(chunk)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.seen = append(r.seen, chunk[:n]...)
		for _, heard := range []string{leaving, whoAreYou} {
			if bytes.Contains(r.seen, []byte(heard)) {
				_, _ = io.WriteString(r.person, r.says[heard])
				delete(r.says, heard)
			}
		}
		r.more.Broadcast()
		r.mu.Unlock()
	}
}

// shows waits until the terminal was sent s, and has answered it.
func (r *realTerminal) shows(t *testing.T, s string) {
	t.Helper()
	limit := time.AfterFunc(20*time.Second, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.late = true
		r.more.Broadcast()
	})
	defer limit.Stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for !bytes.Contains(r.seen, []byte(s)) {
		if r.late {
			t.Fatalf("the terminal was never sent %q", s)
		}
		r.more.Wait()
	}
}

func (r *realTerminal) termios(t *testing.T) unix.Termios {
	t.Helper()
	s, err := unix.IoctlGetTermios(int(r.tty.Fd()), getTermios)
	if err != nil {
		t.Fatal(err)
	}
	return *s
}

func (r *realTerminal) mustBeRestored(t *testing.T) {
	t.Helper()
	if got := r.termios(t); got != r.before {
		t.Errorf("the terminal was left as %+v, it was %+v", got, r.before)
	}
}

// waiting reads what the next program on the terminal would read at once.
func (r *realTerminal) waiting(t *testing.T) string {
	t.Helper()
	fd := int(r.tty.Fd())
	raw := rawTermios(r.before)
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 0, 0
	if err := unix.IoctlSetTermios(fd, setTermios, &raw); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4096)
	n, err := unix.Read(fd, got)
	if err != nil {
		t.Fatal(err)
	}
	return string(got[:n])
}

// A part is a running process on a terminal, or on none.
type part struct {
	cmd    *exec.Cmd
	stdout *bufio.Scanner
}

func startPart(t *testing.T, name string, r *realTerminal) *part {
	t.Helper()
	// A part that hangs is a fault that some of these tests are for.
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestTerminalPart$")
	cmd.Env = append(os.Environ(), partVariable+"="+name, "TERM=xterm-256color", "GORACE=atexit_sleep_ms=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if r != nil {
		// Only stderr is the terminal: stdin and stdout carry something else.
		cmd.Stderr = r.tty
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 2
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &part{cmd, bufio.NewScanner(stdout)}
}

// says reads the part's lines up to the first one that begins with prefix.
func (p *part) says(t *testing.T, prefix string) (lines []string) {
	t.Helper()
	for p.stdout.Scan() {
		lines = append(lines, p.stdout.Text())
		if strings.HasPrefix(p.stdout.Text(), prefix) {
			return lines
		}
	}
	t.Fatalf("it ended without saying %q; it said %q", prefix, lines)
	return nil
}

// ends reads the rest and waits for the end.
func (p *part) ends() (rest []string) {
	for p.stdout.Scan() {
		rest = append(rest, p.stdout.Text())
	}
	_ = p.cmd.Wait()
	return rest
}

const (
	leaving   = ansi.ResetModeAltScreenSaveCursor
	whoAreYou = ansi.RequestPrimaryDeviceAttributes
)

func anXterm() map[string]string { return map[string]string{whoAreYou: "\x1b[?62;22c"} }

// APR-30, APR-40a: a yes that was typed before the request was there is no
// answer, and the program that asks is the only one that reads.
func TestTerminalDropsTypeAhead_APR30_APR40a(t *testing.T) {
	r := openRealTerminal(t, anXterm())
	_, _ = io.WriteString(r.person, "yes\rs")
	r.shows(t, "yes\r\ns") // the echo: it is in the queue
	p := startPart(t, "asks", r)
	p.says(t, "ready")
	_, _ = io.WriteString(r.person, "nq")
	if got := p.ends(); strings.Join(got, "; ") != "key n; key q; ended <nil> <nil> <nil>" {
		t.Errorf("it read %q", got)
	}
	r.mustBeRestored(t)
	r.shows(t, leaving)
}

// APR-30: however the program ends, the terminal is as it was, and there is
// no answer.
// skipIgnored skips what can't be tested where a signal is ignored, as SIGHUP
// is under nohup: programs inherit that.
func skipIgnored(t *testing.T, s syscall.Signal) {
	t.Helper()
	if signal.Ignored(s) {
		t.Skipf("%s is ignored where this test was started, and so by what it starts", s)
	}
}

func TestTerminalIsRestoredAfterSignals_APR30(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			skipIgnored(t, s)
			r := openRealTerminal(t, anXterm())
			p := startPart(t, "asks", r)
			p.says(t, "ready")
			r.shows(t, "a request")
			_ = p.cmd.Process.Signal(s)
			want := "asked to quit; ended <nil> " + s.String() + " <nil>"
			if got := p.ends(); strings.Join(got, "; ") != want {
				t.Errorf("it said %q, want %q", got, want)
			}
			r.mustBeRestored(t)
			r.shows(t, leaving)
		})
	}
}

func TestTerminalThatHangsUpEndsTheProgram(t *testing.T) {
	skipIgnored(t, syscall.SIGHUP)
	r := openRealTerminal(t, anXterm())
	p := startPart(t, "asks", r)
	p.says(t, "ready")
	_ = r.person.Close()
	if got := p.ends(); len(got) == 0 || got[0] != "asked to quit" && !strings.HasPrefix(got[0], "ended") {
		t.Errorf("it said %q", got)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %s", p.cmd.ProcessState)
	}
}

func TestTerminalSecondSignalEndsAProgramThatHangs(t *testing.T) {
	r := openRealTerminal(t, anXterm())
	p := startPart(t, "stubborn", r)
	p.says(t, "ready")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.says(t, "asked to quit")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.ends()
	if ws := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %s", p.cmd.ProcessState)
	}
	r.mustBeRestored(t)
	for _, on := range []ansi.DECMode{ansi.ModeBracketedPaste, ansi.ModeFocusEvent, ansi.ModeMouseButtonEvent, ansi.ModeMouseExtSgr} {
		r.shows(t, ansi.ResetMode(on))
	}
	r.shows(t, ansi.PopKittyKeyboard(1))
}

// unread is a terminal of which nobody reads what it shows.
func unread(t *testing.T) *realTerminal {
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = person.Close(), tty.Close() })
	r := &realTerminal{person: person, tty: tty}
	r.before = r.termios(t)
	return r
}

// A terminal that takes no output doesn't keep a program from ending at the
// first signal: what waits is refused, and the terminal given back (APR-30).
func TestTerminalFirstSignalEndsAProgramThatCantWrite(t *testing.T) {
	for part, want := range map[string]string{
		"unread":       "ended <nil> terminated <nil>",
		"unread lines": "answered nobody answered: the approval screen has ended; ended <nil> terminated <nil>",
	} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			r := unread(t)
			p := startPart(t, part, r)
			p.says(t, "ready")
			_ = p.cmd.Process.Signal(syscall.SIGTERM)
			if got := p.ends(); !strings.HasSuffix(strings.Join(got, "; "), want) {
				t.Errorf("it said %q, want %q", got, want)
			}
			r.mustBeRestored(t)
		})
	}
}

// A terminal that takes no output doesn't hold up the second signal.
func TestTerminalSecondSignalEndsAProgramThatCantWrite(t *testing.T) {
	r := unread(t)
	p := startPart(t, "stuck", r)
	p.says(t, "ready")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.says(t, "asked to quit")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	p.ends()
	if ws := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %s", p.cmd.ProcessState)
	}
	r.mustBeRestored(t)
}

// Late replies to the program's queries are not the next program's input.
func TestTerminalReadsLateReplies(t *testing.T) {
	says := anXterm()
	says[leaving] = "\x1b[?2026;2$y\x1b[?2027;2$y\x1b[?1u"
	r := openRealTerminal(t, says)
	p := startPart(t, "asks", r)
	p.says(t, "ready")
	_, _ = io.WriteString(r.person, "q")
	p.ends()
	r.shows(t, leaving)
	r.mustBeRestored(t)
	if got := r.waiting(t); got != "" {
		t.Errorf("%q waits for the next program", got)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, after, _ := bytes.Cut(r.seen, []byte(leaving)); bytes.Contains(after, []byte("2026;2")) {
		t.Errorf("the replies were echoed: %q", after)
	}
}

func TestTerminalThatNeverAnswersIsGivenBack(t *testing.T) {
	r := openRealTerminal(t, nil)
	p := startPart(t, "asks", r)
	p.says(t, "ready")
	_, _ = io.WriteString(r.person, "q")
	if got := p.ends(); got[len(got)-1] != "ended <nil> <nil> <nil>" {
		t.Errorf("it said %q", got)
	}
	r.mustBeRestored(t)
}

// A background job that set the terminal would be stopped and never answer.
func TestTerminalIsNotTakenFromTheBackground(t *testing.T) {
	r := openRealTerminal(t, anXterm())
	p := startPart(t, "parent of a background job", r)
	if got := p.ends(); len(got) != 1 || got[0] != "error false true" {
		t.Errorf("it said %q, want ErrBackground", got)
	}
	r.mustBeRestored(t)
}

// APR-30: without a terminal nobody can be asked.
func TestTerminalMissing_APR30(t *testing.T) {
	p := startPart(t, "asks", nil)
	if got := p.ends(); len(got) != 1 || got[0] != "error true false" {
		t.Errorf("it said %q, want ErrNoTerminal", got)
	}
}

// Ctrl+Z gives the shell its terminal, as it was; nothing that was typed there
// reaches the program when it comes back.
func TestTerminalSuspends(t *testing.T) {
	r := openRealTerminal(t, anXterm())
	p := startPart(t, "shell", r)
	r.shows(t, "a request")
	_, _ = io.WriteString(r.person, "\x1a")
	p.says(t, "stopped")
	r.mustBeRestored(t)
	_, _ = io.WriteString(r.person, "fg\n")
	p.says(t, `shell read "fg\n"`)
	p.says(t, "back <nil>")
	_, _ = io.WriteString(r.person, "q")
	rest := p.says(t, "ended")
	keys := slices.DeleteFunc(rest, func(line string) bool { return !strings.HasPrefix(line, "key ") })
	if len(keys) != 1 || keys[0] != "key q" {
		t.Errorf("after coming back it read %q", keys)
	}
	r.mustBeRestored(t)
	p.ends()
}

// Where nobody could resume the program it goes on.
func TestTerminalIsNotSuspendedWithoutShell(t *testing.T) {
	r := openRealTerminal(t, anXterm())
	p := startPart(t, "alone", r)
	r.shows(t, "a request")
	_, _ = io.WriteString(r.person, "\x1a")
	p.says(t, "back "+ErrNotResumable.Error())
	_, _ = io.WriteString(r.person, "q")
	p.says(t, "ended")
	p.ends()
}

func TestEndsInAttributes(t *testing.T) {
	for in, want := range map[string]bool{
		"\x1b[?62;1;6;22c": true, "\x1b[?1u\x1b[?6c": true,
		"": false, "c": false, "abc": false, "\x1b[?62;22": false, "\x1b[62c": false, "\x1b[?62xc": false, "?1c": false,
	} {
		if got := endsInAttributes([]byte(in)); got != want {
			t.Errorf("endsInAttributes(%q) = %t", in, got)
		}
	}
}
