package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// AgentDecides is the value of the setting plan_review that lets an agent
// begin to plan by itself (APR-42).
const AgentDecides = "agent-decides"

// The permission modes that an approved plan may start (APR-41).
const (
	ModeDefault     = "default"
	ModeAcceptEdits = "accept-edits"
)

var (
	// ErrNotPlanning refuses a plan outside planning (APR-41).
	ErrNotPlanning = errors.New("this turn isn't planning, so there is no plan to hand in: go on with the task")
	// ErrEmptyPlan refuses a plan without text.
	ErrEmptyPlan = errors.New("the plan is empty: pass its full text")
	// ErrNoPlanning refuses enter_plan_mode where the setting keeps planning
	// to the person (APR-42).
	ErrNoPlanning = errors.New("an agent can't begin to plan here; go on without, or ask the person to switch to plan mode")
	// ErrNoReviewer refuses enter_plan_mode where nobody could review the
	// plan (APR-42).
	ErrNoReviewer = errors.New("nobody can review a plan here; go on without planning")
)

// noReviewer is what an agent reads when its plan can't be shown (APR-41).
const noReviewer = "nobody can review the plan here: finish your turn and give the plan itself as your answer"

// ReviewLabels are the words of a plan review, for translation. Empty fields
// take the English ones.
type ReviewLabels struct {
	Header   string
	Question string
	// Approve carries the plan out and asks for edits as usual.
	Approve string
	// ApproveEdits also accepts the plan's file edits.
	ApproveEdits string
	// Keep goes on planning.
	Keep string
}

var englishReview = ReviewLabels{
	Header:       "Plan",
	Question:     "Shall the agent carry out this plan?",
	Approve:      "Yes, go ahead",
	ApproveEdits: "Yes, and don't ask about its file edits",
	Keep:         "No, plan further",
}

// complete fills in the English words. A translation in which two answers
// read the same is not used: which one was meant could not be told.
func (l ReviewLabels) complete() ReviewLabels {
	for _, f := range []struct{ word, english *string }{
		{&l.Header, &englishReview.Header}, {&l.Question, &englishReview.Question},
		{&l.Approve, &englishReview.Approve}, {&l.ApproveEdits, &englishReview.ApproveEdits}, {&l.Keep, &englishReview.Keep},
	} {
		if strings.TrimSpace(*f.word) == "" {
			*f.word = *f.english
		}
	}
	a, e, k := fold(l.Approve), fold(l.ApproveEdits), fold(l.Keep)
	if a == e || a == k || e == k {
		return englishReview
	}
	return l
}

// A Review is one plan that an agent hands in with exit_plan_mode (APR-41).
type Review struct {
	// Plan is the plan, in markdown.
	Plan string
	// Planning says that the turn is planning; else the call is an error.
	Planning bool
	Host     Host
	// Workspace is the directory below which an approved plan is saved.
	Workspace string
	// Session is the session's id, as the agent knows it.
	Session string
	Labels  ReviewLabels
}

// A PlanResult is the outcome of a review. The zero PlanResult doesn't
// approve.
type PlanResult struct {
	Approved bool `json:"approved"`
	// Mode is the permission mode that the caller sets after an approval:
	// [ModeDefault] or [ModeAcceptEdits]; empty without one.
	Mode string `json:"mode,omitempty"`
	// File is where the approved plan was saved, relative to the workspace
	// with forward slashes; empty when it could not be.
	File string `json:"plan_file,omitempty"`
	// Feedback is what the person wrote instead of choosing.
	Feedback string `json:"feedback,omitempty"`
	// Message tells the agent what to do next, where the rest doesn't.
	Message string `json:"message,omitempty"`
}

// ReviewPlan shows the plan to the person and returns the answer (APR-41).
// An approval needs one of the two labels that approve, to the letter but for
// case; whatever else is said is feedback. An approved plan is saved; when
// that fails the approval stands and Message says so. Errors are
// [ErrNotPlanning], [ErrEmptyPlan] and those of the [Prompter] but
// [ErrDeclined], which keeps planning.
func ReviewPlan(ctx context.Context, r Review) (PlanResult, error) {
	switch {
	case !r.Planning:
		return PlanResult{}, ErrNotPlanning
	case strings.TrimSpace(r.Plan) == "":
		return PlanResult{}, ErrEmptyPlan
	case !r.Host.reviews():
		return PlanResult{Message: noReviewer}, nil
	}
	labels := r.Labels.complete()
	answer, err := r.Host.Prompter.Ask(ctx, Question{
		Header: labels.Header, Text: labels.Question, Document: r.Plan, Agent: r.Host.Agent,
		Options: []Option{{Label: labels.Approve}, {Label: labels.ApproveEdits}, {Label: labels.Keep}},
	})
	if errors.Is(err, ErrDeclined) {
		return PlanResult{Message: keepPlanning}, nil
	}
	if err != nil {
		return PlanResult{}, err
	}
	result := labels.result(answer)
	if result.Approved {
		r.save(&result)
	}
	return result, nil
}

const keepPlanning = "the person wants you to plan further; revise the plan before you hand it in again"

// result reads an answer. A selection with other words beside it is feedback:
// a condition that someone adds to a yes must not get lost.
func (l ReviewLabels) result(a Answer) PlanResult {
	said := a.Text
	if said == "" && len(a.Selected) == 1 {
		said = a.Selected[0]
	}
	switch fold(said) {
	case fold(l.Approve):
		return PlanResult{Approved: true, Mode: ModeDefault}
	case fold(l.ApproveEdits):
		return PlanResult{Approved: true, Mode: ModeAcceptEdits}
	case fold(l.Keep), "":
		return PlanResult{Message: keepPlanning}
	}
	return PlanResult{Feedback: strings.TrimSpace(said)}
}

func (r Review) save(result *PlanResult) {
	file, err := savePlan(r.Workspace, r.Session, r.Plan)
	if err != nil {
		result.Message = "the plan is approved, but it could not be saved: " + err.Error()
		return
	}
	result.File = file
}

// EnterPlan decides whether an agent may begin to plan for the rest of its
// turn (APR-42). planReview is the setting of that name; raw are the tool's
// arguments, of which the reason is returned for display. It returns
// [ErrNoPlanning] or [ErrNoReviewer] when the agent may not.
func EnterPlan(h Host, planReview string, raw json.RawMessage) (reason string, err error) {
	switch {
	case planReview != AgentDecides:
		return "", ErrNoPlanning
	case !h.reviews():
		return "", ErrNoReviewer
	}
	var args struct {
		Reason string `json:"reason"`
	}
	if len(raw) > 0 {
		// The reason is a courtesy: a malformed one doesn't keep an agent from
		// the stricter mode.
		_ = json.Unmarshal(raw, &args)
	}
	return strings.TrimSpace(args.Reason), nil
}
