package gate

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// waits has a gate ask about a command line, and returns the prompt that the
// person is shown first.
func waits(t *testing.T, opts Options, line string) (g *Gate, p *person, shown Prompt, verdict <-chan Verdict) {
	t.Helper()
	p = newPerson()
	opts.Workspace, opts.Approver = "/w", p
	g, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan Verdict, 1)
	go func() { done <- g.Decide(t.Context(), CommandRequest("/w", "bash", line)) }()
	return g, p, <-p.asked, done
}

// renewed is the prompt that takes the place of another, if there is one by
// now.
func renewed(t *testing.T, p Prompt) (Prompt, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // of the bubble
	defer cancel()
	return p.Renewed(ctx)
}

func effects(p Prompt) string {
	var s []string
	for _, part := range p.Verdict.Parts {
		s = append(s, part.String())
	}
	return strings.Join(s, " · ")
}

// TestPromptIsRenewed: whatever a person reads of a request that waits is
// brought up to date when rules or the mode change, and only then (APR-15a).
func TestPromptIsRenewed(t *testing.T) {
	rows := []struct {
		name   string
		change func(*Gate)
		says   func(Prompt) bool // nil where nothing is to be renewed
	}{
		{"a part is allowed", func(g *Gate) { _ = g.AddRule(Allow, "shell(make a)") }, func(p Prompt) bool {
			return effects(p) == "allow make a [allow shell(make a) (session)] · ask make b (no rule matches)"
		}},
		{"a part must be asked", func(g *Gate) { _ = g.AddRule(Ask, "shell(make b)") }, func(p Prompt) bool {
			return p.Verdict.Forced && p.Verdict.Rule.Text == "shell(make b)" && !p.Offers(Session) && p.Session == "" && p.Saves == ""
		}},
		{"another mode asks", func(g *Gate) { _ = g.SetMode(AlwaysAsk) }, func(p Prompt) bool {
			return p.Verdict.Mode == AlwaysAsk && strings.HasPrefix(p.Session, "every call of bash")
		}},
		{"a rule says the same from elsewhere", func(g *Gate) {
			var p Policy
			_ = p.AddRule(Allow, "shell(make a)", Source{File: "settings.toml", Line: 3})
			g.SetPolicy(p)
		}, func(p Prompt) bool { return strings.Contains(effects(p), "settings.toml:3") }},
		{"a rule about something else", func(g *Gate) { _ = g.AddRule(Deny, "shell(rm)") }, nil},
		{"a grant at another card", func(g *Gate) { g.Remember("cmd:/w\x00make c") }, nil},
		{"nothing", (*Gate).Refresh, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, p, first, verdict := waits(t, Options{Mode: Default}, "make a && make b")
				row.change(g)
				next, ok := renewed(t, first)
				switch {
				case ok != (row.says != nil):
					t.Errorf("renewed: %v", ok)
				case ok && (!row.says(next) || next.Renewal != 1 || !next.Since.Equal(first.Since) || next.Renewed == nil):
					t.Errorf("%d: %s · %s", next.Renewal, next.Verdict.Reason, effects(next))
				}
				p.answer <- Answer{Decision: Once, Renewal: next.Renewal}
				if v := <-verdict; v.Cause != CauseUserOnce {
					t.Errorf("%s: %s", v.Cause, v.Reason)
				}
			})
		})
	}
}

// TestOnlyTheNewestPrompt: who looks late gets what holds now (APR-15a).
func TestOnlyTheNewestPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p, first, verdict := waits(t, Options{Mode: Default}, "make a && make b && make c")
		for _, rule := range []string{"shell(make a)", "shell(make b)"} {
			_ = g.AddRule(Allow, rule)
			synctest.Wait()
		}
		next, ok := renewed(t, first)
		if !ok || next.Renewal != 2 || strings.Count(effects(next), "allow make") != 2 {
			t.Errorf("%v, %d: %s", ok, next.Renewal, effects(next))
		}
		if _, more := renewed(t, next); more {
			t.Error("nothing has changed since")
		}
		p.answer <- Answer{Decision: Refuse}
		<-verdict
	})
}

