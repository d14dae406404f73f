package acp

import (
	"context"
	"errors"
	"strings"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// plan is the plan that a request hands in for review; false when it is about
// something else. A request that could also run or change something is no
// plan review, whatever its kind.
func (r reading) plan() (string, bool) {
	input := r.input
	if _, command := commandLine(input); command || len(diffsOf(r.call.Content)) > 0 {
		return "", false
	}
	if r.preset.PlanFileTool != "" && r.tool() == r.preset.PlanFileTool {
		return r.planFile()
	}
	if r.call.Kind != "switch_mode" {
		return "", false
	}
	if plan := strings.TrimSpace(input.text("plan")); plan != "" {
		return plan, true
	}
	for _, c := range r.call.Content {
		if text := strings.TrimSpace(c.Text); text != "" {
			return text, true
		}
	}
	return "", false
}

// planFile reads the plan from the file that the title names. A title is the
// agent's claim, but here the worst that it can do is to show the person
// another text file.
func (r reading) planFile() (string, bool) {
	_, path, ok := strings.Cut(r.call.Title, ": ")
	if !ok || !strings.HasSuffix(path, ".md") {
		return "", false
	}
	text, err := readFile(r.absolute(path))
	plan := strings.TrimSpace(string(text))
	return plan, err == nil && plan != ""
}

// planAgain reads the plan once more: it may be in a file.
func (r reading) planAgain() (string, error) {
	plan, ok := r.plan()
	if !ok {
		return "", errNoPlan
	}
	return plan, nil
}

var errNoPlan = errors.New("the plan is no longer there")

// planPermission puts a plan before the person and answers the request with
// what they decided (APR-41). An approval never takes an option that lets the
// agent edit without asking: that is the gate's to give.
func (h *hosted) planPermission(ctx context.Context, offered permissionOptions, id, plan string, again func() (string, error)) permissionResult {
	result, err := h.review(ctx, prompts.Review{Plan: plan, Planning: true, Current: again})
	if ctx.Err() != nil {
		return permissionCancelled
	}
	if err != nil || !result.Approved {
		h.queueNote(result.Feedback)
		return h.reject(offered, id)
	}
	return h.allow(ctx, offered, id, settlement{}, func() bool {
		now, err := again()
		return err == nil && now == plan
	})
}

// review shows a plan. The error says why it could not be; the person is told.
func (h *hosted) review(ctx context.Context, r prompts.Review) (prompts.PlanResult, error) {
	h.mu.Lock()
	r.Session, r.Before = h.session, h.seenPlan
	h.mu.Unlock()
	r.Host, r.Labels, r.Workspace = h.reviewers(), h.options.PlanLabels, h.options.Workspace
	result, err := prompts.ReviewPlan(ctx, r)
	if result.Seen != "" {
		h.mu.Lock()
		h.seenPlan = result.Seen
		h.mu.Unlock()
	}
	if err != nil {
		if ctx.Err() == nil {
			h.notice(Warning, "the plan could not be reviewed: %s", err)
		}
		return result, err
	}
	if result.Approved && result.Message != "" {
		h.notice(Warning, "%s", result.Message)
	}
	if result.Approved {
		h.planEnds()
	}
	h.emit(PlanReviewed{Plan: orElse(result.Seen, r.Plan), Result: result})
	return result, nil
}
