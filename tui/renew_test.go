package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/blitz-approve/blitz-approve/gate"
)

// renewing has a real gate ask on the bench, which is shown what the gate
// renews.
func (b *bench) renewing(o gate.Options, req gate.Request) (g *gate.Gate, id uint64, verdict <-chan gate.Verdict) {
	b.t.Helper()
	mail := newMailbox()
	o.Workspace, o.Approver = "/w", gate.ApproverFunc(func(ctx context.Context, p gate.Prompt) (gate.Answer, error) { return mail.approve(ctx, nil, p) })
	g, err := gate.New(o)
	if err != nil {
		b.t.Fatal(err)
	}
	go func() {
		for {
			select {
			case <-mail.wake:
				b.msgs <- mail.take()
			case <-b.t.Context().Done():
				return
			}
		}
	}()
	done := make(chan gate.Verdict, 1)
	go func() { done <- g.Decide(b.t.Context(), req) }()
	b.settle()
	return g, b.queue.current().id, done
}

// rule adds a rule while something waits.
func (b *bench) rule(g *gate.Gate, effect gate.Effect, text string) {
	b.t.Helper()
	if err := g.AddRule(effect, text); err != nil {
		b.t.Fatal(err)
	}
	b.drain()
}

const renewedFact = "changed while this waited"

// APR-15a, APR-30: the verdicts that are shown are those of the moment, a note
// says that rules changed, and a key that was meant for what stood there before
// doesn't answer.
func TestRenewedRequest(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, verdict := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.wantText("? ask        make a", "? ask        make b")
		b.wantNoText(renewedFact)
		b.rule(g, gate.Allow, "shell(make a)")
		b.wantText("✓ allow      make a", "? ask        make b", renewedFact, "rules changed: read again")
		b.wait(quietTime / 2)
		b.key("y")
		b.wantWaiting(id)
		b.wantText("y came too early")
		b.settle()
		b.key("y")
		if v := <-verdict; v.Cause != gate.CauseUserOnce {
			t.Errorf("%s: %s", v.Cause, v.Reason)
		}
	})
}

// APR-30: a letter that was held when rules changed is no answer to what is
// shown then.
func TestRenewedUnderAHeldLetter(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, _ := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.update(press("y"))
		b.wait(holdTime / 2)
		b.rule(g, gate.Ask, "shell(make b)")
		b.wait(holdTime)
		b.wantWaiting(id)
		b.wantText("a rule asks each time", "only once: this is asked each time")
	})
}

// APR-12, APR-15a: what may be remembered goes and comes with the rules, and is
// recorded as it is shown.
func TestRenewedOffers(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, verdict := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.rule(g, gate.Ask, "shell(make b)")
		b.settle()
		b.key("s")
		b.wantWaiting(id)
		g.RemoveRule(gate.Ask, "shell(make b)")
		b.settle()
		b.wantNoText("this is asked each time")
		b.settle()
		b.key("s")
		if v := <-verdict; v.Cause != gate.CauseUserSession || v.Warning != "" {
			t.Errorf("%s: %s, %s", v.Cause, v.Reason, v.Warning)
		}
	})
}

// BEY-08, APR-15a: on the line that a opens, what was chosen stays chosen where
// it is still offered, and else is taken back.
func TestRenewedWhileSaving(t *testing.T) {
	save := gate.Options{SaveRules: func(gate.RulePlace, ...string) error { return nil }, Approvals: gate.KeepApprovals()}
	chooses := func(b *bench, line string) (*gate.Gate, uint64, <-chan gate.Verdict) {
		g, id, verdict := b.renewing(save, gate.CommandRequest("/w", "bash", line))
		b.key("a")
		b.settle()
		b.wantText("(•) this workspace")
		return g, id, verdict
	}
	t.Run("still offered", func(t *testing.T) {
		bubble(t, Options{}, func(b *bench) {
			g, id, verdict := chooses(b, "go test ./a")
			b.key("right")
			b.wantText("shell(go test ./a *)")
			if err := g.SetMode(gate.Auto); err != nil {
				t.Fatal(err)
			}
			b.drain()
			b.wantText("(•) this workspace", "shell(go test ./a *)", "rules changed")
			b.key("enter")
			b.wantWaiting(id)
			b.settle()
			b.key("enter")
			if v := <-verdict; v.Cause != gate.CauseUserAlways || !strings.Contains(v.Reason, "shell(go test ./a *)") {
				t.Errorf("%s: %s", v.Cause, v.Reason)
			}
		})
	})
	t.Run("no longer", func(t *testing.T) {
		bubble(t, Options{}, func(b *bench) {
			g, id, _ := chooses(b, "make a")
			b.rule(g, gate.Ask, "shell(make a)")
			b.wantText("what you chose is no longer offered", "only once: this is asked each time")
			b.settle()
			b.key("a")
			b.wantWaiting(id)
			b.wantNoText("will be saved")
		})
	})
}