// TestAnswerToAnEarlierPrompt: what is remembered is what the person was shown,
// if it is still what would be, and never more (APR-12, APR-15a).
func TestAnswerToAnEarlierPrompt(t *testing.T) {
	const key = "cmd:/w\x00make a && make b"
	forced := func() Policy {
		var p Policy
		_ = p.AddRule(Ask, "shell(make b)", Source{})
		return p
	}
	rows := []struct {
		name       string
		policy     Policy
		change     func(*Gate)
		answer     Answer
		cause      string
		remembered bool
	}{
		{"what was shown first has gone", Policy{}, func(g *Gate) { g.SetPolicy(forced()) }, Answer{Decision: Session}, CauseUserOnce, false},
		{"what wasn't shown yet", forced(), func(g *Gate) { g.SetPolicy(Policy{}) }, Answer{Decision: Session}, CauseUserOnce, false},
		{"what is shown now", forced(), func(g *Gate) { g.SetPolicy(Policy{}) }, Answer{Decision: Session, Renewal: 1}, CauseUserSession, true},
		{"for good", forced(), func(g *Gate) { g.SetPolicy(Policy{}) }, Answer{Decision: Always, Renewal: 1}, CauseUserAlways, true},
		{"for a while", forced(), func(g *Gate) { g.SetPolicy(Policy{}) }, Answer{Decision: Until, For: time.Hour, Renewal: 1}, CauseUserUntil, false},
		{"in another scope", Policy{}, func(g *Gate) { _ = g.SetMode(AlwaysAsk) }, Answer{Decision: Session}, CauseUserOnce, false},
		{"a prompt that never was", Policy{}, func(*Gate) {}, Answer{Decision: Once, Renewal: 1}, CauseError, false},
		{"a number that is none", Policy{}, func(*Gate) {}, Answer{Decision: Session, Renewal: -1}, CauseError, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, p, _, verdict := waits(t, Options{Mode: Default, Policy: row.policy}, "make a && make b")
				row.change(g)
				synctest.Wait()
				p.answer <- row.answer
				if v := <-verdict; v.Cause != row.cause || v.Allowed() != (row.cause != CauseError) {
					t.Errorf("%s: %s", v.Cause, v.Reason)
				}
				if s := g.state.Load().session; s.keys[key] != row.remembered || len(s.tools) > 0 {
					t.Errorf("remembered: %v, %v", s.keys, s.tools)
				}
			})
		})
	}
}

// TestTurnOfARenewedPrompt: an answer for the turn is for that in which it was
// asked, however often it is asked anew (BEY-07).
func TestTurnOfARenewedPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p, first, verdict := waits(t, Options{Mode: Default}, "make a && make b")
		g.EndTurn("")
		_ = g.AddRule(Allow, "shell(make a)")
		next, _ := renewed(t, first)
		p.answer <- Answer{Decision: Turn, Renewal: next.Renewal}
		if v := <-verdict; v.Cause != CauseUserOnce || len(g.Approved()) > 0 {
			t.Errorf("%s, approved %v", v.Cause, g.Approved())
		}
	})
}

// TestReviewIsNotForgotten: what the reviewer and hooks said is told of the
// renewed prompt too, since they aren't asked again (APR-14a).
func TestReviewIsNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := Hook{Name: "ci", Answer: func(context.Context, Request) (HookAnswer, error) { return HookAnswer{}, nil }}
		g, p, first, verdict := waits(t, Options{Mode: Auto, Hooks: []Hook{silent}}, "make a && make b")
		_ = g.AddRule(Allow, "shell(make a)")
		next, _ := renewed(t, first)
		said := 0
		for _, n := range next.Verdict.Trail {
			if n.Step == "hooks" || n.Step == "review" {
				said++
			}
		}
		if said != 2 {
			t.Errorf("%v", next.Verdict.Trail)
		}
		p.answer <- Answer{}
		<-verdict
	})
}

// Looking at an edit again reads files; a person who goes on editing meanwhile
// isn't held up by that.
func TestEditIsLookedAtUnlocked(t *testing.T) {
	s := showing{shown: []Prompt{{}}}
	look := func(Edit) (Prompt, error) {
		if !s.mu.TryLock() {
			t.Error("the prompt is locked meanwhile")
			return Prompt{}, nil
		}
		s.mu.Unlock()
		return Prompt{}, nil
	}
	if _, err := s.revised(Edit{Command: "make c"}, look); err != nil || s.editStale(look) {
		t.Errorf("nothing has changed: %v", err)
	}
}

// TestRenewalsLeaveTimeToAnswer: rules that change all the time neither keep a
// person from answering nor fill the memory, and what is shown last holds
// (APR-15a).
func TestRenewalsLeaveTimeToAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p, first, verdict := waits(t, Options{Mode: Default}, "make a && make b")
		changing, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		go func() {
			for n := 0; changing.Err() == nil; n++ {
				var p Policy
				_ = p.AddRule(Allow, "shell(make a)", Source{File: "settings.toml", Line: n})
				g.SetPolicy(p)
				time.Sleep(10 * time.Millisecond)
			}
		}()
		var seen []Prompt
		last := time.Time{}
		for next, ok := renewed(t, first); ok; next, ok = renewed(t, first) {
			if since := time.Since(last); since < renewalPause {
				t.Errorf("%d comes %s after the one before", next.Renewal, since)
			}
			seen, last = append(seen, next), time.Now()
		}
		if len(seen) < 10 || len(seen) > 23 {
			t.Fatalf("%d renewals in a minute", len(seen))
		}
		newest := seen[len(seen)-1]
		if !strings.Contains(effects(newest), g.Policy().Rules[0].Source.String()) {
			t.Errorf("what is shown isn't what holds: %s", effects(newest))
		}
		p.answer <- Answer{Decision: Session, Renewal: newest.Renewal}
		if v := <-verdict; v.Cause != CauseUserSession {
			t.Errorf("%s: %s", v.Cause, v.Reason)
		}
	})
}

