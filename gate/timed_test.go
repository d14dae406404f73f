package gate

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// script answers prompts one after the other and counts them; what it has no
// answer for it refuses.
type script struct {
	mu      sync.Mutex
	answers []Answer
	asked   int
}

func (s *script) Approve(context.Context, Prompt) (a Answer, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked < len(s.answers) {
		a = s.answers[s.asked]
	}
	s.asked++
	return a, nil
}

// records keeps what the gate records.
type records struct{ list []Record }

func (r *records) Record(one Record) error { r.list = append(r.list, one); return nil }

func (r *records) last() Record { return r.list[len(r.list)-1] }

func inSession(req Request, session string) Request {
	req.Origin.Session = session
	return req
}

// BEY-07: an approval until a time covers what Session would, ends exactly
// then, and is in the audit log with its cause and its end.
func TestApprovalUntilATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		person := &script{answers: []Answer{{Decision: Until, For: 15 * time.Minute}}}
		log := &records{}
		g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: person, Audit: log})
		if err != nil {
			t.Fatal(err)
		}
		end := time.Now().Add(15 * time.Minute)
		run := func(command, cause string, asked int) Verdict {
			t.Helper()
			v := g.Decide(t.Context(), inSession(CommandRequest("/w", "bash", command), "s1"))
			if v.Cause != cause || person.asked != asked {
				t.Fatalf("%s: %s after %d questions, want %s after %d (%s)", command, v.Cause, person.asked, cause, asked, v.Reason)
			}
			return v
		}
		if v := run("go test ./a", CauseUserUntil, 1); !v.Until.Equal(end) {
			t.Errorf("until %v, want %v", v.Until, end)
		}
		if r := log.last(); !r.Until.Equal(end) || r.Cause != CauseUserUntil {
			t.Errorf("recorded %s until %v", r.Cause, r.Until)
		}
		run("go test ./a", CauseTimedRule, 1)
		if r := log.last(); !r.Until.Equal(end) || r.Verdict != "allow" {
			t.Errorf("recorded %s until %v", r.Verdict, r.Until)
		}
		run("go test ./b", CauseUserRefused, 2) // never wider
		time.Sleep(15*time.Minute - time.Nanosecond)
		run("go test ./a", CauseTimedRule, 2)
		if list := g.Approved(); len(list) != 1 || !list[0].Until.Equal(end) || list[0].Label == "" {
			t.Errorf("listed %+v", list)
		}
		time.Sleep(time.Nanosecond)
		if r := run("go test ./a", CauseUserRefused, 3); !r.Until.IsZero() {
			t.Error("a refusal has an end")
		}
		if list := g.Approved(); len(list) != 0 {
			t.Errorf("still listed: %+v", list)
		}
	})
}

// BEY-07: an approval for the turn holds for the agent session that it was
// given in, and ends with its turn.
func TestApprovalForTheTurn(t *testing.T) {
	person := &script{answers: []Answer{{Decision: Turn}}}
	g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: person})
	decide := func(session, cause string) {
		t.Helper()
		if v := g.Decide(t.Context(), inSession(edit("a"), session)); v.Cause != cause {
			t.Fatalf("in %s: %s (%s), want %s", session, v.Cause, v.Reason, cause)
		}
	}
	decide("s1", CauseUserTurn)
	decide("s1", CauseTurnRule)
	decide("s2", CauseUserRefused)
	g.EndTurn("s2")
	decide("s1", CauseTurnRule)
	g.EndTurn("s1")
	decide("s1", CauseUserRefused)
}

// BEY-07: an answer for a turn that has ended meanwhile doesn't reach into the
// next one.
func TestAnswerForATurnThatHasEnded(t *testing.T) {
	var g *Gate
	late := ApproverFunc(func(context.Context, Prompt) (Answer, error) {
		g.EndTurn("s1")
		return Answer{Decision: Turn}, nil
	})
	g, _ = New(Options{Workspace: "/w", Mode: Default, Approver: late})
	v := g.Decide(t.Context(), inSession(edit("a"), "s1"))
	if v.Cause != CauseUserOnce || v.Warning == "" || len(g.Approved()) != 0 {
		t.Errorf("%s, %q, %d remembered", v.Cause, v.Warning, len(g.Approved()))
	}
}