// TAM-07, TAM-11, APR-15a: a rule may take back what could be granted. The
// highlight then stands on this call alone, and Enter grants nothing.
func TestRenewedGrants(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, verdict := b.renewing(gate.Options{Mode: gate.AlwaysAskCached}, gate.ReadRequest("look", "/w/src/a.go"))
		b.wantText("may grant")
		b.key("up", "up")
		b.wantText("▸ f directory")
		b.rule(g, gate.Ask, "look")
		b.wantNoText("may grant")
		b.key("enter")
		b.wantWaiting(id)
		b.settle()
		b.wantText("▸ y once")
		b.key("enter")
		if v := <-verdict; v.Cause != gate.CauseUserOnce || v.Warning != "" {
			t.Errorf("%s: %s, %s", v.Cause, v.Reason, v.Warning)
		}
		if v := g.Check(t.Context(), gate.ReadRequest("look", "/w/src/b.go")); v.Effect != gate.Ask {
			t.Errorf("then %s: %s", v.Effect, v.Cause)
		}
	})
}

// APR-20, APR-15a: what was written stays: the reason that is being typed, and
// a draft.
func TestRenewedWhileWriting(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, _, verdict := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.key("tab", "tab")
		b.typing("not on Fri")
		b.rule(g, gate.Allow, "shell(make a)")
		b.typing("days")
		b.wantText("no, because › not on Fridays", "✓ allow")
		b.settle()
		b.key("enter")
		if v := <-verdict; v.Message != "not on Fridays" || v.Allowed() {
			t.Errorf("%s %q", v.Cause, v.Message)
		}
		g, id, again := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.typing("use ta")
		b.rule(g, gate.Allow, "shell(make a)")
		b.typing("sk")
		b.wantText("› use task")
		b.wantWaiting(id)
		b.settle()
		b.key("enter")
		if v := <-again; v.Message != "use task" || v.Allowed() {
			t.Errorf("%s %q", v.Cause, v.Message)
		}
	})
}

// BEY-05, APR-15a: an edit is held against the new rules as well, and shown
// with what they say; one that they refuse can't be approved, but isn't lost.
func TestRenewedEdit(t *testing.T) {
	edits := func(b *bench) (*gate.Gate, uint64, <-chan gate.Verdict) {
		g, id, verdict := b.renewing(gate.Options{}, editableCommand("make a && make b"))
		b.key("e", "backspace")
		b.typing("c")
		b.key("enter")
		b.settle()
		b.wantText("run_command  make a && make c", "? ask        make a")
		return g, id, verdict
	}
	t.Run("shown", func(t *testing.T) {
		bubble(t, Options{}, func(b *bench) {
			g, id, verdict := edits(b)
			b.rule(g, gate.Allow, "shell(make a)")
			b.wantText("run_command  make a && make c", "✓ allow      make a", renewedFact, "you edited")
			b.key("y")
			b.wantWaiting(id)
			b.settle()
			b.key("y")
			if v := <-verdict; !v.Allowed() || v.Request.Targets[0] != "make a && make c" {
				t.Errorf("%s %q", v.Cause, v.Request.Targets)
			}
		})
	})
	t.Run("refused", func(t *testing.T) {
		bubble(t, Options{}, func(b *bench) {
			g, id, verdict := edits(b)
			b.rule(g, gate.Deny, "shell(make c)")
			b.wantText("run_command  make a && make c", "refused as edited", "deny shell(make c)")
			b.settle()
			b.key("y")
			b.wantWaiting(id)
			g.RemoveRule(gate.Deny, "shell(make c)")
			b.drain()
			b.settle()
			b.wantNoText("refused as edited")
			b.key("y")
			if v := <-verdict; !v.Allowed() || v.Request.Targets[0] != "make a && make c" {
				t.Errorf("%s %q", v.Cause, v.Request.Targets)
			}
		})
	})
	t.Run("under way", func(t *testing.T) {
		bubble(t, Options{}, func(b *bench) {
			g, _, _ := b.renewing(gate.Options{}, editableCommand("make a && make b"))
			b.key("e")
			b.typing("2")
			b.rule(g, gate.Allow, "shell(make a)")
			b.typing("0")
			b.wantText("run › make a && make b20", "✓ allow      make a")
			b.key("enter")
			b.settle()
			b.wantText("run_command  make a && make b20", "✓ allow      make a", renewedFact)
		})
	})
}

