package review

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A line is a connection to a service that needs no network, so that time in
// a test bubble can pass while it is quiet.
type line func(*http.Request) (string, error)

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := l(r)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(bytes.NewReader([]byte(body))),
	}, nil
}

// A person answers every prompt alike and keeps what they were shown.
type person struct {
	answer gate.Decision
	seen   []string // the trail of each prompt
}

func (p *person) Approve(_ context.Context, prompt gate.Prompt) (gate.Answer, error) {
	var b strings.Builder
	for _, n := range prompt.Verdict.Trail {
		b.WriteString(string(n.Step) + ": " + n.Text + "\n")
	}
	p.seen = append(p.seen, b.String())
	return gate.Answer{Decision: p.answer}, nil
}

// autoGate is a gate in mode auto.
func autoGate(t *testing.T, service line, p *person) *gate.Gate {
	t.Helper()
	r, err := New(Options{Model: "m", BaseURL: "http://localhost", Client: &http.Client{Transport: service}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{
		Workspace: "/w", Home: "/home/u", Mode: gate.Auto, Reviewer: r,
		Approver: p,
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func makeIt() gate.Request { return gate.CommandRequest("/w", "bash", "make deploy") }

// TestAutoMode: the verdict decides, and whatever isn't one leaves it to the
// person (APR-14a).
func TestAutoMode(t *testing.T) {
	rows := []struct {
		name, answer  string
		effect        gate.Effect
		cause, reason string
		asked         int
	}{
		{"allow", allowText, gate.Allow, "auto-allow: it only runs the tests", "it only runs the tests", 0},
		{"deny", denyText, gate.Deny, "auto-deny", "it was not asked for", 0},
		{"no verdict", "looks fine to me", gate.Allow, "user-once", "", 1},
		{"two verdicts", allowText + allowText, gate.Allow, "user-once", "", 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &person{answer: gate.Once}
			g := autoGate(t, func(*http.Request) (string, error) { return chatAnswer(row.answer), nil }, p)
			v := g.Decide(t.Context(), makeIt())
			if v.Effect != row.effect || v.Cause != row.cause || len(p.seen) != row.asked || row.reason != "" && v.Reason != row.reason {
				t.Errorf("%s · %s · %s, asked %d times", v.Effect, v.Cause, v.Reason, len(p.seen))
			}
			for _, trail := range p.seen {
				if !strings.Contains(trail, "review: auto-error: no verdict") {
					t.Errorf("the person isn't told why there is no verdict: %s", trail)
				}
			}
		})
	}
}

// TestTwoMinutes: a service that says nothing leaves it to the person after
// exactly the time that the gate gives (APR-14a).
func TestTwoMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &person{}
		g := autoGate(t, func(r *http.Request) (string, error) {
			<-r.Context().Done()
			return "", context.Cause(r.Context())
		}, p)
		start := time.Now()
		v := g.Decide(t.Context(), makeIt())
		if took := time.Since(start); took != gate.ReviewTimeout {
			t.Errorf("took %s", took)
		}
		if v.Cause != gate.CauseUserRefused || len(p.seen) != 1 || !strings.Contains(p.seen[0], "auto-error: no verdict within two minutes") {
			t.Errorf("%s, asked with %q", v.Cause, p.seen)
		}
	})
}

// TestStaleVerdict: a verdict that was asked for under another mode is thrown
// away (APR-14a).
func TestStaleVerdict(t *testing.T) {
	for _, row := range []struct {
		mode  gate.Mode
		cause string
		asked int
	}{{gate.Default, gate.CauseUserRefused, 1}, {gate.DontAsk, gate.CauseModeDontAsk, 0}} {
		p, reviews := &person{}, 0
		var g *gate.Gate
		g = autoGate(t, func(*http.Request) (string, error) {
			reviews++
			if err := g.SetMode(row.mode); err != nil {
				t.Error(err)
			}
			return chatAnswer(allowText), nil
		}, p)
		v := g.Decide(t.Context(), makeIt())
		if v.Allowed() || v.Cause != row.cause || len(p.seen) != row.asked || reviews != 1 {
			t.Errorf("to %s: %s · %s, asked %d times, reviewed %d times", row.mode, v.Effect, v.Cause, len(p.seen), reviews)
		}
	}
}

// TestNotReviewed: an ask rule asks the person, a deny rule denies, and other
// modes have no reviewer (APR-14a).
func TestNotReviewed(t *testing.T) {
	for _, row := range []struct {
		effect gate.Effect
		mode   gate.Mode
		cause  string
	}{{gate.Ask, gate.Auto, gate.CauseUserOnce}, {gate.Deny, gate.Auto, gate.CauseRuleDeny}, {gate.Allow, gate.Auto, gate.CauseRuleAllow}, {gate.Ask, gate.Default, gate.CauseUserOnce}} {
		p := &person{answer: gate.Once}
		g := autoGate(t, func(*http.Request) (string, error) {
			t.Errorf("%s, %s: the reviewer was asked", row.effect, row.mode)
			return chatAnswer(allowText), nil
		}, p)
		if err := g.AddRule(row.effect, "shell(make)"); err != nil {
			t.Fatal(err)
		}
		if err := g.SetMode(row.mode); err != nil {
			t.Fatal(err)
		}
		if v := g.Decide(t.Context(), makeIt()); v.Cause != row.cause {
			t.Errorf("%s, %s: %s", row.effect, row.mode, v.Cause)
		}
	}
}

// TestCancelledReview denies at once.
func TestCancelledReview(t *testing.T) {
	p := &person{answer: gate.Once}
	ctx, cancel := context.WithCancel(t.Context())
	g := autoGate(t, func(r *http.Request) (string, error) {
		cancel()
		<-r.Context().Done()
		return "", r.Context().Err()
	}, p)
	if v := g.Decide(ctx, makeIt()); v.Allowed() {
		t.Errorf("%s · %s", v.Effect, v.Cause)
	}
}
