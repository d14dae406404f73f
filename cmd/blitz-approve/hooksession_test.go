//go:build unix

package main

import (
	"encoding/json"
	"testing"
)

// hookIn starts Claude Code's hook on a command of one of its sessions.
func (d *office) hookIn(session, command string) *errand {
	d.t.Helper()
	text, err := json.Marshal(map[string]any{
		"session_id": session, "cwd": d.work, "hook_event_name": "PreToolUse",
		"tool_name": "Bash", "tool_input": map[string]any{"command": command},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return d.hookOf("claude", text)
}

// TestHookSessionAtDesk: an answer for the session of a hook's agent holds in the
// hooks that come after it, each a process of its own, and in one that waits; not
// in another session, against a rule, after it was taken back or at another desk
// (BEY-01, BEY-07).
func TestHookSessionAtDesk(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	const allow, deny = `"permissionDecision":"allow"`, `"permissionDecision":"deny"`
	const stands = "approved at the desk for this session: touch it"
	refused := func(e *errand) {
		t.Helper()
		d.sees(term, "touch it", "1 waiting")
		d.answers(term, "n")
		d.comes(e, 0, deny, "the user declined")
		d.sees(term, "nothing waits")
	}
	one := d.hookIn("s1", "touch it")
	d.sees(term, "1 waiting")
	waits := d.hookIn("s1", "touch it")
	d.sees(term, "1 agent ", "2 waiting", "s session: this exact command") // two hooks of one
	d.answers(term, "s")
	d.comes(one, 0, allow, "a person approved it for this session")
	d.comes(waits, 0, allow, stands)
	d.sees(term, "nothing waits", "session: touch it", "no longer asked", "session rule")
	d.comes(d.hookIn("s1", "touch it"), 0, allow, stands)
	d.runs(stands, "why", "last")
	d.runs("decided    by person · step remembered · cause session-rule", "why", "last")

	refused(d.hookIn("s2", "touch it"))
	d.runs("", "rules", "add", "deny", "shell(touch *)")
	d.comes(d.hookIn("s1", "touch it"), 0, deny, "a rule denies it")
	d.runs("", "rules", "remove", "deny", "shell(touch *)")
	d.comes(d.hookIn("s1", "touch it"), 0, allow, stands)

	e := d.hookIn("s2", "touch it")
	d.sees(term, "1 waiting")
	d.answers(term, "m")
	d.comes(e, 0, allow, "a person approved it until")
	d.sees(term, "nothing waits", "15 min left: touch it and 1 more")
	d.comes(d.hookIn("s2", "touch it"), 0, allow, "approved at the desk until")

	d.sends(term, "\x12") // Ctrl+R
	d.sees(term, "what was approved for a while is asked again")
	for _, session := range []string{"s1", "s2"} {
		e = d.hookIn(session, "touch it")
		d.sees(term, "1 waiting", "session "+session)
		if err := e.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		d.comes(e, -1)
		d.sees(term, "nothing waits")
	}
	d.ends(term)
}

// TestHookSessionEndsWithDesk: what stood at a desk doesn't at the next (BEY-01).
func TestHookSessionEndsWithDesk(t *testing.T) {
	d := newOffice(t)
	for range 2 {
		term := d.inbox()
		e := d.hookIn("s1", "touch it")
		d.sees(term, "1 waiting")
		d.answers(term, "s")
		d.comes(e, 0, "a person approved it for this session")
		d.sees(term, "nothing waits", "session: touch it")
		d.ends(term)
	}
}
