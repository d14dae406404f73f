//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// inbox opens the desk on a terminal.
func (d *office) inbox() *terminal {
	d.t.Helper()
	term := &terminal{}
	if err := term.open(100, 30); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(term.close)
	if err := term.start(d.command()); err != nil {
		d.t.Fatal(err)
	}
	d.desk = term
	d.sees(term, "This is the desk", "0 agents")
	return term
}

// An errand is a run without a terminal.
type errand struct {
	*exec.Cmd
	out bytes.Buffer
}

// errand starts a run in a session of its own, which has no terminal.
func (d *office) errand(args ...string) *errand {
	d.t.Helper()
	e := &errand{Cmd: d.command(append([]string{"run", "--approval-mode", "default", "-p", "go"}, args...)...)}
	e.Stdout, e.Stderr = &e.out, &e.out
	e.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := e.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = e.Process.Kill() })
	return e
}

func (d *office) comes(e *errand, code int, texts ...string) {
	d.t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = e.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		screen := ""
		if d.desk != nil {
			screen = d.desk.text()
		}
		d.t.Fatalf("%q doesn't end; it said\n%s\non the desk is\n%s", e.Args, &e.out, screen)
	}
	if got := e.ProcessState.ExitCode(); got != code {
		d.t.Errorf("exit code %d, not %d:\n%s", got, code, &e.out)
	}
	for _, text := range texts {
		if !strings.Contains(e.out.String(), text) {
			d.t.Errorf("no %q in\n%s", text, &e.out)
		}
	}
}

// line is what the desk lists of a decision: whose it was, where, and what.
func (d *office) line(mark, what string) string {
	return mark + " fake-agent · " + filepath.Base(d.work) + " " + what
}

