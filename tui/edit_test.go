package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// decided has a gate of its own decide on a request that the bench answers.
func (b *bench) decided(req gate.Request, rules ...string) (id uint64, verdict <-chan gate.Verdict) {
	b.t.Helper()
	var policy gate.Policy
	for _, r := range rules {
		effect := gate.Deny
		if text, ok := strings.CutPrefix(r, "ask "); ok {
			effect, r = gate.Ask, text
		}
		if err := policy.AddRule(effect, r, gate.Source{Layer: "global", File: "settings.toml", Line: 4}); err != nil {
			b.t.Fatal(err)
		}
	}
	b.last++
	id = b.last
	asked := make(chan Approval, 1)
	person := gate.ApproverFunc(func(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
		answers := make(chan gate.Answer, 1)
		asked <- Approval{ID: id, Prompt: p, Answer: func(a gate.Answer) { answers <- a }}
		select {
		case a := <-answers:
			b.note(func() { b.answers[id] = append(b.answers[id], a) })
			return a, nil
		case <-ctx.Done():
			return gate.Answer{}, context.Cause(ctx)
		}
	})
	g, err := gate.New(gate.Options{Workspace: "/w", Mode: gate.Default, Policy: policy, Approver: person})
	if err != nil {
		b.t.Fatal(err)
	}
	done := make(chan gate.Verdict, 1)
	go func() { done <- g.Decide(b.t.Context(), req) }()
	b.send(<-asked)
	b.settle()
	return id, done
}

func editableCommand(line string) gate.Request {
	r := gate.CommandRequest("/w", "bash", line)
	r.Editable = true
	return r
}

// BEY-05: e edits the command in place. It is checked and shown again before
// any key approves it, and the edit is what is approved.
func TestEditInPlace(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id, verdict := b.decided(editableCommand("go test ./..."))
		b.key("e")
		b.wantText("run ›", "go test ./...", "check it and show it")
		for range 3 {
			b.key("backspace")
		}
		b.typing("pager")
		b.key("enter")
		b.wantWaiting(id)
		b.wantText("run_command  go test ./pager", "you edited", "- go test ./...", "+ go test ./pager", "only once: you have edited it")
		b.key("y") // not from the line to a run
		b.wantWaiting(id)
		b.settle()
		b.key("y")
		v := <-verdict
		if !v.Allowed() || v.Request.Targets[0] != "go test ./pager" || v.Asked == nil {
			t.Errorf("%s %q (%s)", v.Effect, v.Request.Targets, v.Reason)
		}
	})
}

// BEY-05: an edit that a rule denies is not shown for approval; one that must
// be asked stays forced.
func TestEditIsCheckedBeforeItIsShown(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id, verdict := b.decided(editableCommand("make"), "shell(rm)", "ask shell(git push)")
		b.key("e")
		b.key("ctrl+u")
		b.typing("rm -rf x")
		b.key("enter")
		b.wantText("refused as edited", "settings.toml:4", "run › rm -rf x")
		b.key("ctrl+u", "enter")
		b.wantText("nothing is left to run")
		b.typing("git push")
		b.key("enter")
		b.wantText("run_command  git push", "a rule asks each time")
		b.settle()
		b.key("s")
		b.wantWaiting(id)
		b.key("n")
		b.wait(repeatGap)
		b.key("n") // a refusal is one of what was asked
		if v := <-verdict; v.Allowed() || v.Asked != nil {
			t.Errorf("%s, asked %v", v.Effect, v.Asked)
		}
	})
}

// BEY-05: while the gate looks at an edit nothing can be approved.
func TestNothingIsApprovedWhileAnEditIsChecked(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		p := command("make")
		p.Request.Editable = true
		hold := make(chan bool)
		p.Revise = func(e gate.Edit) (gate.Prompt, error) {
			<-hold
			next := p
			next.Request.Targets = []string{e.Command}
			return next, nil
		}
		id := b.ask(p)
		b.settle()
		b.key("e")
		b.typing("!")
		b.key("enter", "esc")
		b.settle()
		b.key("y", "enter", "ctrl+q", "s")
		b.wantWaiting(id)
		b.wantText("still being checked")
		close(hold)
		b.settle()
		b.key("y")
		if got := b.answers[id]; len(got) != 1 || got[0].Edited == nil || got[0].Edited.Command != "make!" {
			t.Errorf("answered %+v", got)
		}
	})
}

// BEY-05, BEY-06: where the connection can't carry an edit the keys say why,
// and what to do instead.
func TestEditIsOffWhereItCantBeCarried(t *testing.T) {
	for _, keys := range []AnswerKeys{AnswerLetters, AnswerList} {
		for _, key := range map[AnswerKeys][]string{AnswerLetters: {"e", "x", "ctrl+g"}, AnswerList: {"f4", "f8", "ctrl+g"}}[keys] {
			bubble(t, Options{AnswerKeys: keys}, func(b *bench) {
				id := b.ask(edit(2))
				b.settle()
				b.key(key)
				b.wantWaiting(id)
				b.wantText("this agent can't take an edit: type what it should do instead")
				if b.over != noSheet {
					t.Error("a line opened")
				}
			})
		}
	}
}

