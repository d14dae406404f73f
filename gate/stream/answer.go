package stream

import (
	"context"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// maxTries is how often a request is decided whose files keep changing
// meanwhile.
const maxTries = 3

// decide answers a request. Files that it changes are looked at once more
// after a yes: when they are not what was shown any more, it is asked anew
// (BEY-02).
func (s *Server) decide(ctx context.Context, m message) reply {
	answer := func(v gate.Verdict) reply { return reply{Type: "verdict", ID: m.ID, verdict: verdictOf(v)} }
	invalid := func(reason string) reply {
		return answer(gate.Verdict{Cause: gate.CauseInvalid, Step: gate.StepValid, Reason: reason})
	}
	if m.Request == nil {
		return invalid("the message holds no request")
	}
	if s.o.Decide == nil {
		return invalid("nothing decides here")
	}
	for range maxTries {
		req, err := m.Request.gate(s.o.Workspace, s.origin(m))
		if err != nil {
			return invalid(err.Error())
		}
		v := s.o.Decide(ctx, req)
		if v.Allowed() && s.changed(m, req) {
			continue
		}
		s.event(Decided{ID: m.ID, Verdict: v})
		return answer(v)
	}
	return invalid("the files kept changing while this was decided")
}

func (s *Server) changed(m message, decided gate.Request) bool {
	now, err := m.Request.gate(s.o.Workspace, s.origin(m))
	return err != nil || now.Digest() != decided.Digest()
}

func (s *Server) origin(m message) gate.Origin {
	return gate.Origin{Agent: s.o.Agent, Session: m.Session, Protocol: "stream"}
}

// ask answers ask_user_question (APR-40, APR-40a).
func (s *Server) ask(ctx context.Context, m message) reply {
	args, err := prompts.ParseAsk(m.Args)
	if err != nil {
		return reply{Type: "error", ID: m.ID, Error: err.Error()}
	}
	result, err := prompts.Ask(ctx, s.host(), args)
	if err != nil {
		return reply{Type: "error", ID: m.ID, Error: err.Error()}
	}
	return reply{Type: "answer", ID: m.ID, Result: result}
}

// review answers exit_plan_mode (APR-41, BEY-10).
func (s *Server) review(ctx context.Context, m message) reply {
	s.mu.Lock()
	before := s.plans[m.Session]
	s.mu.Unlock()
	result, err := prompts.ReviewPlan(ctx, prompts.Review{
		Plan: m.Plan, Planning: true, Carries: true, Host: s.host(), Workspace: s.o.Workspace, Session: m.Session, Before: before,
	})
	if result.Seen != "" {
		s.mu.Lock()
		s.plans[m.Session] = result.Seen
		s.mu.Unlock()
	}
	if err != nil {
		return reply{Type: "error", ID: m.ID, Error: err.Error()}
	}
	s.event(PlanReviewed{Result: result})
	return reply{Type: "answer", ID: m.ID, Result: result}
}

// todos answers the todo tool (APR-43).
func (s *Server) todos(_ context.Context, m message) reply {
	list, err := prompts.ParseTodos(m.Args)
	if err != nil {
		return reply{Type: "error", ID: m.ID, Error: err.Error()}
	}
	s.event(Todos{List: list})
	return reply{Type: "answer", ID: m.ID, Result: list}
}

func (s *Server) host() prompts.Host {
	h := prompts.Host{Prompter: s.o.Prompter, Unattended: s.o.Unattended, Agent: s.o.Agent}
	if s.o.DontAsk != nil {
		h.DontAsk = s.o.DontAsk()
	}
	return h
}
