package main

import (
	"context"
	"encoding/json"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/mcp"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// approve answers a permission prompt of a headless run of Claude Code, by the
// same rules as its hook. What the model asks the person for comes this way too.
func (t *deskTools) approve(ctx context.Context, c mcp.Call) (mcp.Answer, error) {
	s, err := t.opened(ctx)
	if err != nil {
		return mcp.Answer{}, err
	}
	t.mu.Lock()
	if t.planning {
		ctx = gate.Planning(ctx)
	}
	t.mu.Unlock()
	e := agenthook.Event{
		Agent: agenthook.Claude, Name: agenthook.PermissionRequest, Dir: s.machine.workspace, Tool: c.Tool, Input: c.Input, CallID: c.ID, Protocol: "mcp",
	}
	a, err := s.answerCall(ctx, e)
	switch {
	case err != nil:
		return mcp.Answer{}, err
	case a.Decision == agenthook.Silent:
		return t.approveOwn(ctx, s, e)
	case a.Decision == agenthook.Allow:
		return mcp.Answer{Allow: true, Input: a.Input}, nil
	}
	return mcp.Answer{Message: a.Reason, Stop: a.Stop}, nil
}

// approveOwn answers for tools that act on nothing but the session, which no
// rule denies.
func (t *deskTools) approveOwn(ctx context.Context, s *session, e agenthook.Event) (mcp.Answer, error) {
	switch e.Tool {
	case agenthook.AskUserQuestion:
		_, err := e.Questions() // it is what kept them from being asked
		return mcp.Answer{}, err
	case agenthook.EnterPlanMode:
		if _, err := prompts.EnterPlan(s.people(ctx), t.machine.settings.PlanReview.Value, e.Input); err != nil {
			return mcp.Answer{Message: err.Error()}, nil //nolint:nilerr // a refusal says it
		}
	case agenthook.ExitPlanMode:
		return t.approvePlan(ctx, s, e)
	}
	return mcp.Answer{Allow: true}, nil
}

// approvePlan puts the plan before the person. As they rewrite it, it is what
// Claude Code carries out.
func (t *deskTools) approvePlan(ctx context.Context, s *session, e agenthook.Event) (mcp.Answer, error) {
	var input map[string]json.RawMessage
	var plan string
	if err := json.Unmarshal(e.Input, &input); err != nil {
		return mcp.Answer{}, err
	}
	if err := json.Unmarshal(input["plan"], &plan); err != nil {
		return mcp.Answer{}, prompts.ErrEmptyPlan
	}
	result, err := t.review(ctx, s, prompts.Review{Plan: plan, Planning: true})
	switch {
	case err != nil:
		return mcp.Answer{}, err
	case !result.Approved && result.Feedback != "":
		return mcp.Answer{Message: result.Feedback}, nil
	case !result.Approved:
		return mcp.Answer{Message: result.Message}, nil
	case result.Plan == "":
		return mcp.Answer{Allow: true}, nil
	}
	if input["plan"], err = json.Marshal(result.Plan); err != nil {
		return mcp.Answer{}, err
	}
	whole, err := json.Marshal(input)
	return mcp.Answer{Allow: true, Input: whole}, err
}
