//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

type terminalKey struct{}

// A scriptCommand is a command of the scripts; its error fails the script.
type scriptCommand func(ts *testscript.TestScript, neg bool, args []string) error

// scriptCommands are what scripts can do beside testscript's own commands:
//
//	terminal WxH           open a terminal
//	start PROGRAM ARG…     start a program on it
//	[!] see TEXT…          wait until all of it is on the screen (none of it)
//	ready                  wait until what is asked takes keys
//	until TEXT             wait until TEXT is what the screen ends with
//	[!] printed TEXT       whether TEXT, with Go's escapes, was sent to the terminal
//	key NAME…              press keys: y, enter, ctrl+c
//	type TEXT              type, with \r for Enter
//	paste TEXT             paste, bracketed
//	resize WxH             make the terminal larger or smaller
//	signal NAME            send the program a signal: TERM, HUP
//	ends CODE              wait for its end; the terminal is as it was before
//	exits CODE PROGRAM…    run a program without any terminal
//	fill FILE SIZE [TEXT]  write so many bytes, of TEXT repeated, with Go's escapes
//	[!] locked FILE        whether some process holds FILE
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]scriptCommand{
		"terminal": openTerminal, "start": startProgram, "see": see, "ready": ready, "until": untilLast, "printed": printed,
		"key": pressKeys, "type": typeText, "paste": pasteText, "resize": resize,
		"signal": sendSignal, "ends": waitEnd, "exits": runDetached, "fill": fillFile, "locked": locked,
	}
	commands := map[string]func(*testscript.TestScript, bool, []string){}
	for name, do := range all {
		commands[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			if err := do(ts, neg, args); err != nil {
				ts.Fatalf("%s: %v", name, err)
			}
		}
	}
	return commands
}

func terminalOf(ts *testscript.TestScript) *terminal { return ts.Value(terminalKey{}).(*terminal) }

func sizeOf(arg string) (width, height int, err error) {
	_, err = fmt.Sscanf(arg, "%dx%d", &width, &height)
	return width, height, err
}

func openTerminal(ts *testscript.TestScript, _ bool, args []string) error {
	width, height, err := sizeOf(args[0])
	if err != nil {
		return err
	}
	t := terminalOf(ts)
	t.close()
	*t = terminal{}
	ts.Defer(t.close)
	return t.open(width, height)
}

func startProgram(ts *testscript.TestScript, _ bool, args []string) error {
	return terminalOf(ts).start(programOf(ts, args))
}

// programOf is a program of the script, with the script's environment.
func programOf(ts *testscript.TestScript, args []string) *exec.Cmd {
	path := args[0]
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if found, err := exec.LookPath(filepath.Join(dir, args[0])); err == nil {
			path = found
			break
		}
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "BLITZ_HOME", "PATH", "TERM", "TMPDIR", "LANG", "SHOP", "EDITOR", "VISUAL", "GOCOVERDIR", "GORACE"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	return cmd
}

func see(ts *testscript.TestScript, neg bool, args []string) error {
	what := fmt.Sprintf("%q", args)
	if neg {
		what += " to go"
	}
	return terminalOf(ts).until(what, func(screen string) bool {
		return !slices.ContainsFunc(args, func(text string) bool {
			if neg {
				return strings.Contains(screen, text)
			}
			return !shows(screen, text)
		})
	})
}

// shows reports whether text is on a screen, also where it goes on in the next
// row: that depends on the length of the paths before it.
func shows(screen, text string) bool {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return strings.Contains(screen, text) || strings.Contains(flat(screen), flat(text))
}

// ready waits until keys answer. They don't while a request is new, which the
// screen says, above the answers. Before the program knows that the terminal
// can tell whole frames from halves, that row is drawn before the answers are.
func ready(ts *testscript.TestScript, _ bool, _ []string) error {
	return terminalOf(ts).until("answers that take keys", func(screen string) bool {
		answers := strings.Contains(screen, "\n▸ ") || strings.Contains(screen, " ▸ y once") || strings.Contains(screen, "\n  Enter save") || strings.Contains(screen, "\n  Enter send the answers")
		return answers && !strings.Contains(screen, "◌") && !strings.Contains(screen, "came too early")
	})
}

