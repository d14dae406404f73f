package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/hosting"
	"github.com/blitz-approve/blitz-approve/gate"
)

// hookApprover is who is asked about the call of an event: the person at the
// desk, or one who stands in for them where they are asked elsewhere, or were.
func (s *session) hookApprover(ctx context.Context, e agenthook.Event) (gate.Approver, error) {
	m := s.machine
	if m.approvedBefore(e) {
		return sameAnswer{}, nil
	}
	allows := func() bool { return len(ownAllows(e.Agent.Name, m.workspace)) > 0 }
	s.hosted = e.AskedByHost(allows) && hosting.Asked(ctx, m.deskFolder(),
		hosting.Call{Agent: e.Agent.Name, Session: e.Session, ID: e.CallID, Input: e.Input})
	if s.hosted {
		s.handed = &handOver{why: "the session that hosts the agent is asked"}
		return s.handed, nil
	}
	if err := s.atDesk(ctx); err != nil {
		return nil, err
	}
	switch {
	case s.desk == nil:
		s.handed = &handOver{why: "no desk is open, so that the agent asks"}
	case e.AskedLater():
		s.handed = &handOver{why: "the agent comes again to have it asked", later: true}
	default:
		return oneRequest{s.desk, e.Session != ""}, nil
	}
	return s.handed, nil
}

// A oneRequest asks for a process that ends with its request: of grants only those
// are offered that are saved, and an answer for the session only where the desk
// keeps it, which goes by the name of the session.
type oneRequest struct {
	gate.Approver
	named bool
}

func (o oneRequest) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	a, err := o.Approver.Approve(ctx, o.brief(p))
	if !a.Remember {
		a.Grant = gate.NoGrant
	}
	return a, err
}

func (o oneRequest) brief(p gate.Prompt) gate.Prompt {
	p.Brief = true
	if !o.named {
		p.Verdict.Offers = slices.DeleteFunc(slices.Clone(p.Verdict.Offers), func(d gate.Decision) bool { return d == gate.Session })
		p.Session = ""
	}
	if !p.CanSave {
		p.Grants = nil
	}
	if renewed := p.Renewed; renewed != nil {
		p.Renewed = func(ctx context.Context) (gate.Prompt, bool) {
			next, ok := renewed(ctx)
			return o.brief(next), ok
		}
	}
	return p
}

// A handOver stands in for a person who is asked elsewhere. It notes why one is
// needed. It is for one decision at a time.
type handOver struct {
	why    elsewhere
	later  bool // by a further event of the agent
	reason string
}

// answer is what the agent is told when the last decision was left to it.
func (h *handOver) answer() agenthook.Answer {
	if h.later {
		return agenthook.Answer{Decision: agenthook.Silent}
	}
	return agenthook.Answer{Decision: agenthook.Ask, Reason: "blitz-approve: " + h.reason}
}

func (h *handOver) Approve(_ context.Context, p gate.Prompt) (gate.Answer, error) {
	h.reason = cmp.Or(p.Verdict.Reason, "nothing lets it pass by itself")
	return gate.Answer{}, h.why
}

// An elsewhere says who asks the person.
type elsewhere string

func (e elsewhere) Error() string { return string(e) }

// Is reports whether target is [gate.ErrHandedOver].
func (elsewhere) Is(target error) bool { return target == gate.ErrHandedOver }
