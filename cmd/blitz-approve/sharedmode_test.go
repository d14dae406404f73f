//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An office is a workspace with sessions on terminals of their own.
type office struct {
	t    *testing.T
	home string
	work string
	desk *terminal // where the inbox is, once it is open
}

func newOffice(t *testing.T) *office {
	d := &office{t: t, home: t.TempDir(), work: t.TempDir()}
	return d
}

func (d *office) command(args ...string) *exec.Cmd {
	cmd := exec.Command("blitz-approve", append([]string{"--workspace", d.work}, args...)...)
	cmd.Dir = d.work
	cmd.Env = append(os.Environ(), "BLITZ_HOME="+d.home, "HOME="+d.work, "TERM=xterm-256color", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// session starts a session on a terminal and waits until it can be prompted.
func (d *office) session(args ...string) *terminal {
	d.t.Helper()
	term := &terminal{}
	if err := term.open(110, 30); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(term.close)
	if err := term.start(d.command(append([]string{"run"}, args...)...)); err != nil {
		d.t.Fatal(err)
	}
	return term
}

func (d *office) sees(term *terminal, texts ...string) {
	d.t.Helper()
	err := term.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !shows(screen, text) {
				return false
			}
		}
		return true
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *office) sends(term *terminal, keys string) {
	d.t.Helper()
	if err := term.send(keys); err != nil {
		d.t.Fatal(err)
	}
}

func (d *office) runs(want string, args ...string) {
	d.t.Helper()
	out, err := d.command(args...).CombinedOutput()
	if !strings.Contains(string(out), want) {
		d.t.Errorf("%q: %v\n%s\nwant %s", args, err, out, want)
	}
}

func (d *office) ends(term *terminal) {
	d.t.Helper()
	d.sends(term, "\x04")
	if code, err := term.ends(); code != 0 || err != nil {
		d.t.Errorf("exit code %d, %v", code, err)
	}
}

// TestModeOfAllSessions changes the mode in one process with Shift+Tab: the
// other takes it, and so what waits there is settled. It ends with the last
// session (APR-14).
func TestModeOfAllSessions(t *testing.T) {
	d := newOffice(t)
	one := d.session("--approval-mode", "default", "-p", "go", "--", "fake-agent", "write:a.txt:text")
	d.sees(one, "a.txt", "1 waiting")
	two := d.session("--", "fake-agent", "say:hello")
	d.sees(two, "type the next prompt", "default")
	d.runs("default  (flag", "mode")

	d.sends(two, "\x1b[Z")
	d.sees(two, "accept edits")
	d.sees(one, "Request 1 was done", "accept edits", "chosen in a session")
	if _, err := os.Stat(filepath.Join(d.work, "a.txt")); err != nil {
		t.Error(err)
	}
	d.runs("accept-edits  (chosen in a session", "mode")

	d.runs("in every session that is open here", "mode", "plan")
	d.sees(one, "plan", "chosen with blitz-approve mode")
	d.sees(two, "chosen with blitz-approve mode")
	d.runs("bypass needs an active OS sandbox", "mode", "bypass")
	d.runs("use one of default, accept-edits, auto", "mode", "planing")
	d.runs("careful: everything passes", "mode", "yolo")
	d.sees(one, "yolo · no sandbox")

	d.ends(one)
	d.ends(two)
	d.runs("plan  (chosen with blitz-approve mode", "mode")
	d.runs("auto again  (built-in)", "mode", "--reset")
	three := d.session("--", "fake-agent", "say:hello")
	d.sees(three, "type the next prompt", "auto")
	d.ends(three)
}

// TestModeFileBroken starts in default, says so, and keeps the file (APR-14).
func TestModeFileBroken(t *testing.T) {
	d := newOffice(t)
	d.runs("mode plan, for sessions and hooks here, until you choose another", "mode", "plan")
	files, err := filepath.Glob(filepath.Join(d.home, "workspaces", "*", "mode.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.runs("can't be read", "mode")
	term := d.session("--", "fake-agent", "say:hello")
	d.sees(term, "type the next prompt", "default", "mend or remove the file")
	d.sends(term, "\x1b[Z")
	d.sees(term, "accept edits", "in this session only")
	d.ends(term)
	if data, err := os.ReadFile(files[0]); err != nil || string(data) != "{" {
		t.Errorf("the file is now %q, %v", data, err)
	}
}

// APR-14: a session that nobody sits at keeps the mode of its flag until a person
// chooses another for all.
func TestChosenModeReachesStreams(t *testing.T) {
	d := newOffice(t)
	if err := os.WriteFile(filepath.Join(d.home, "settings.toml"), []byte("[permissions]\nallow = [\"shell(make)\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := d.command("stream", "--approval-mode", "always-ask")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer end.Stop()
	answers := bufio.NewScanner(out)
	ask := func() string {
		fmt.Fprintln(in, `{"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"make"}}`)
		if !answers.Scan() {
			t.Fatal("it ended before the mode reached it")
		}
		return answers.Text()
	}
	if said := ask(); !strings.Contains(said, `"cause":"rule-allow"`) {
		t.Error(said)
	}
	if said, err := d.command("mode", "plan").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for !strings.Contains(ask(), `"cause":"mode-plan"`) {
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
