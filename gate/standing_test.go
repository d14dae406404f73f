package gate

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// standsFor is what a person's answer keeps, as another gate may take it over.
func standsFor(t *testing.T, mode Mode, req Request, a Answer) Approved {
	t.Helper()
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: mode, Approver: &script{answers: []Answer{a}}})
	if err != nil {
		t.Fatal(err)
	}
	v := g.Decide(t.Context(), req)
	if !v.Allowed() || v.Kept == nil {
		t.Fatalf("%s keeps nothing: %s (%s)", a.Decision, v.Cause, v.Reason)
	}
	return *v.Kept
}

// BEY-01, APR-10: what stands for an agent's session passes, in another gate, only
// what could be answered so again there, and nothing that must be asked.
func TestWhatStandsForASession(t *testing.T) {
	session := Answer{Decision: Session}
	from := func(agent, session string, req Request) Request {
		req.Origin.Agent, req.Origin.Session = agent, session
		return req
	}
	make1 := from("a", "s1", CommandRequest("/w", "bash", "make"))
	write1 := from("a", "s1", edit("a.go"))
	commands, edits := standsFor(t, Default, make1, session), standsFor(t, Default, write1, session)
	byTier := standsFor(t, AlwaysAsk, make1, session)
	guarded := write1
	guarded.Targets = []string{".git/hooks/pre-commit"}
	checked := make1
	checked.SafetyChecks = []SafetyCheck{{}}
	for _, row := range []struct {
		name   string
		stands Approved
		in     setup
		req    Request
		want   string
	}{
		{"the same command", commands, setup{mode: Default}, make1, CauseSessionRule},
		{"in plan", commands, setup{mode: Plan}, make1, CauseModePlan},
		{"in dont-ask", commands, setup{mode: DontAsk}, make1, CauseSessionRule},
		{"another command", commands, setup{mode: Default}, from("a", "s1", CommandRequest("/w", "bash", "make x")), CauseAsked},
		{"another session", commands, setup{mode: Default}, from("a", "s2", make1), CauseAsked},
		{"another agent", commands, setup{mode: Default}, from("b", "s1", make1), CauseAsked},
		{"a rule that asks", commands, setup{mode: Default, ask: []string{"shell(make)"}}, make1, CauseAsked},
		{"a rule that denies", commands, setup{mode: Default, deny: []string{"shell(make)"}}, make1, CauseRuleDeny},
		{"safety checks", commands, setup{mode: Default}, checked, CauseAsked},
		{"edits", edits, setup{mode: Default}, from("a", "s1", edit("b.go")), CauseSessionRule},
		{"an edit of what is protected", edits, setup{mode: Default}, guarded, CauseAsked},
		{"a command where edits stand", edits, setup{mode: Default}, make1, CauseAsked},
		{"a tool at its tier", byTier, setup{mode: AlwaysAsk}, from("a", "s1", CommandRequest("/w", "bash", "make x")), CauseSessionRule},
		{"a tool at its tier, in a mode of keys", byTier, setup{mode: Default}, make1, CauseAsked},
		{"a key, in a mode of tiers", commands, setup{mode: AlwaysAsk}, make1, CauseAsked},
		{"another tool", byTier, setup{mode: AlwaysAsk}, from("a", "s1", CommandRequest("/w", "sh", "make")), CauseAsked},
		{"a critical command", byTier, setup{mode: AlwaysAsk}, from("a", "s1", CommandRequest("/w", "bash", "rm -rf /")), CauseAsked},
	} {
		g, ctx := row.in.gate(t)
		g.Stand([]Approved{row.stands})
		if v := g.Check(ctx, row.req); v.Cause != row.want {
			t.Errorf("%s: %s (%s), want %s", row.name, v.Cause, v.Reason, row.want)
		}
		g.Stand(nil)
		if v := g.Check(ctx, row.req); row.want == CauseSessionRule && v.Allowed() {
			t.Errorf("%s: passes after it was taken back: %s", row.name, v.Cause)
		}
	}
}

// BEY-01, BEY-07: what stands until a time ends then.
func TestWhatStandsUntilATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		req := inSession(CommandRequest("/w", "bash", "make"), "s1")
		stands := standsFor(t, Default, req, Answer{Decision: Until, For: time.Minute})
		g, err := New(Options{Workspace: "/w", Mode: Default, Approver: ApproverFunc(nil)})
		if err != nil {
			t.Fatal(err)
		}
		g.Stand([]Approved{stands})
		if v := g.Check(t.Context(), req); v.Cause != CauseTimedRule || !v.Until.Equal(stands.Until) {
			t.Errorf("%s until %v (%s)", v.Cause, v.Until, v.Reason)
		}
		time.Sleep(time.Minute)
		if v := g.Check(t.Context(), req); v.Cause != CauseAsked {
			t.Errorf("after its time: %s (%s)", v.Cause, v.Reason)
		}
	})
}

// BEY-01: what comes to stand settles what waits. An answer for this request alone
// keeps nothing, and no prompt of a process that ends is for the turn.
func TestWhatComesToStandSettlesWhatWaits(t *testing.T) {
	req := inSession(edit("a.go"), "s1")
	stands := standsFor(t, Default, req, Answer{Decision: Session})
	var g *Gate
	withdrawn := make(chan error, 1)
	waits := ApproverFunc(func(ctx context.Context, _ Prompt) (Answer, error) {
		g.Stand([]Approved{stands})
		<-ctx.Done()
		withdrawn <- context.Cause(ctx)
		return Answer{}, ctx.Err()
	})
	g, err := New(Options{Workspace: "/w", Mode: Default, Approver: waits})
	if err != nil {
		t.Fatal(err)
	}
	if v := g.Decide(t.Context(), req); v.Cause != CauseSessionRule || v.Kept != nil {
		t.Errorf("%s (%s), kept %+v", v.Cause, v.Reason, v.Kept)
	}
	if err := <-withdrawn; !errors.Is(err, ErrSettled) {
		t.Error(err)
	}
	g, _ = New(Options{Workspace: "/w", Mode: Default, Approver: &script{answers: []Answer{{Decision: Once}}}})
	if v := g.Decide(t.Context(), req); v.Cause != CauseUserOnce || v.Kept != nil {
		t.Errorf("%s, kept %+v", v.Cause, v.Kept)
	}
	p := Prompt{Brief: true, Verdict: Verdict{Offers: []Decision{Session}}}
	if p.Offers(Turn) || !p.Offers(Until) || !p.Offers(Session) {
		t.Error("a brief prompt offers the turn, or no session")
	}
}
