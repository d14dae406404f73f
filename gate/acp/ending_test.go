package acp_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// A log keeps who decided.
type log chan gate.Record

func (l log) Record(r gate.Record) error {
	l <- r
	return nil
}

// waits is an approver who never answers.
func waits(asked chan<- bool) gate.Approver {
	return gate.ApproverFunc(func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
		asked <- true
		<-ctx.Done()
		return gate.Answer{Decision: gate.Once}, errors.New("too late")
	})
}

// APR-12, APR-30: the log says who ended a request that waited. That the agent did
// is no answer of the person.
func TestLogSaysWhoEndedTheRequest(t *testing.T) {
	tests := map[string]struct {
		end                func(*acp.Host, *peer)
		who, cause, reason string
	}{
		"the agent takes it back": {
			func(_ *acp.Host, p *peer) { p.send(`{"method":"$/cancel_request","params":{"requestId":0}}`) },
			"agent", gate.CauseWithdrawn, "the agent withdrew it",
		},
		"the agent uses its id again": {
			func(_ *acp.Host, p *peer) { p.send(ask("0", "c2", "ls")) },
			"agent", gate.CauseWithdrawn, "the agent withdrew it",
		},
		"the agent ends its turn": {
			func(_ *acp.Host, p *peer) { p.send(`{"id":3,"result":{"stopReason":"end_turn"}}`) },
			"agent", gate.CauseWithdrawn, "the agent ended its turn",
		},
		"the agent ends": {
			func(_ *acp.Host, p *peer) { _ = p.out.Close() },
			"agent", gate.CauseWithdrawn, "the connection with the agent ended",
		},
		"the person cancels": {
			func(h *acp.Host, _ *peer) { h.Cancel() },
			"person", gate.CauseCancelled, "the person cancelled the turn",
		},
		"the session ends": {
			func(h *acp.Host, _ *peer) { go h.Close() },
			"gate", gate.CauseUnanswered, "nobody answered: the session ended",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, asked := make(log, 10), make(chan bool, 10)
			g, err := gate.New(gate.Options{Workspace: t.TempDir(), Mode: gate.Default, Approver: waits(asked), Audit: l})
			if err != nil {
				t.Fatal(err)
			}
			h, p := open(t, acp.Options{Decide: g.Decide})
			prompt(t, h, p)
			go func() { _, _ = io.Copy(io.Discard, p.in) }()
			p.send(ask("0", "c1", "make"))
			<-asked
			tt.end(h, p)
			if r := <-l; r.Who != tt.who || r.Cause != tt.cause || r.Reason != tt.reason || r.Verdict != "deny" {
				t.Errorf("%s by %s · %s · %s, want %s · %s · %s", r.Verdict, r.Who, r.Cause, r.Reason, tt.who, tt.cause, tt.reason)
			}
		})
	}
}

// The same for an agent in an editor (TAM-24).
func TestLogSaysWhoEndedTheRequestInAnEditor(t *testing.T) {
	tests := map[string]struct {
		end                func(*between)
		who, cause, reason string
	}{
		"the agent ends": {
			func(b *between) { _ = b.agent.out.Close() },
			"agent", gate.CauseWithdrawn, "the agent has closed the connection",
		},
		"the editor ends": {
			func(b *between) { _ = b.editor.out.Close() },
			"gate", gate.CauseUnanswered, "nobody answered: the editor has closed the connection",
		},
		"the person cancels": {
			func(b *between) {
				b.editor.send(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}`)
			},
			"person", gate.CauseCancelled, "the person cancelled the turn",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, asked := make(log, 10), make(chan bool, 10)
			b := newBetween(t, acp.ProxyOptions{Open: func(dir string, _ *acp.Editor) (acp.Options, func(), error) {
				g, err := gate.New(gate.Options{Workspace: dir, Home: t.TempDir(), Mode: gate.Default, Approver: waits(asked), Audit: l})
				return acp.Options{Workspace: dir, Decide: g.Decide, Check: g.Check}, nil, err
			}}, gate.Policy{}, gate.Default)
			b.session("s1")
			b.prompt("s1")
			go func() { _, _ = io.Copy(io.Discard, b.agent.in) }()
			b.agent.send(askFor("0", "s1", "touch x"))
			<-asked
			tt.end(b)
			if r := <-l; r.Who != tt.who || r.Cause != tt.cause || r.Reason != tt.reason || r.Verdict != "deny" {
				t.Errorf("%s by %s · %s · %s, want %s · %s · %s", r.Verdict, r.Who, r.Cause, r.Reason, tt.who, tt.cause, tt.reason)
			}
		})
	}
}