// BEY-06, APR-15a: hunks that were left out stay so.
func TestRenewedWithoutAHunk(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, verdict := b.renewing(gate.Options{Mode: gate.Default}, twoHunks())
		b.key("x")
		b.settle()
		b.wantText("left out: this isn't written")
		b.rule(g, gate.Ask, "write(a.txt)")
		b.settle()
		b.wantText("left out: this isn't written", "a rule asks each time")
		b.wantWaiting(id)
		for range 3 {
			if b.queue.current() != nil {
				b.key("y")
				b.settle()
			}
		}
		if v := <-verdict; !v.Allowed() || v.Asked == nil || string(v.Request.Diff[0].After) == string(v.Asked.Diff[0].After) {
			t.Errorf("%s %s", v.Cause, v.Message)
		}
	})
}

// BEY-03, APR-15a: what was read of a long change stays read, at its place; why
// it is asked has to be read again.
func TestRenewedKeepsThePlace(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, _ := b.renewing(gate.Options{}, edit(60).Request)
		b.key("ctrl+o")
		b.wait(2 * paintTime)
		for range 8 {
			b.key("pgdown")
			b.wait(2 * paintTime)
		}
		w := b.queue.current()
		if w.unseen() > 0 || w.offset == 0 {
			t.Fatalf("%d unseen at %d", w.unseen(), w.offset)
		}
		before, row := w.offset, strings.TrimSpace(w.body.rows(w.offset, w.offset+1)[0])
		b.rule(g, gate.Ask, "edit")
		if now := strings.TrimSpace(w.body.rows(w.offset, w.offset+1)[0]); now != row {
			t.Errorf("from row %d to %d: %q, was %q", before, w.offset, now, row)
		}
		b.settle()
		b.key("y")
		b.wantWaiting(id)
		b.wantText(renewedFact, "a rule asks each time")
		if w.offset != 0 || w.asked != true {
			t.Errorf("at %d", w.offset)
		}
		b.wait(2 * paintTime)
		if w.unseen() > 0 {
			t.Errorf("%d rows have to be read again", w.unseen())
		}
	})
}

// APR-15a: what isn't on the screen when rules change is shown as it is judged
// now, once it is.
func TestRenewedBehindAnother(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, id, _ := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.ask(command("ls"))
		b.key("ctrl+n")
		b.settle()
		b.rule(g, gate.Allow, "shell(make a)")
		b.wantNoText("rules changed")
		b.key("ctrl+p")
		b.wantText("✓ allow      make a", renewedFact)
		b.wantWaiting(id)
	})
}

// APR-15a: why it is asked is renewed under the reader's eyes.
func TestRenewedWhy(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		g, _, _ := b.renewing(gate.Options{}, gate.CommandRequest("/w", "bash", "make a && make b"))
		b.key("w")
		b.wantNoText("allow shell(make a) (session)")
		b.rule(g, gate.Allow, "shell(make a)")
		b.wantText("Each command", "allow shell(make a) (session)")
	})
}

