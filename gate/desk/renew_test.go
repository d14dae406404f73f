//go:build unix

package desk

import (
	"context"
	"errors"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TestRenewedAtTheDesk: the desk shows a request as the agent's gate judges it
// now, and the answer counts for the prompt that it was given to (APR-15a,
// BEY-01, BEY-02).
func TestRenewedAtTheDesk(t *testing.T) {
	for name, row := range map[string]struct {
		answer func(first, next gate.Prompt) gate.Answer
		cause  string
	}{
		"to what is shown now": {func(_, next gate.Prompt) gate.Answer {
			return gate.Answer{Decision: gate.Session, Renewal: next.Renewal}
		}, gate.CauseUserSession},
		"to what was shown before": {func(first, _ gate.Prompt) gate.Answer {
			return gate.Answer{Decision: gate.Once, Renewal: first.Renewal}
		}, gate.CauseUserOnce},
		"to what was never shown": {func(_, next gate.Prompt) gate.Answer {
			return gate.Answer{Decision: gate.Once, Renewal: next.Renewal + 1}
		}, gate.CauseError},
		"an edit": {func(_, next gate.Prompt) gate.Answer {
			e := gate.Edit{Command: "make c"}
			if _, err := next.Revise(e); err != nil {
				t.Error(err)
			}
			return gate.Answer{Decision: gate.Once, Edited: &e, Renewal: next.Renewal}
		}, gate.CauseUserOnce},
	} {
		t.Run(name, func(t *testing.T) {
			room := newPerson()
			shown := make(chan bool)
			room.approve = func(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
				if !p.Verdict.Forced || p.Renewal != 0 {
					t.Errorf("first: %s, %d", p.Verdict.Reason, p.Renewal)
				}
				close(shown)
				next, ok := p.Renewed(ctx)
				if !ok {
					return gate.Answer{}, errors.New("it wasn't renewed")
				}
				if next.Verdict.Forced || next.Session == "" || len(next.Verdict.Parts) != 2 || next.Request.Targets[0] != p.Request.Targets[0] {
					t.Errorf("renewed: %s, %q, %v", next.Verdict.Reason, next.Session, next.Verdict.Parts)
				}
				return row.answer(p, next), nil
			}
			folder, _ := opens(t, room)
			g := gateOf(t, dials(t, folder, "one", nil))
			if err := g.AddRule(gate.Ask, "shell(make b)"); err != nil {
				t.Fatal(err)
			}
			go func() {
				<-shown
				g.RemoveRule(gate.Ask, "shell(make b)")
			}()
			req := gate.CommandRequest("/w", "bash", "make a && make b")
			req.Editable = true
			if v := g.Decide(t.Context(), req); v.Cause != row.cause {
				t.Errorf("%s: %s", v.Cause, v.Reason)
			}
		})
	}
}

// TestRenewedAsSomethingElse: a client can't have what was shown first approved
// by an answer to another request (BEY-02).
func TestRenewedAsSomethingElse(t *testing.T) {
	room := newPerson()
	room.approve = func(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
		next, _ := p.Renewed(ctx)
		return gate.Answer{Decision: gate.Once, Renewal: next.Renewal}, nil
	}
	folder, _ := opens(t, room)
	c := dials(t, folder, "one", nil)
	p := gate.Prompt{Request: gate.CommandRequest("/w", "bash", "make"), Verdict: gate.Verdict{Effect: gate.Ask, Offers: []gate.Decision{gate.Once}}}
	l, err := c.connected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id, replies := l.open()
	first, _ := packPrompt(p)
	p.Renewal, p.Request.Targets = 1, []string{"ls"}
	other, _ := packPrompt(p)
	for _, m := range []asking{{ID: id, Prompt: first}, {ID: id, Renewed: other}} {
		if err := l.send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	got := <-replies
	if got.Answer == nil || got.Answer.Digest != p.Request.Digest() {
		t.Errorf("%+v", got)
	}
}