// untilLast waits for what the cursor stands behind.
func untilLast(ts *testscript.TestScript, _ bool, args []string) error {
	last := strings.TrimRight(args[0], " ")
	return terminalOf(ts).until(fmt.Sprintf("%q at the end", last), func(screen string) bool { return strings.HasSuffix(screen, last) })
}

func printed(ts *testscript.TestScript, neg bool, args []string) error {
	text, err := strconv.Unquote(`"` + args[0] + `"`)
	if err != nil {
		return err
	}
	t := terminalOf(ts)
	t.mu.Lock()
	defer t.mu.Unlock()
	if strings.Contains(t.output.String(), text) == neg {
		return fmt.Errorf("%q was sent: %v, in %q", text, neg, t.output.String())
	}
	return nil
}

var keyBytes = map[string]string{
	"enter": "\r", "esc": "\x1b", "space": " ", "tab": "\t", "shift+tab": "\x1b[Z", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "f1": "\x1bOP",
}

func pressKeys(ts *testscript.TestScript, _ bool, args []string) error {
	for _, name := range args {
		bytes, named := keyBytes[name]
		letter, ctrl := strings.CutPrefix(name, "ctrl+")
		switch {
		case named:
		case ctrl && len(letter) == 1:
			bytes = string(letter[0] & 0x1f)
		case len([]rune(name)) == 1:
			bytes = name
		default:
			return fmt.Errorf("no key is called %q", name)
		}
		if err := terminalOf(ts).send(bytes); err != nil {
			return err
		}
	}
	return nil
}

func typeText(ts *testscript.TestScript, _ bool, args []string) error {
	return terminalOf(ts).send(strings.ReplaceAll(args[0], `\r`, "\r"))
}

func pasteText(ts *testscript.TestScript, _ bool, args []string) error {
	return terminalOf(ts).send("\x1b[200~" + strings.ReplaceAll(args[0], `\r`, "\r") + "\x1b[201~")
}

func resize(ts *testscript.TestScript, _ bool, args []string) error {
	width, height, err := sizeOf(args[0])
	if err != nil {
		return err
	}
	return terminalOf(ts).resize(width, height)
}

func sendSignal(ts *testscript.TestScript, _ bool, args []string) error {
	t := terminalOf(ts)
	if t.cmd == nil {
		return errors.New("no program is running")
	}
	return t.cmd.Process.Signal(unix.SignalNum("SIG" + args[0]))
}

func waitEnd(ts *testscript.TestScript, _ bool, args []string) error {
	got, err := terminalOf(ts).ends()
	if err != nil {
		return err
	}
	return sameCode(got, args[0])
}

func sameCode(got int, want string) error {
	if strconv.Itoa(got) != want {
		return fmt.Errorf("the exit code is %d, not %s", got, want)
	}
	return nil
}

// runDetached runs a program in a session of its own, which has no terminal
// even if the test has one.
func runDetached(ts *testscript.TestScript, _ bool, args []string) error {
	cmd := programOf(ts, args[1:])
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return sameCode(cmd.ProcessState.ExitCode(), args[0])
}

func fillFile(ts *testscript.TestScript, _ bool, args []string) error {
	size, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	pattern := []byte("0123456789 a line of a large file, which nobody reads to its end\n")
	if len(args) > 2 {
		text, err := strconv.Unquote(`"` + args[2] + `"`)
		if err != nil {
			return err
		}
		pattern = []byte(text)
	}
	content := make([]byte, 0, size+len(pattern))
	for len(content) < size {
		content = append(content, pattern...)
	}
	return os.WriteFile(ts.MkAbs(args[0]), content[:size], 0o644)
}

// locked looks at a file that a process locks while it lives: the system
// takes the lock back when it ends, however it ends.
func locked(ts *testscript.TestScript, neg bool, args []string) error {
	lock := flock.New(ts.MkAbs(args[0]))
	free, err := lock.TryLock()
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if free != neg {
		return fmt.Errorf("%s: held by a process: %v", args[0], !free)
	}
	return nil
}
