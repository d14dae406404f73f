//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
)

// TAM-24: rules answer without a card; the rest is the editor's to answer, in
// its own dialog, and what is to last is kept by the gate.
func TestEditorIsAsked_TAM24(t *testing.T) {
	e := newClient(t, "[permissions]\nallow = [\"shell(touch free)\"]\ndeny = [\"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n", "--", "fake-agent")
	s := e.session(e.shop)
	e.prompt(s, "run:touch free", "run:sudo id").ends("end_turn", "Request 1 was done.", "Request 2 was refused.", "a rule denies it", "settings.toml:3")

	turn := e.prompt(s, "run:touch one", "run:touch two", "run:touch two", "run:touch three")
	d := e.asked("Run `touch one`")
	if !strings.Contains(d.text(), "```sh\ntouch one\n```") || !strings.Contains(d.text(), "The agent calls it: `harmless, really`") {
		t.Errorf("the dialog says\n%s", d.text())
	}
	d.with(e, "Approve once")
	e.asked("Run `touch two`").with(e, "Approve for this session: this exact command in this workspace")
	e.asked("Run `touch three`").with(e, "Deny") // two was remembered
	turn.ends("end_turn", "Request 3 was done.", "Request 4 was done.", "Request 5 was done.", "Request 6 was refused.")

	turn = e.prompt(s, "run:touch four", "run:touch four")
	e.asked("Run `touch four`").with(e, "Always approve in this workspace: shell(/touch four/)")
	turn.ends("end_turn", "Request 7 was done.", "Request 8 was done.")

	// A critical command offers nothing that lasts.
	turn = e.prompt(s, "run:rm -rf /")
	d = e.asked("Run `rm -rf /`")
	for _, o := range d.Options {
		if o.Kind == sdk.PermissionOptionKindAllowAlways {
			t.Errorf("a critical command offers %q", o.Name)
		}
	}
	d.with(e, "Deny and cancel the turn")
	turn.ends("cancelled")

	for name, there := range map[string]bool{"free": true, "one": true, "two": true, "three": false, "four": true} {
		if _, err := os.Stat(filepath.Join(e.shop, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	e.closes(0)

	// The rule is saved: it holds in the next start, and why tells of it.
	next := e.again("--", "fake-agent")
	next.prompt(next.session(e.shop), "run:touch four").ends("end_turn", "Request 1 was done.")
	next.closes(0)
	why := exec.Command("blitz-approve", "why", "last")
	why.Env = e.cmd.Env
	if out, err := why.Output(); err != nil || !strings.Contains(string(out), "shell(/touch four/)") {
		t.Errorf("why says %s (%v)", out, err)
	}
}

// BEY-11, TAM-23: the dialog speaks the person's language; the agent, its words
// and the log don't.
func TestEditorLanguage_BEY11(t *testing.T) {
	e := newClient(t, "[permissions]\ndeny = [\"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n[ui]\nlanguage = \"de\"\n", "--", "fake-agent")
	s := e.session(e.shop)
	turn := e.prompt(s, "run:touch one", "write:a.txt:1", "run:sudo id", "run:touch two")
	d := e.asked("`touch one` ausführen")
	for _, want := range []string{"```sh\ntouch one\n```", "Gefragt, weil: keine Regel passt, und der Modus default fragt", "Der Agent nennt es: `harmless, really`"} {
		if !strings.Contains(d.text(), want) {
			t.Errorf("%q is not in\n%s", want, d.text())
		}
	}
	d.with(e, "Für diese Sitzung genehmigen: genau dieser Befehl in diesem Arbeitsordner")
	e.asked("`a.txt` ändern").with(e, "Einmal genehmigen")
	e.asked("`touch two` ausführen").with(e, "Ablehnen")
	turn.ends("end_turn", "Request 1 was done.", "Request 3 was refused.", "eine Regel lehnt es ab", "Request 4 was refused.")
	e.closes(0)
}

// TAM-24: each session is decided on by the settings of its own folder, also
// while another one waits, and what is approved in one isn't in the other.
func TestEditorSessions_TAM24(t *testing.T) {
	e := newClient(t, "[blitz]\npermission_mode = \"default\"\n", "--", "fake-agent")
	other := filepath.Join(filepath.Dir(e.shop), "other")
	if err := os.MkdirAll(filepath.Join(other, ".blitz"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.file(filepath.Join(other, ".blitz", "settings.toml"), "[permissions]\ndeny = [\"shell(touch)\"]\nallow = [\"shell(make)\"]\n")
	one, two := e.session(e.shop), e.session(other)
	first := e.prompt(one, "run:touch here", "run:touch here")
	waits := e.asked("Run `touch here`")
	second := e.prompt(two, "run:touch there")
	second.ends("end_turn", "Request 1 was refused.", "other/.blitz/settings.toml: what it loosens is not in force until you trust it", "other/.blitz/settings.toml:2")
	second = e.prompt(two, "run:date >x")
	asked := e.asked("Run `date >x`")
	waits.with(e, "Approve for this session: this exact command in this workspace")
	first.ends("end_turn", "Request 1 was done.", "Request 2 was done.")
	asked.with(e, "Deny")
	second.ends("end_turn", "Request 2 was refused.")

	// APR-30: a turn that is cancelled at a dialog runs nothing.
	first = e.prompt(one, "run:touch late", "run:touch later")
	e.asked("Run `touch late`")
	if err := e.conn.Cancel(t.Context(), sdk.CancelNotification{SessionId: one}); err != nil {
		t.Fatal(err)
	}
	first.ends("cancelled")
	if _, err := os.Stat(filepath.Join(e.shop, "late")); err == nil {
		t.Error("a cancelled command ran")
	}
	e.closes(0)
}

// TAM-24: what an agent has the editor do is decided on too, and questions and
// methods that nobody here knows pass.
func TestEditorActs_TAM24(t *testing.T) {
	e := newClient(t, "[permissions]\nallow = [\"write(free.txt)\", \"shell(make)\"]\ndeny = [\"read(.env)\", \"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n", "--", "fake-agent")
	s := e.session(e.shop)
	e.file(filepath.Join(e.shop, "a.txt"), "old")
	e.prompt(s, "fs:free.txt:hi", "get:a.txt", "term:make", "form:Who?", "ext").ends("end_turn",
		`fs/read_text_file answered {"content":"old"}`, `terminal/create answered {"terminalId":"t1"}`, `"name":"an answer to Who?"`, `_fake/thing answered {"method":"_fake/thing"`)
	e.prompt(s, "get:.env", "term:sudo id").ends("end_turn", "may not be read", "could not: terminal/create: execute (sudo id) was refused: a rule denies it")
	turn := e.prompt(s, "fs:a.txt:new", "term:make; date", "fs:b.txt:new")
	d := e.asked("Change `a.txt`")
	if c := d.ToolCall.Content[0].Diff; c == nil || c.OldText == nil || *c.OldText != "old" || c.NewText != "new" {
		t.Errorf("no diff: %+v", d.ToolCall.Content[0])
	}
	d.with(e, "Approve once")
	e.asked("Run `make; date`").with(e, "Deny")
	e.asked("Change `b.txt`").with(e, "Approve for this session: file edits in the workspace")
	turn.ends("end_turn", "the user declined execute (make; date)")
	e.prompt(s, "fs:c.txt:new").ends("end_turn")
	if got := strings.Join(e.did, ", "); got != "write free.txt, read a.txt, run make, write a.txt, write b.txt, write c.txt" {
		t.Error("the editor did", got)
	}
	e.closes(0)
}

// An editor that goes refuses what waits; an agent that dies ends the program,
// which says what it said last.
func TestEditorAndAgentEnd(t *testing.T) {
	e := newClient(t, "", "--approval-mode", "default", "--", "fake-agent")
	turn := e.prompt(e.session(e.shop), "run:touch x")
	e.asked("Run `touch x`")
	e.closes(0)
	<-turn.ended
	if _, err := os.Stat(filepath.Join(e.shop, "x")); err == nil {
		t.Error("it was allowed by the end of the editor")
	}
	e = e.again("--approval-mode", "default", "--", "fake-agent")
	turn = e.prompt(e.session(e.shop), "leave:touch x")
	select {
	case d := <-e.dialogs:
		if *d.ToolCall.Title != "Run `touch x`" {
			t.Error(*d.ToolCall.Title)
		}
	case err := <-turn.ended:
		t.Log("it left before the dialog:", err)
	}
	_ = e.cmd.Wait()
	if code := e.cmd.ProcessState.ExitCode(); code != exitRefused || !strings.Contains(e.log.String(), "the agent ended: exit status 9") {
		t.Errorf("exit code %d: %s", code, &e.log)
	}
}

// BEY-01: with --desk the person is at the desk, also for questions, and what
// they say with a refusal reaches the agent in the same turn of the editor.
func TestEditorWithDesk_BEY01(t *testing.T) {
	e := newPlace(t, "[blitz]\npermission_mode = \"default\"\n")
	d := &office{t: t, home: e.home, work: e.shop}
	term := d.inbox()
	e = e.again("--desk", "--", "fake-agent", "heard:note")
	s := e.session(e.shop)
	d.sees(term, "1 agent")
	turn := e.prompt(s, "run:touch x", "run:touch y", "form:Who?")
	d.sees(term, "touch x", "fake-agent asks")
	d.answers(term, "y")
	d.sees(term, "touch y")
	d.answers(term, "\t\tuse z instead")
	d.typed(term, "no, because › use z instead")
	d.sees(term, "Who?")
	d.sends(term, "the tester")
	d.typed(term, "▸ the tester")
	turn.ends("end_turn", "Request 1 was done.", "Request 2 was refused.", `"name":"the tester"`)
	note, err := os.ReadFile(filepath.Join(e.shop, "note"))
	if err != nil || !strings.Contains(string(note), "use z instead") {
		t.Errorf("the agent heard %s (%v)", note, err)
	}
	e.closes(0)
	d.ends(term)
	e = e.again("--desk", "--", "fake-agent")
	if _, err := e.conn.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: e.shop, McpServers: []sdk.McpServer{}}); err == nil || !strings.Contains(err.Error(), "no desk is open") {
		t.Error("a session without a desk:", err)
	}
}

// TAM-24: the settings are those of every other command: flags go over
// overlays, these over the project's, and those over the user's own. Yolo asks
// nobody, and a deny holds in it.
func TestEditorSettings_TAM24(t *testing.T) {
	e := newPlace(t, "[permissions]\ndeny = [\"shell(sudo)\"]\n[blitz]\npermission_mode = \"default\"\n")
	overlay := filepath.Join(e.home, "overlay.toml")
	e.file(overlay, "[blitz]\npermission_mode = \"yolo\"\n")
	steps := []string{"run:touch x", "run:sudo id"}
	for _, flags := range [][]string{{"--yolo"}, {"--auto-approve"}, {"--approval-mode", "yolo"}, {"--config", overlay}} {
		e = e.again(append(flags, "--", "fake-agent")...)
		e.prompt(e.session(e.shop), steps...).ends("end_turn", "Request 1 was done.", "Request 2 was refused.")
		e.closes(0)
	}
	// TAM-23: how long a grant lasts is a choice of its own.
	e = e.again("--config", overlay, "--approval-mode", "always-ask-cached", "--", "fake-agent")
	s := e.session(e.shop)
	turn := e.prompt(s, "write:a.txt:1", "write:b.txt:1", "write:a.txt:2")
	d := e.asked("Change `a.txt`")
	var names []string
	for _, o := range d.Options {
		names = append(names, strings.ReplaceAll(o.Name, e.shop, "SHOP"))
	}
	want := "Approve once, Approve for this session: SHOP/a.txt to read and change, Always approve: SHOP/a.txt to read and change, " +
		"Approve for this session: files directly in SHOP to read and change, Always approve: files directly in SHOP to read and change, Deny, Deny and cancel the turn"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("the choices are\n%s\nwant\n%s", got, want)
	}
	d.with(e, "Always approve: "+filepath.Join(e.shop, "a.txt")+" to read and change")
	e.asked("Change `b.txt`").with(e, "Deny")
	turn.ends("end_turn", "Request 1 was done.", "Request 2 was refused.", "Request 3 was done.")
	e.closes(0)
	e = e.again("--approval-mode", "always-ask-cached", "--", "fake-agent")
	e.prompt(e.session(e.shop), "write:a.txt:3").ends("end_turn", "Request 1 was done.")
	e.closes(0)
}

// typed waits until what was typed can be sent, and sends it.
func (d *office) typed(term *terminal, text string) {
	d.t.Helper()
	err := term.until(text, func(screen string) bool { return strings.Contains(screen, text) && !strings.Contains(screen, "◌") })
	if err != nil {
		d.t.Fatal(err)
	}
	d.sends(term, "\r")
}