// BEY-07: what is approved for a time is only offered where Session is, and
// revoking it and Forget end it at once, with a notice to who watches.
func TestTimedApprovalsAreOfferedAndRevoked(t *testing.T) {
	for _, d := range []Decision{Turn, Until} {
		answer := Answer{Decision: d}
		if d == Until {
			answer.For = time.Minute
		}
		var forced Policy
		if err := forced.AddRule(Ask, "write(*)", Source{Layer: "flag"}); err != nil {
			t.Fatal(err)
		}
		if v := decideOne(t, Options{Mode: Default, Policy: forced, Approver: always(answer)}, edit("a")); v.Cause != CauseUserOnce || v.Warning == "" {
			t.Errorf("%s of a forced ask: %s, %q", d, v.Cause, v.Warning)
		}
		for name, end := range map[string]func(*Gate){"revoke": (*Gate).RevokeApproved, "forget": (*Gate).Forget} {
			person := &script{answers: []Answer{answer}}
			g, _ := New(Options{Workspace: "/w", Mode: Default, Approver: person})
			g.Decide(t.Context(), edit("a"))
			if len(g.Approved()) != 1 {
				t.Fatalf("%s: %d approved", d, len(g.Approved()))
			}
			changed := g.Changed()
			end(g)
			select {
			case <-changed:
			default:
				t.Errorf("%s: nobody is told", name)
			}
			if v := g.Decide(t.Context(), edit("a")); v.Cause != CauseUserRefused {
				t.Errorf("%s after %s: %s", d, name, v.Cause)
			}
		}
	}
	if v := decideOne(t, Options{Mode: Default, Approver: always(Answer{Decision: Until})}, edit("a")); v.Cause != CauseUserOnce {
		t.Errorf("until no time at all: %s", v.Cause)
	}
}

// BEY-07: in modes by tier it covers the tool at its tier, and nothing
// protected.
func TestTimedApprovalsByTier(t *testing.T) {
	person := &script{answers: []Answer{{Decision: Until, For: time.Hour}}}
	g, _ := New(Options{Workspace: "/w", Mode: AlwaysAsk, Approver: person})
	req := Request{Tool: "notes", Declared: Declaration{Tier: Write}}
	g.Decide(t.Context(), req)
	if v := g.Decide(t.Context(), req); v.Cause != CauseTimedRule {
		t.Errorf("the same call: %s", v.Cause)
	}
	req.Declared.Tier = Exec
	if v := g.Decide(t.Context(), req); v.Cause != CauseUserRefused {
		t.Errorf("a call at another tier: %s", v.Cause)
	}
}

// BEY-07: a turn is that of one agent, whatever another calls its session.
func TestATurnIsOfOneAgent(t *testing.T) {
	person := &script{answers: []Answer{{Decision: Turn}}}
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: person})
	if err != nil {
		t.Fatal(err)
	}
	from := func(agent, session string) Request {
		req := inSession(CommandRequest("/w", "bash", "go test ./a"), session)
		req.Origin.Agent = agent
		return req
	}
	for _, row := range []struct {
		agent, session, cause string
	}{{"one", "1", CauseUserTurn}, {"one", "1", CauseTurnRule}, {"two", "1", CauseUserRefused}, {"one", "", CauseUserRefused}, {"", "1", CauseUserRefused}, {"one", "1", CauseTurnRule}} {
		if v := g.Decide(t.Context(), from(row.agent, row.session)); v.Cause != row.cause {
			t.Errorf("%s/%s: %s, want %s", row.agent, row.session, v.Cause, row.cause)
		}
	}
}

// BEY-07: what is shown as approved until three o'clock is not approved at
// four, though the machine slept between.
func TestATimeIsOverByTheClock(t *testing.T) {
	now := time.Now() // with the time since the machine woke
	until := now.Add(time.Hour)
	for at, want := range map[time.Time]bool{now: false, until.Add(-1): false, until: true, until.Round(0): true, now.Add(2 * time.Hour).Round(0): true} {
		if over(at, until) != want {
			t.Errorf("at %v until %v: over is not %v", at, until, want)
		}
		if overByClock(at, until) != want {
			t.Errorf("at %v until %v: by the clock, over is not %v", at, until, want)
		}
	}
}