// APR-15a, BEY-13: the same through a console on a terminal, and in lines.
func TestRenewedOnATerminal(t *testing.T) {
	t.Parallel()
	c, term, _ := start(t, Options{})
	g, err := gate.New(gate.Options{Workspace: "/w", Approver: c})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan gate.Verdict, 1)
	go func() { done <- g.Decide(t.Context(), gate.CommandRequest("/w", "bash", "make a && make b")) }()
	term.WaitFor("? ask        make a")
	term.WaitGone("a moment")
	_ = g.AddRule(gate.Allow, "shell(make a)")
	term.WaitFor("✓ allow      make a", renewedFact)
	term.WaitGone("◌")
	term.Key("y")
	if v := <-done; v.Cause != gate.CauseUserOnce {
		t.Errorf("%s", v.Cause)
	}
}

// A request may be renewed while its changes are still being compared; run it
// with the race detector.
func TestRenewedAtOnce(t *testing.T) {
	inLines(t, Options{}, func(y *listener) {
		p := edit(5)
		next, came := p, false
		next.Renewal = 1
		p.Renewed = func(ctx context.Context) (gate.Prompt, bool) {
			if !came {
				came = true
				return next, true
			}
			<-ctx.Done()
			return gate.Prompt{}, false
		}
		y.asks(p)
		y.sees(renewedFact)
	})
}

// BEY-13, APR-15a: in lines, too: what is asked is told again, a comment and an
// answer that would save the same stay, and what was typed before answers
// nothing.
func TestRenewedInLines(t *testing.T) {
	asks := func(y *listener, o gate.Options) (*gate.Gate, <-chan gate.Verdict) {
		o.Workspace, o.Approver = "/w", y.Plain
		g, err := gate.New(o)
		if err != nil {
			y.t.Fatal(err)
		}
		verdict := make(chan gate.Verdict, 1)
		go func() { verdict <- g.Decide(y.t.Context(), gate.CommandRequest("/w", "bash", "make a && make b")) }()
		synctest.Wait()
		return g, verdict
	}
	change := func(y *listener, g *gate.Gate, effect gate.Effect, rule string) {
		y.out.text.Reset()
		if err := g.AddRule(effect, rule); err != nil {
			y.t.Fatal(err)
		}
		synctest.Wait()
	}
	t.Run("comment", func(t *testing.T) {
		inLines(t, Options{}, func(y *listener) {
			g, verdict := asks(y, gate.Options{})
			y.types("comment mind b\n")
			change(y, g, gate.Allow, "shell(make a)")
			y.sees("Rules changed: this is asked anew.", "allow      make a", renewedFact)
			y.blindly("yes\n")
			y.sees("Not taken, since it was typed too early: yes")
			waits(t, verdict)
			y.types("yes\n")
			if v := <-verdict; v.Cause != gate.CauseUserOnce || v.Message != "mind b" {
				t.Errorf("%s %q", v.Cause, v.Message)
			}
		})
	})
	t.Run("saves the same", func(t *testing.T) {
		inLines(t, Options{}, func(y *listener) {
			g, verdict := asks(y, gate.Options{Approvals: gate.KeepApprovals(), Mode: gate.Default})
			y.types("always\n")
			change(y, g, gate.Allow, "shell(make a)")
			y.sees("allow      make a", "This would be saved: cmd:/w → make a && make b")
			y.types("save\n")
			if v := <-verdict; v.Cause != gate.CauseUserAlways || v.Warning != "" {
				t.Errorf("%s, %s", v.Cause, v.Warning)
			}
		})
	})
	t.Run("no longer offered", func(t *testing.T) {
		inLines(t, Options{}, func(y *listener) {
			g, verdict := asks(y, gate.Options{Approvals: gate.KeepApprovals(), Mode: gate.Default})
			y.types("always\n")
			change(y, g, gate.Ask, "shell(make a)")
			y.sees("What you chose is no longer offered.", "a rule asks each time")
			y.types("save\n")
			y.sees("Not an answer: save")
			waits(t, verdict)
		})
	})
}
