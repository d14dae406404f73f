package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// asClaude is a program that run takes for Claude Code.
func asClaude(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "claude-agent-acp")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexec fake-agent \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// BEY-01: the hook of an agent that run hosts leaves the question to the session,
// so that the person is asked once; a rule refuses in the hook all the same.
func TestHostedAgentAsksOnce_BEY01(t *testing.T) {
	d := newOffice(t)
	term := d.inbox()
	if err := os.WriteFile(filepath.Join(d.home, "settings.toml"), []byte("[permissions]\ndeny = [\"shell(rm)\"]\nallow = [\"shell(touch allowed)\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := d.errand("--desk", "--", asClaude(t), "hooked:touch it", "hooked:touch allowed", "hooked:rm it")
	d.sees(term, "claude asks", "touch it", "1 waiting")
	d.answers(term, "y")
	d.comes(e, 0, `The hook said "ask".`, `The hook said "".`, `The hook said "deny".`, "allow  touch it  (user-once)", "allow  touch allowed  (rule-allow")
	d.exists("it", true)
	d.exists("allowed", true)
	d.sees(term, "0 agents", "nothing waits")
	d.ends(term)
	d.runs("", "audit", "--verdict", "ask") // nothing was left to anybody that isn't asked
}

// BEY-01: whatever isn't sure to be asked at the session is asked by the hook: a
// call of an agent that the hosted one runs as a tool, also one that names
// itself the same in all, and one that the session wasn't told of.
func TestUnsureHookAsks_BEY01(t *testing.T) {
	for _, how := range []string{"nested", "unsaid"} {
		t.Run(how, func(t *testing.T) {
			d := newOffice(t)
			term := d.inbox()
			e := d.errand("--desk", "--", asClaude(t), how+":touch it")
			d.sees(term, "Claude Code asks", "touch it", "1 waiting")
			d.answers(term, "n")
			d.comes(e, 0, `The hook said "deny".`)
			d.exists("it", false)
			d.ends(term)
		})
	}
}

// BEY-01: an agent in an editor is asked about once too: in the editor.
func TestHostedAgentInAnEditorAsksOnce_BEY01(t *testing.T) {
	e := newClient(t, "[blitz]\npermission_mode = \"default\"\n", "--", asClaude(t))
	turn := e.prompt(e.session(e.shop), "hooked:touch it", "nested:touch that")
	e.asked("Run `touch it`").with(e, "Approve once")
	e.asked("Run `touch that`").with(e, "Deny")
	turn.ends("end_turn", `The hook said "ask".`, "Request 1 was done.")
	e.closes(0)
	// Nobody but the nested agent's own dialog would be asked about its call.
	log, err := os.ReadFile(filepath.Join(e.home, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(log, []byte("no desk is open, so that the agent asks")); got != 1 {
		t.Errorf("%d hooks left it to the agent, not the nested one alone:\n%s", got, log)
	}
}