// BEY-05: a burst of typing that begins with e or x is a message.
func TestTypingDoesNotEdit(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id, _ := b.decided(editableCommand("make"))
		b.typing("explain")
		b.settle()
		b.wantWaiting(id)
		if b.over != noSheet || b.field().value() != "explain" {
			t.Errorf("the draft is %q", b.field().value())
		}
		b.key("ctrl+c", "esc")
	})
}

func twoHunks() gate.Request {
	var before strings.Builder
	for i := range 30 {
		fmt.Fprintf(&before, "line %d\n", i+1)
	}
	after := strings.NewReplacer("line 3\n", "line three\n", "line 25\n", "line twenty-five\nand more\n").Replace(before.String())
	r := gate.WriteRequest("/w", "edit", gate.Change{Path: "a.txt", Before: []byte(before.String()), After: []byte(after)})
	r.Editable = true
	return r
}

// BEY-06: x leaves a hunk out, marked by a sign and words; what was kept is
// written, and the agent is told which lines were refused.
func TestLeaveOutAHunk(t *testing.T) {
	for _, o := range []Options{{}, {AnswerKeys: AnswerList}} {
		leave, jump, yes := "x", "]", "y"
		if o.AnswerKeys == AnswerList {
			leave, jump, yes = "f8", "pgdown", "ctrl+q"
		}
		bubble(t, o, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: 80, Height: 40})
			id, verdict := b.decided(twoHunks())
			if o.AnswerKeys == AnswerList {
				b.key(leave)
				b.wantText("ctrl+o shows the hunks")
				b.key("ctrl+o")
				b.settle()
			}
			b.key(leave)
			b.wantText("✗ left out: this isn't written", "+2 −1", map[AnswerKeys]string{AnswerLetters: "e edit", AnswerList: "f4 edit"}[o.AnswerKeys])
			b.settle()
			b.key(leave)
			b.wantNoText("left out")
			b.settle()
			b.key(jump)
			if jump == "pgdown" {
				b.queue.current().hunk = 1
			}
			b.key(leave)
			b.wantText("✗ left out")
			b.key(yes)
			b.wantWaiting(id) // it has to be looked at first
			b.settle()
			b.key(yes)
			v := <-verdict
			after := string(v.Request.Diff[0].After)
			if !v.Allowed() || !strings.Contains(after, "line three\n") || !strings.Contains(after, "line 25\n") || strings.Contains(after, "and more") {
				t.Errorf("%s writes\n%s", v.Effect, after)
			}
			if !strings.Contains(v.Message, "a.txt lines 25–26") {
				t.Errorf("the agent is told %q", v.Message)
			}
		})
	}
}

// BEY-06, TAM-20: with every hunk taken back, what may be granted is offered
// again, and this call only is highlighted.
func TestTakenBackHunkGrantsNothing(t *testing.T) {
	bubble(t, Options{Mode: gate.AlwaysAskCached}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 80, Height: 40})
		req := twoHunks()
		req.GrantTargets = []gate.GrantTarget{{Kind: gate.GrantFile, Path: "/w/a.txt", Tier: gate.Write}}
		g, _, verdict := b.renewing(gate.Options{Mode: gate.AlwaysAskCached}, req)
		b.wantText("may grant")
		b.key("x")
		b.settle()
		b.wantText("left out")
		b.wantNoText("may grant")
		b.key("x")
		b.wantText("may grant", "▸ y once")
		b.settle()
		b.key("enter")
		if v := <-verdict; v.Cause != gate.CauseUserOnce {
			t.Errorf("%s: %s", v.Cause, v.Reason)
		}
		if v := g.Check(t.Context(), req); v.Effect != gate.Ask {
			t.Errorf("then %s: %s", v.Effect, v.Cause)
		}
	})
}

// BEY-06: with nothing left there is nothing to approve.
func TestLeaveOutEverything(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 80, Height: 40})
		_, verdict := b.decided(twoHunks())
		b.key("x")
		b.settle()
		b.key("]", "x")
		b.wantText("nothing would be changed any more: n refuses it", "◌") // y may be meant for it without the hunk
		b.settle()
		b.key("y")
		if v := <-verdict; !strings.Contains(string(v.Request.Diff[0].After), "and more") || strings.Contains(string(v.Request.Diff[0].After), "line three") {
			t.Errorf("writes\n%s", v.Request.Diff[0].After)
		}
	})
}

