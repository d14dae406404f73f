package acp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// planFirst goes before each prompt of a turn that plans (APR-14). Only the
// agent gets it: the transcript keeps what the person typed.
const planFirst = "Plan first. Look around as much as you need, but change nothing: edits, and commands that do more than read, " +
	"are refused. Then hand in a plan for approval with your tool for that, or, if you have none, end your turn with the plan as your answer. " +
	"What follows is what to plan:"

// modeTime is how long the agent may take to change its mode before a prompt.
const modeTime = 10 * time.Second

// plansTurn settles whether the next prompt is planned, and puts an agent
// that has a mode of its own for planning into it: in another one it may have
// no tool to hand in a plan.
func (h *hosted) plansTurn() bool {
	plans := h.plans()
	h.mu.Lock()
	current, before, id := h.mode.Current, h.beforePlan, h.planMode()
	switch {
	case plans && id != "" && current != id && !h.planned:
		h.beforePlan = current
	case !plans && before != "" && current == id:
		id, h.beforePlan = before, ""
	default:
		id = ""
	}
	h.mu.Unlock()
	if id != "" {
		ctx, cancel := context.WithTimeout(h.ctx, modeTime)
		defer cancel()
		if err := h.SetMode(ctx, id); err != nil && h.ctx.Err() == nil {
			h.notice(Warning, "the agent can't be put into its mode %q: %s", id, err)
		}
	}
	return plans
}

// plans reports whether what the agent does now is planned.
func (h *hosted) plans() bool {
	h.mu.Lock()
	planned := h.planned
	h.mu.Unlock()
	return planned || h.options.Planning != nil && h.options.Planning()
}

// planMode is the agent's own mode for planning, or empty. It is called with
// mu held.
func (h *hosted) planMode() string {
	i := slices.IndexFunc(h.mode.Available, func(m SessionMode) bool { return m.ID == "plan" || strings.HasSuffix(m.ID, "#plan") })
	if i < 0 || h.loosens(h.mode.Available[i].ID) {
		return ""
	}
	return h.mode.Available[i].ID
}

// entersPlan reports a request to begin to plan. One that could also run or
// change something is none, whatever its name.
func (r reading) entersPlan() bool {
	_, command := commandLine(r.input)
	return r.preset.EnterPlanTool != "" && r.tool() == r.preset.EnterPlanTool && !command && len(diffsOf(r.call.Content)) == 0
}

// enterPermission answers an agent that wants to plan for the rest of its turn.
func (h *hosted) enterPermission(ctx context.Context, offered permissionOptions, id string, r reading) permissionResult {
	if h.enterPlan(r.call.RawInput) != nil {
		return h.reject(offered, id)
	}
	return h.allow(ctx, offered, id, settlement{}, func() bool { return true })
}

// enterPlan has the rest of the turn planned, or says why not (APR-42).
func (h *hosted) enterPlan(args json.RawMessage) error {
	if h.plans() {
		return nil
	}
	reason, err := prompts.EnterPlan(h.reviewers(), h.options.PlanReview, args)
	if err != nil {
		h.notice(Info, "the agent wanted to plan first: %s", err)
		return err
	}
	h.mu.Lock()
	h.planned = h.inTurn
	h.mu.Unlock()
	h.notice(Info, "the agent plans for the rest of this turn%s", because(reason))
	return nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// reviewers says who is there to review a plan.
func (h *hosted) reviewers() prompts.Host {
	h.mu.Lock()
	host := prompts.Host{Prompter: h.options.Prompter, Unattended: h.options.Unattended, Agent: h.agent}
	h.mu.Unlock()
	if h.options.DontAsk != nil {
		host.DontAsk = h.options.DontAsk()
	}
	return host
}

// planEnds lets the rest of the turn be carried out.
func (h *hosted) planEnds() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.planned = false
}

// underPlan is the context in which the gate decides for this turn.
func (h *hosted) underPlan(ctx context.Context) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.planned {
		return gate.Planning(ctx)
	}
	return ctx
}
