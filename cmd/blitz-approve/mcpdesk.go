package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/desk"
	"github.com/blitz-approve/blitz-approve/gate/mcp"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// deskTools are the tools of a client that no session hosts: they ask at the
// desk, whenever one is open.
type deskTools struct {
	machine *machine
	// follow keeps the session to its files.
	follow func(*session)

	mu       sync.Mutex
	session  *session // nil before the first call, which tells who the client is
	planning bool     // the agent began to plan
	seenPlan string   // the plan that the person saw last
}

func (t *deskTools) tools() mcp.Tools {
	tools := mcp.Tools{Approve: t.approve, Ask: t.ask, ExitPlan: t.exitPlan, Todo: t.todo}
	if t.machine.settings.PlanReview.Value == prompts.AgentDecides {
		tools.EnterPlan = t.enterPlan
	}
	return tools
}

// opened is the session of the client.
func (t *deskTools) opened(ctx context.Context) (*session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session != nil {
		return t.session, nil
	}
	s := &session{machine: t.machine, name: cmp.Or(mcp.Client(ctx), "an agent")}
	s.joinMode(false)
	s.desk = desk.NewClient(t.machine.deskFolder(), desk.Agent{Name: s.name, Workspace: t.machine.workspace}, nil)
	if err := s.open(whereOpen{s.desk}); err != nil {
		s.modes.leave()
		return nil, err
	}
	t.follow(s)
	t.session = s
	return s, nil
}

func (t *deskTools) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session != nil {
		t.session.leave()
	}
}

// A whereOpen asks at the desk, and says how to get one where there is none.
type whereOpen struct{ client *desk.Client }

func (w whereOpen) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	a, err := w.client.Approve(ctx, p)
	if errors.Is(err, desk.ErrNoDesk) {
		err = fmt.Errorf("%w: have the user start blitz-approve in another terminal, then try again", desk.ErrNoDesk)
	}
	return a, err
}

func (t *deskTools) ask(ctx context.Context, a prompts.AskArgs) (prompts.AskResult, error) {
	s, err := t.opened(ctx)
	if err != nil {
		return prompts.AskResult{}, err
	}
	return prompts.Ask(ctx, s.people(ctx), a)
}

func (t *deskTools) enterPlan(ctx context.Context, args json.RawMessage) error {
	s, err := t.opened(ctx)
	if err != nil {
		return err
	}
	if _, err = prompts.EnterPlan(s.people(ctx), t.machine.settings.PlanReview.Value, args); err != nil {
		return err
	}
	t.plans(true)
	return nil
}

func (t *deskTools) plans(now bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.planning = now
}

func (t *deskTools) exitPlan(ctx context.Context, plan string) (prompts.PlanResult, error) {
	s, err := t.opened(ctx)
	if err != nil {
		return prompts.PlanResult{}, err
	}
	t.mu.Lock()
	planning := t.planning || s.gate.Mode() == gate.Plan
	t.mu.Unlock()
	return t.review(ctx, s, prompts.Review{Plan: plan, Planning: planning})
}

// review puts a plan before the person. An approval ends the planning.
func (t *deskTools) review(ctx context.Context, s *session, r prompts.Review) (prompts.PlanResult, error) {
	t.mu.Lock()
	r.Before = t.seenPlan
	t.mu.Unlock()
	r.Carries, r.Host, r.Workspace, r.Session = true, s.people(ctx), s.machine.workspace, s.name
	result, err := prompts.ReviewPlan(ctx, r)
	if result.Seen != "" {
		t.mu.Lock()
		t.seenPlan = result.Seen
		t.mu.Unlock()
	}
	if err != nil || !result.Approved {
		return result, err
	}
	t.plans(false)
	for _, n := range s.endPlanning(result) {
		if n.Severity == tui.Warning && result.Message == "" {
			result.Message = "the plan is approved, but: " + n.Text
		}
	}
	return result, nil
}

// todo shows the list at the desk, if one is open.
func (t *deskTools) todo(ctx context.Context, list prompts.TodoList) error {
	s, err := t.opened(ctx)
	if err == nil {
		s.desk.SetTodos(ctx, list)
	}
	return err
}