// What was shown long ago is no longer kept, and no answer to it counts.
func TestShowingIsBounded(t *testing.T) {
	s := newShowing(&Gate{}, Prompt{})
	reason := func(i int) Prompt { return Prompt{Verdict: Verdict{Reason: string(rune('a' + i))}} }
	for i := range 3 * keptShown {
		s.renew(reason(i), false)
		s.renew(reason(i), false) // says nothing else
		if _, ok := s.take(); !ok {
			t.Fatal("it isn't shown")
		}
	}
	if len(s.shown) != 1+keptShown {
		t.Errorf("%d are kept", len(s.shown))
	}
	for renewal, want := range map[int]bool{0: true, 1: false, 2 * keptShown: false, 2*keptShown + 1: true, 3 * keptShown: true, 3*keptShown + 1: false} {
		if p, ok := s.at(renewal); ok != want || ok && p.Renewal != renewal {
			t.Errorf("%d: %v, %d", renewal, ok, p.Renewal)
		}
	}
}

// A card that says again what is shown by the time it could be seen isn't shown.
func TestRenewedAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p, first, verdict := waits(t, Options{Mode: Default}, "make a && make b")
		_ = g.AddRule(Allow, "shell(make a)")
		synctest.Wait()
		g.RemoveRule(Allow, "shell(make a)")
		synctest.Wait()
		if next, ok := renewed(t, first); ok {
			t.Errorf("%d: %s", next.Renewal, effects(next))
		}
		p.answer <- Answer{Decision: Session}
		if v := <-verdict; v.Cause != CauseUserSession {
			t.Errorf("%s: %s", v.Cause, v.Reason)
		}
	})
}

// TestRuleThatWasNotShown: a rule is saved only where the prompt that was
// answered offered it, and it still would be (APR-12, BEY-08).
func TestRuleThatWasNotShown(t *testing.T) {
	forced := func() (p Policy) {
		_ = p.AddRule(Ask, "shell(go)", Source{})
		return p
	}
	rule := Answer{Decision: Always, Rule: "shell(go test *)", Place: WorkspaceRules}
	at := func(a Answer, renewal int) Answer { a.Renewal = renewal; return a }
	elsewhere := rule
	elsewhere.Place = "project"
	for name, row := range map[string]struct {
		before, after Policy
		taken         bool
		answer        Answer
		saved         bool
	}{
		"it was shown":                   {answer: rule, saved: true},
		"in no such place":               {answer: elsewhere},
		"only now it would be":           {before: forced(), answer: rule},
		"only now it is, and was seen":   {before: forced(), taken: true, answer: at(rule, 1), saved: true},
		"only now it is, and wasn't yet": {before: forced(), answer: at(rule, 1)},
		"it no longer is":                {after: forced(), answer: rule},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				saved := 0
				save := func(RulePlace, ...string) error { saved++; return nil }
				g, p, first, verdict := waits(t, Options{Mode: Default, Policy: row.before, SaveRules: save}, "go test ./pager")
				g.SetPolicy(row.after)
				if row.taken {
					renewed(t, first)
				}
				synctest.Wait()
				p.answer <- row.answer
				v := <-verdict
				if want := map[bool]string{true: CauseUserAlways, false: CauseUserOnce}[row.saved]; v.Cause != want || (saved > 0) != row.saved || (v.Warning == "") != row.saved {
					t.Errorf("%s, saved %d: %q", v.Cause, saved, v.Warning)
				}
			})
		})
	}
}

// APR-12, TAM-23: a host with a plain list that follows Renewed answers with a
// choice of the prompt that it shows by then, and what that covers is remembered.
func TestChoiceOfARenewedPrompt(t *testing.T) {
	for _, row := range []struct {
		decision Decision
		cause    string
	}{{Once, CauseUserOnce}, {Session, CauseUserSession}, {Always, CauseUserAlways}} {
		t.Run(row.decision.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				save := func(RulePlace, ...string) error { return nil }
				g, p, first, verdict := waits(t, Options{Mode: AlwaysAsk, Approvals: KeepApprovals(), SaveRules: save}, "make a")
				_ = g.SetMode(Default)
				next, ok := renewed(t, first)
				if !ok {
					t.Fatal("it is not renewed")
				}
				choices := next.Choices()
				for _, c := range append(choices, next.Saving(next.Widths[0])) {
					if c.Answer.Renewal != next.Renewal {
						t.Errorf("%q answers prompt %d of %d", c.Label, c.Answer.Renewal, next.Renewal)
					}
				}
				i := slices.IndexFunc(choices, func(c Choice) bool { return c.Answer.Decision == row.decision })
				p.answer <- choices[i].Answer
				if v := <-verdict; v.Cause != row.cause || v.Warning != "" {
					t.Errorf("%q: %s, warning %q", choices[i].Label, v.Cause, v.Warning)
				}
			})
		})
	}
}
