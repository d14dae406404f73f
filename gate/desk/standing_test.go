//go:build unix

package desk

import (
	"context"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// hooked is a gate of its own for one request of an agent's session, as a hook
// has, which tells the desk what it decided.
func hooked(t *testing.T, folder, session string) (decide func(command string) gate.Verdict, c *Client) {
	t.Helper()
	c, err := Dial(t.Context(), folder, Agent{Name: "hook", Workspace: "/w", Session: session, Brief: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	g := gateOf(t, c)
	c.Standing(g.Stand)
	return func(command string) gate.Verdict {
		req := gate.CommandRequest("/w", "bash", command)
		req.Origin.Agent, req.Origin.Session = "hook", session
		v := g.Decide(t.Context(), req)
		c.Settled(v)
		return v
	}, c
}

// BEY-01: what a person approves for the session of a hook's agent lets later
// hooks of that session pass, and one that waits; until it is taken back.
func TestDeskKeepsSessionAnswers(t *testing.T) {
	room := newPerson()
	answer := make(chan gate.Decision)
	room.approve = func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
		select {
		case d := <-answer:
			return gate.Answer{Decision: d}, nil
		case <-ctx.Done():
			return gate.Answer{}, ctx.Err()
		}
	}
	folder, d := opens(t, room)
	asks := func(session, command string, gives gate.Decision, cause string) {
		t.Helper()
		decide, c := hooked(t, folder, session)
		defer c.Close()
		go func() {
			select {
			case answer <- gives:
			case <-t.Context().Done():
			}
		}()
		if v := decide(command); v.Cause != cause {
			t.Errorf("%s of %s: %s (%s), want %s", command, session, v.Cause, v.Reason, cause)
		}
	}
	passes := func(session, command string) {
		t.Helper()
		decide, c := hooked(t, folder, session)
		defer c.Close()
		if v := decide(command); v.Cause != gate.CauseSessionRule || v.Reason != "approved at the desk for this session: "+command {
			t.Errorf("%s of %s: %s (%s)", command, session, v.Cause, v.Reason)
		}
	}
	waits, _ := hooked(t, folder, "s1")
	waited := make(chan gate.Verdict, 1)
	decide, c := hooked(t, folder, "s1")
	go func() { waited <- waits("make") }()
	room.waits(t, "seat hook")
	answered := make(chan gate.Verdict, 1)
	go func() { answered <- decide("make") }()
	answer <- gate.Session // to either
	first, second := <-answered, <-waited
	if first.Cause != gate.CauseUserSession {
		first, second = second, first
	}
	if first.Cause != gate.CauseUserSession || second.Cause != gate.CauseSessionRule {
		t.Errorf("%s (%s), %s (%s)", first.Cause, first.Reason, second.Cause, second.Reason)
	}
	room.waits(t, "standing 1")
	c.Close()
	passes("s1", "make")
	asks("s2", "make", gate.Refuse, gate.CauseUserRefused)
	asks("s1", "make x", gate.Once, gate.CauseUserOnce)
	asks("s1", "make x", gate.Refuse, gate.CauseUserRefused)
	d.Forget()
	room.waits(t, "standing 0")
	asks("s1", "make", gate.Refuse, gate.CauseUserRefused)
	// Without a session nothing is kept.
	asks("", "make", gate.Session, gate.CauseUserSession)
	asks("", "make", gate.Refuse, gate.CauseUserRefused)
}

// BEY-01: nothing stands at a client's word alone, for another session than its
// own, or longer than the person said.
func TestDeskKeepsOnlyWhatItAnswered(t *testing.T) {
	allowed := gate.Verdict{Effect: gate.Allow, Request: gate.Request{ID: "1"}}
	kept := gate.Approved{Session: "s1", Agent: "hook", Scope: gate.Scope{Key: "k"}}
	other, longer := kept, kept
	other.Session = "s2"
	longer.Until = longer.Until.AddDate(3000, 0, 0)
	for name, row := range map[string]struct {
		given gate.Answer
		kept  *gate.Approved
		want  int
	}{
		"a session answer":         {gate.Answer{Decision: gate.Session}, &kept, 1},
		"a yes for once":           {gate.Answer{Decision: gate.Once}, &kept, 0},
		"nothing kept":             {gate.Answer{Decision: gate.Session}, nil, 0},
		"another session":          {gate.Answer{Decision: gate.Session}, &other, 0},
		"no end to what has one":   {gate.Answer{Decision: gate.Until, For: 1}, &kept, 0},
		"a later end than allowed": {gate.Answer{Decision: gate.Until, For: 1}, &longer, 0},
	} {
		v := &visit{agent: Agent{Name: "hook", Session: "s1"}, board: &board{}}
		by := allowed
		by.Kept = row.kept
		v.keep(&by) // before any answer
		v.gave("1", row.given)
		v.keep(&by)
		v.keep(&by)
		if got := len(v.board.stands); got != row.want {
			t.Errorf("%s: %d stand", name, got)
		}
	}
}
