package acp

import (
	"context"
	"encoding/json"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// The methods of this file are what the gate's own MCP server does for the
// agent of this session ([MCPServer].Own). What waits for a person is
// withdrawn with the turn, as requests are.

// AskUserQuestion asks the person (APR-40). Errors are those of [prompts.Ask],
// and what ended the turn.
func (h *hosted) AskUserQuestion(ctx context.Context, a prompts.AskArgs) (prompts.AskResult, error) {
	ctx, release := h.waiting(ctx)
	defer release()
	result, err := prompts.Ask(ctx, h.reviewers(), a)
	if ctx.Err() != nil { // an answer that comes too late is none
		return prompts.AskResult{}, context.Cause(ctx)
	}
	return result, err
}

// EnterPlanMode has the rest of the turn planned (APR-42). Errors are those of
// [prompts.EnterPlan].
func (h *hosted) EnterPlanMode(_ context.Context, args json.RawMessage) error {
	return h.enterPlan(args)
}

// ExitPlanMode puts a plan before the person (APR-41). The result carries the
// plan as the person rewrote it. Errors are those of [prompts.ReviewPlan], and
// what ended the turn.
func (h *hosted) ExitPlanMode(ctx context.Context, plan string) (prompts.PlanResult, error) {
	ctx, release := h.waiting(ctx)
	defer release()
	if !h.plans() {
		return prompts.PlanResult{}, prompts.ErrNotPlanning
	}
	result, err := h.review(ctx, prompts.Review{Plan: plan, Planning: true, Carries: true})
	if ctx.Err() != nil {
		return prompts.PlanResult{}, context.Cause(ctx)
	}
	return result, err
}

// SetTodos shows the checklist (APR-43).
func (h *hosted) SetTodos(_ context.Context, list prompts.TodoList) error {
	h.emit(Todos{list})
	return nil
}