// BEY-05: a Go agent that embeds gate and screen runs what the person made of
// its command in their editor, for real.
func TestEmbedderRunsTheEdit(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "editor")
	seen := filepath.Join(dir, "seen")
	// It notes where the file is and who may read it, and changes a word.
	text := fmt.Sprintf("#!/bin/sh\necho \"$1\" > %s\nls -l \"$1\" | cut -c1-10 >> %s\nsed -i.bak s/world/there/ \"$1\"\n", seen, seen)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", script)
	term := tuitest.NewTerm(t, 100, 30)
	console := NewConsole(Options{Agent: "mine"}, term.Options()...)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- console.Run(ctx) }()
	defer func() { leave(); <-ended }()
	g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.Default, Approver: console})
	if err != nil {
		t.Fatal(err)
	}
	req := gate.CommandRequest(dir, "bash", "echo hello world > out")
	req.Editable = true
	verdict := make(chan gate.Verdict, 1)
	go func() { verdict <- g.Decide(ctx, req) }()
	term.WaitFor("echo hello world", "▸ y once")
	term.WaitGone("a moment")
	term.Key("ctrl+g")
	term.WaitFor("you edited", "echo hello there > out")
	// This terminal is no file, so that the reader from before the editor can't
	// be called off: it may take a key, which is then pressed again.
	var v gate.Verdict
	for tries, answered := 0, false; !answered; tries++ {
		if tries == 5 {
			t.Fatalf("no answer:\n%s", term.Screen())
		}
		term.WaitGone("a moment")
		term.Key("y")
		select {
		case v = <-verdict:
			answered = true
		case <-time.After(3 * time.Second):
		}
	}
	if !v.Allowed() {
		t.Fatalf("%s", v.Reason)
	}
	run := exec.CommandContext(ctx, "sh", "-c", v.Request.Targets[0])
	run.Dir = dir
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	if out, _ := os.ReadFile(filepath.Join(dir, "out")); string(out) != "hello there\n" {
		t.Errorf("ran %q", out)
	}
	notes, _ := os.ReadFile(seen)
	path, mode, _ := strings.Cut(strings.TrimSpace(string(notes)), "\n")
	if mode != "-rw-------" {
		t.Errorf("the file for the editor has %s", mode)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("%s is still there", path)
	}
}

// BEY-03: a name in which something hides isn't given to the editor.
func TestFileName_BEY03(t *testing.T) {
	for path, want := range map[string]string{
		"/w/a.go": "a.go", "日本.go": "日本.go", "a\u3164.go": "proposed", "a\ufe0f.go": "proposed", "a\u2800.go": "proposed", "a\n.go": "proposed",
	} {
		if got := fileName(path); got != want {
			t.Errorf("fileName(%+q) = %q, want %q", path, got, want)
		}
	}
}

// BEY-06: a hunk that is left out, or taken back, stays where it is on the
// screen, and is the one that the next x is about. Only lines that would change
// have the mark of what is left out.
func TestLeftOutHunkKeepsItsPlace(t *testing.T) {
	for _, height := range []int{24, 40} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: 80, Height: height})
			id, _ := b.decided(manyHunks(6))
			b.key("ctrl+o")
			b.settle()
			for range 3 {
				b.key("]")
			}
			for _, left := range []bool{true, false, true} {
				w := b.queue.current()
				marked, row := w.hunkIndex(), markedRow(b)
				b.settle()
				b.key("x")
				b.settle()
				w = b.queue.current()
				if now := markedRow(b); w.hunkIndex() != marked || abs(now-row) > 1 || w.rev.left[hunkAt{0, marked}] != left || len(w.rev.left) > 1 {
					t.Fatalf("hunk %d in row %d is hunk %d in row %d, left out %v\n%s", marked, row, w.hunkIndex(), now, w.rev.left, b.text())
				}
			}
			for l := range strings.Lines(b.text()) {
				if strings.HasPrefix(l, "✗") && !strings.Contains(l, " - ") && !strings.Contains(l, " + ") && !strings.Contains(l, "left out") {
					t.Errorf("marked though it doesn't change: %s", l)
				}
			}
			b.wantText("x leaves ▸ out")
			b.wantWaiting(id)
		})
	}
}

// manyHunks changes every thirtieth line, n times.
func manyHunks(n int) gate.Request {
	var before, after strings.Builder
	for i := range 30 * n {
		fmt.Fprintf(&before, "line %d\n", i+1)
		if i%30 == 15 {
			fmt.Fprintf(&after, "LINE %d\nand more\n", i+1)
		} else {
			fmt.Fprintf(&after, "line %d\n", i+1)
		}
	}
	r := gate.WriteRequest("/w", "edit", gate.Change{Path: "a.txt", Before: []byte(before.String()), After: []byte(after.String())})
	r.Editable = true
	return r
}

// markedRow is the row in which the mark of the hunk stands.
func markedRow(b *bench) int {
	for i, l := range strings.Split(b.text(), "\n") {
		if strings.HasPrefix(l, "▸") && !strings.Contains(l, "once") {
			return i
		}
	}
	b.t.Fatalf("no hunk is marked\n%s", b.text())
	return -1
}