// answers waits until keys are taken, and presses one.
func (d *office) answers(term *terminal, key string) {
	d.t.Helper()
	err := term.until("answers that take keys", func(screen string) bool {
		return strings.Contains(screen, "▸ y once") && !strings.Contains(screen, "◌ a moment")
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.sends(term, key)
}

func (d *office) exists(name string, want bool) {
	d.t.Helper()
	if _, err := os.Stat(filepath.Join(d.work, name)); (err == nil) != want {
		d.t.Errorf("%s: %v", name, err)
	}
}

// TestOneInbox: two agents in processes without terminals ask at one desk, in
// the order in which they came; what is shown stays until it is answered, and
// what rules settle is listed too (BEY-01).
func TestOneInbox(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	if err := os.WriteFile(filepath.Join(d.work, "a.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	one := d.errand("--", "fake-agent", "edit:a.txt:one:two", "run:ls", "run:touch first")
	d.sees(term, "a.txt", "+ two", "1 agent", "1 waiting")
	two := d.errand("--desk", "--", "fake-agent", "run:touch second")
	d.sees(term, "a.txt", "+ two", "2 agents", "2 waiting", "1 of 2")
	d.exists("second", false)
	d.answers(term, "y")
	// The edit was the oldest; then the other agent's request is.
	d.sees(term, "touch second", "2 waiting", d.line("✓", "a.txt"), d.line("✓", "ls"))
	d.answers(term, "n")
	d.comes(two, 1, "deny   touch second  (user-refused)")
	d.sees(term, "touch first", "1 agent ", "1 waiting", d.line("✗", "touch second"))
	d.answers(term, "y")
	d.comes(one, 0, "allow  a.txt  (user-once)", "3 allowed, 0 refused")
	d.exists("first", true)
	d.exists("second", false)
	d.sees(term, "0 agents", "nothing waits")
	d.ends(term)
	d.runs("touch second", "audit", "--verdict", "deny")
}

// TestTurnCancelledAtDesk: Ctrl+C ends the turn of the agent whose request is
// shown, and nobody else's (APR-30).
func TestTurnCancelledAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	one := d.errand("--", "fake-agent", "run:touch first", "run:touch never")
	d.sees(term, "touch first", "1 waiting")
	two := d.errand("--", "fake-agent", "run:touch second")
	d.sees(term, "2 waiting")
	d.sends(term, "\x03")
	d.comes(one, 1, "deny   touch first  (cancelled)")
	d.sees(term, "touch second", "1 waiting", d.line("✗", "touch first"))
	d.answers(term, "y")
	d.comes(two, 0)
	d.exists("never", false)
	d.exists("second", true)
	d.ends(term)
}

// TestMessageAtDesk: a message that refuses reaches the agent once, in a turn that
// follows; what the agent asks after it is asked of the person anew (TAM-21).
func TestMessageAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	one := d.errand("--", "fake-agent", "heard:heard.json", "run:touch one", "run:touch two")
	for _, answer := range []struct{ asked, keys, settled string }{
		{"touch one", "nope\r", d.line("✗", "touch one")}, {"touch two", "nope\r", d.line("✗", "touch two")},
		{"touch one", "y", d.line("✓", "touch one")}, {"touch two", "n", "nothing waits"},
	} {
		d.sees(term, "run_command  "+answer.asked, "1 waiting")
		d.answers(term, answer.keys)
		d.sees(term, answer.settled)
	}
	d.comes(one, 1, "1 allowed, 3 refused")
	d.exists("one", true)
	d.exists("two", false)
	if heard, err := os.ReadFile(filepath.Join(d.work, "heard.json")); err != nil || bytes.Count(heard, []byte("nope")) != 1 {
		t.Errorf("the agent heard %s (%v)", heard, err)
	}
	d.ends(term)
}

// TestAgentDiesAtDesk: what a killed process asked is withdrawn; its file is
// not touched, and the desk goes on.
func TestAgentDiesAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	one := d.errand("--", "fake-agent", "run:touch first")
	d.sees(term, "touch first", "1 waiting")
	two := d.errand("--", "fake-agent", "run:touch second")
	d.sees(term, "2 waiting")
	if err := one.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	d.comes(one, -1)
	d.sees(term, "no longer asked", "touch second", "1 waiting", "1 agent")
	d.answers(term, "y")
	d.comes(two, 0)
	d.exists("first", false)
	d.exists("second", true)
	d.ends(term)
}

// TestDeskLeaves: when the person leaves, what waits is refused, and the next
// run finds no desk.
func TestDeskLeaves(t *testing.T) {
	d := newOffice(t)
	d.comes(d.errand("--desk", "--", "fake-agent", "run:touch it"), 3, "no desk is open")
	term := d.inbox()
	second := d.command()
	second.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if out, _ := second.CombinedOutput(); second.ProcessState.ExitCode() != 3 || !strings.Contains(string(out), "start blitz-approve in a terminal") {
		t.Errorf("without a terminal: %v\n%s", second.ProcessState, out)
	}
	other := &terminal{}
	if err := other.open(80, 24); err != nil {
		t.Fatal(err)
	}
	defer other.close()
	if err := other.start(d.command()); err != nil {
		t.Fatal(err)
	}
	if code, err := other.ends(); code != 2 || err != nil {
		t.Errorf("a second desk: %d, %v", code, err)
	}
	one := d.errand("--", "fake-agent", "run:touch it")
	d.sees(term, "touch it", "1 waiting")
	d.sends(term, "\x04")
	d.sees(term, "ctrl+d again leaves, and refuses what waits")
	select {
	case <-term.exited:
		t.Error("one Ctrl+D leaves while something waits")
	case <-time.After(time.Second): // sooner it might be a key that is held
	}
	d.sends(term, "\x04")
	if code, err := term.ends(); code != 0 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	d.comes(one, 1, "deny   touch it")
	term = d.inbox()
	one = d.errand("--", "fake-agent", "run:touch it")
	d.sees(term, "touch it", "1 waiting")
	if err := term.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, err := term.ends(); code != 130 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	d.comes(one, 1, "deny   touch it")
	d.exists("it", false)
	// A desk that was killed is replaced.
	term = d.inbox()
	if err := term.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = term.ends()
	d.ends(d.inbox())
	d.comes(d.errand("--", "fake-agent", "run:touch it"), 3, "no-approver")
}

// hook starts Claude Code's hook on one event.
func (d *office) hook(event, tool string, input map[string]any, args ...string) *errand {
	d.t.Helper()
	text, err := json.Marshal(map[string]any{
		"session_id": "s1", "cwd": d.work, "permission_mode": "default", "hook_event_name": event,
		"tool_name": tool, "tool_input": input, "tool_use_id": "t1",
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return d.hookOf("claude", text, args...)
}

// hookOf starts the hook of an agent on one event.
func (d *office) hookOf(agent string, event []byte, args ...string) *errand {
	d.t.Helper()
	e := &errand{Cmd: d.command(append([]string{"hook", agent, "--approval-mode", "default"}, args...)...)}
	e.Stdin, e.Stdout, e.Stderr = bytes.NewReader(event), &e.out, &e.out
	e.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := e.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = e.Process.Kill() })
	return e
}

// TestHookAtDesk: Claude Code's hook asks at the desk, beside other agents: an
// edit with its diff, a no with a reason, a cancelled turn, an edited command
// (BEY-01, BEY-05).
func TestHookAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	if err := os.WriteFile(filepath.Join(d.work, "a.txt"), []byte("one\nmore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	edit := map[string]any{"file_path": filepath.Join(d.work, "a.txt"), "old_string": "one", "new_string": "two", "replace_all": false}
	e := d.hook("PreToolUse", "Edit", edit)
	d.sees(term, "Claude Code asks", "- one", "+ two", "1 agent")
	d.sees(term, "s session: file edits in the workspace")
	d.answers(term, "y")
	d.comes(e, 0, `"permissionDecision":"allow"`)
	d.sees(term, "0 agents", "nothing waits")

	e = d.hook("PermissionRequest", "Edit", edit)
	d.sees(term, "- one", "+ two")
	d.answers(term, "no, keep it\r")
	d.comes(e, 0, `"behavior":"deny"`, "keep it")
	d.sees(term, "0 agents", "nothing waits")

	command := map[string]any{"command": "touch it", "description": "Touch it"}
	e = d.hook("PreToolUse", "Bash", command)
	d.sees(term, "touch it")
	d.sends(term, "\x03")
	d.comes(e, 0, `"continue":false`, `"permissionDecision":"deny"`)
	d.sees(term, "0 agents", "nothing waits")

	e = d.hook("PermissionRequest", "Bash", command)
	d.sees(term, "touch it", "1 waiting")
	d.answers(term, "e")
	d.sees(term, "run ›")
	d.sends(term, " too\r")
	d.sees(term, "you edited", "touch it too")
	d.answers(term, "y")
	d.comes(e, 0, `"behavior":"allow","updatedInput":{"command":"touch it too","description":"Touch it"}`)
	d.sees(term, "0 agents", "nothing waits")
	d.ends(term)
}

// TestHookQuestionAtDesk: the model's questions are asked at the desk, and Claude
// Code gets the answers with the call (APR-40, BEY-01).
func TestHookQuestionAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	options := []map[string]any{{"label": "SQLite", "description": "One file"}, {"label": "Postgres", "description": "A server"}}
	input := map[string]any{"questions": []map[string]any{{"question": "Which store?", "header": "Store", "options": options, "multiSelect": false}}}
	ready := func() {
		t.Helper()
		err := term.until("a question that takes keys", func(screen string) bool {
			return strings.Contains(screen, "Which store?") && !strings.Contains(screen, "◌ a moment")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	e := d.hook("PreToolUse", "AskUserQuestion", input)
	d.sees(term, "Claude Code", "Which store?", "SQLite", "A server", "1 waiting")
	ready()
	d.sends(term, "2")
	d.comes(e, 0, `"permissionDecision":"allow"`, `"updatedInput":{"answers":{"Which store?":"Postgres"},"questions":[`)
	d.sees(term, "0 agents", "nothing waits")

	e = d.hook("PermissionRequest", "AskUserQuestion", input)
	d.sees(term, "Which store?", "1 waiting")
	ready()
	d.sends(term, "\x1b")
	d.comes(e, 0, `"behavior":"deny","message":"the person declined to answer"`)
	d.sees(term, "0 agents", "nothing waits")
	d.ends(term)
	d.comes(d.hook("PreToolUse", "AskUserQuestion", input), 0)
}

// TestHookLeftAtDesk: what is left to the agent isn't ticked as if somebody had
// seen it (BEY-01).
func TestHookLeftAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	for tool, input := range map[string]map[string]any{"ExitPlanMode": {"plan": "x"}, "Read": {"file_path": "/usr/share/words"}} {
		e := d.hook("PreToolUse", tool, input)
		d.comes(e, 0)
		if e.out.Len() > 0 {
			t.Errorf("%s is answered %s", tool, &e.out)
		}
	}
	place := " Claude Code · " + filepath.Base(d.work)
	d.sees(term, "·"+place+" ExitPlanMode", "·"+place+" /usr/share/words", "left to agent")
	d.ends(term)
}

// TestHookGrantsAtDesk: what a person grants at the desk to the agent of a hook is
// saved, and the next hook of that agent asks nothing (BEY-01, TAM-07).
func TestHookGrantsAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	read := map[string]any{"file_path": filepath.Join(d.work, "a.txt")}
	e := d.hook("PreToolUse", "Read", read, "--approval-mode", "always-ask-cached")
	d.sees(term, "Claude Code asks", "s always file", "f always directory", "only what is saved lasts")
	d.answers(term, "s")
	d.comes(e, 0, `"permissionDecision":"allow"`)
	d.sees(term, "0 agents", "nothing waits")
	d.comes(d.hook("PreToolUse", "Read", read, "--approval-mode", "always-ask-cached"), 0, `"permissionDecision":"allow"`)
}

// TestHookTimeAtDesk: a hook refuses before its time is over, since a call goes
// on when its hook is cut off. What it asked is withdrawn.
func TestHookTimeAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	e := d.hook("PreToolUse", "Bash", map[string]any{"command": "touch it"}, "--limit", "6s")
	d.comes(e, 0, `"permissionDecision":"deny"`)
	d.sees(term, "no longer asked", "the hook's time is over", "0 agents")
	d.ends(term)
}

// TestHooksOfAgentsAtDesk: other agents come to the same desk. Copilot CLI comes
// twice with a call, and the person is asked once; what it is refused at once is
// listed (BEY-01).
func TestHooksOfAgentsAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	command := map[string]any{"command": "touch it"}
	event := func(fields map[string]any) []byte {
		fields["cwd"] = d.work
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	e := d.hookOf("copilot", event(map[string]any{"sessionId": "s", "toolName": "bash", "toolArgs": command}))
	d.comes(e, 0)
	if e.out.Len() > 0 {
		t.Errorf("the first time it is told %s", &e.out)
	}
	e = d.hookOf("copilot", event(map[string]any{"hookName": "permissionRequest", "sessionId": "s", "toolName": "bash", "toolInput": command}))
	d.sees(term, "Copilot CLI asks", "touch it", "1 waiting")
	d.answers(term, "not now\r")
	d.comes(e, 0, `{"behavior":"deny","message":"the user declined bash (touch it). They say: not now"}`)
	d.sees(term, "nothing waits", "✗ Copilot CLI · "+filepath.Base(d.work)+" touch it")

	e = d.hookOf("gemini", event(map[string]any{"hook_event_name": "BeforeTool", "session_id": "s", "tool_name": "run_shell_command", "tool_input": command}))
	d.sees(term, "Gemini CLI asks", "1 waiting")
	d.answers(term, "e")
	d.sees(term, "run ›")
	d.sends(term, " too\r")
	d.sees(term, "you edited", "touch it too")
	d.answers(term, "y")
	d.comes(e, 0, `{"decision":"allow","hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"touch it too"}}}`)
	d.sees(term, "nothing waits")

	e = d.hookOf("codex", event(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": map[string]any{"command": "touch me"}}))
	d.sees(term, "Codex asks", "touch me", "1 waiting")
	d.answers(term, "y")
	d.comes(e, 0)
	if e.out.Len() > 0 {
		t.Errorf("an allow that Codex takes for a fault: %s", &e.out)
	}
	d.sees(term, "nothing waits")

	// Codex comes again with a call that leaves its sandbox: the yes counts for
	// it, once, and for no other call or session.
	again := func(session, command string) *errand {
		return d.hookOf("codex", event(map[string]any{"hook_event_name": "PermissionRequest", "session_id": session, "tool_name": "Bash",
			"tool_input": map[string]any{"command": command, "description": "It must be"}}))
	}
	for _, call := range [][2]string{{"s", "touch you"}, {"s2", "touch me"}} {
		other := again(call[0], call[1])
		d.sees(term, "Codex asks", "1 waiting")
		d.answers(term, "n")
		d.comes(other, 0, `"behavior":"deny"`)
		d.sees(term, "nothing waits")
	}
	d.comes(again("s", "touch me"), 0, `"behavior":"allow"`)
	e = again("s", "touch me")
	d.sees(term, "Codex asks", "touch me", "1 waiting")
	d.answers(term, "n")
	d.comes(e, 0, `"behavior":"deny"`)
	d.sees(term, "nothing waits")
	d.ends(term)
}
