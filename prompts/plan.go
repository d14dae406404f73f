package prompts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	// Changed comes before the question when the plan was changed while it
	// was read.
	Changed string
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
	Changed:      "The plan was changed while you read it. This is what it says now.",
	Approve:      "Yes, go ahead",
	ApproveEdits: "Yes, and don't ask about its file edits",
	Keep:         "No, plan further",
}

// complete fills in the English words. A translation in which two answers
// read the same is not used: which one was meant could not be told.
func (l ReviewLabels) complete() ReviewLabels {
	for _, f := range []struct{ word, english *string }{
		{&l.Header, &englishReview.Header}, {&l.Question, &englishReview.Question}, {&l.Changed, &englishReview.Changed},
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
	// Before is the revision that the person saw last; empty when there was
	// none (BEY-10).
	Before string
	// Current reads the plan again when it is approved, where it may change
	// while it is read, as in a file; nil where it can't. What is approved is
	// exactly what was shown (BEY-10).
	Current func() (string, error)
	// Carries says that the agent carries out [PlanResult].Plan when the
	// person has rewritten the plan; else it goes back as feedback.
	Carries bool
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
	// Plan is the approved plan where the person has rewritten it.
	Plan string `json:"plan,omitempty"`
	// Seen is the plan that the person saw last, for [Review].Before, and
	// Revision names what was approved ([Revision]).
	Seen     string `json:"-"`
	Revision string `json:"-"`
	// Feedback is what the person wrote instead of choosing.
	Feedback string `json:"feedback,omitempty"`
	// Message tells the agent what to do next, where the rest doesn't.
	Message string `json:"message,omitempty"`
}

// ReviewPlan shows the plan to the person and returns the answer (APR-41).
// An approval needs one of the two labels that approve, to the letter but for
// case; whatever else is said is feedback. An approval of a plan that has changed
// meanwhile doesn't count: the new one is shown (BEY-10). An approved plan is
// saved; when that fails the approval stands and Message says so. Errors are
// [ErrNotPlanning], [ErrEmptyPlan], those of [Review].Current and those of the
// [Prompter] but [ErrDeclined], which keeps planning.
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
	text := labels.Question
	for range maxTries {
		result, err := r.show(ctx, labels, text)
		if err != nil || !result.Approved {
			return result, err
		}
		now, err := r.current()
		if err != nil {
			return PlanResult{}, fmt.Errorf("read the plan again: %w", err)
		}
		if now == r.Plan {
			r.save(&result)
			return result, nil
		}
		r.Before, r.Plan = r.Plan, now
		text = labels.Changed + "\n" + labels.Question
	}
	return PlanResult{Message: keepPlanning, Seen: r.Before}, nil
}

// show puts one revision before the person.
func (r Review) show(ctx context.Context, labels ReviewLabels, text string) (PlanResult, error) {
	answer, err := r.Host.Prompter.Ask(ctx, Question{
		Header: labels.Header, Text: text, Document: r.Plan, Before: r.Before, Editable: r.Carries, Agent: r.Host.Agent,
		Options: []Option{{Label: labels.Approve}, {Label: labels.ApproveEdits}, {Label: labels.Keep}}, Refusal: 3,
	})
	if errors.Is(err, ErrDeclined) {
		return PlanResult{Message: keepPlanning, Seen: r.Plan}, nil
	}
	if err != nil {
		return PlanResult{}, err
	}
	result := labels.result(answer, r.Carries)
	result.Seen = r.Plan
	if result.Approved {
		result.Plan = answer.Document
		result.Revision = Revision(r.approved(result))
	}
	return result, nil
}

// approved is the text that an approval is about.
func (r Review) approved(result PlanResult) string {
	if result.Plan != "" {
		return result.Plan
	}
	return r.Plan
}

func (r Review) current() (string, error) {
	if r.Current == nil {
		return r.Plan, nil
	}
	return r.Current()
}

// Revision names a plan by its text: the first 12 digits of its SHA-256.
func Revision(plan string) string {
	sum := sha256.Sum256([]byte(plan))
	return hex.EncodeToString(sum[:6])
}

const keepPlanning = "the person wants you to plan further; revise the plan before you hand it in again"

// result reads an answer. A selection with other words, comments or changes
// beside it is feedback: a condition that someone adds to a yes must not get
// lost.
func (l ReviewLabels) result(a Answer, carries bool) PlanResult {
	said := a.Text
	if said == "" && len(a.Selected) == 1 {
		said = a.Selected[0]
	}
	if len(a.Comments) > 0 || a.Note != "" || a.Document != "" && !carries {
		if len(a.Selected) > 0 && said == strings.Join(a.Selected, ", ") {
			said = "" // what was chosen can't be meant as it stands
		}
		return PlanResult{Feedback: a.feedback(said)}
	}
	switch fold(said) {
	case fold(l.Approve):
		return PlanResult{Approved: true, Mode: ModeDefault}
	case fold(l.ApproveEdits):
		return PlanResult{Approved: true, Mode: ModeAcceptEdits}
	case fold(l.Keep), "":
		return PlanResult{Message: keepPlanning}
	}
	return PlanResult{Feedback: a.feedback(said)}
}

// feedback is what the person said, as the agent reads it: the words, then
// each comment with the line that it is on, then the changes.
func (a Answer) feedback(words string) string {
	var parts []string
	for _, s := range []string{words, a.Note} {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	for _, c := range a.Comments {
		parts = append(parts, fmt.Sprintf("Line %d of the plan:\n> %s\n%s", c.Line, c.Quote, strings.TrimSpace(c.Text)))
	}
	switch {
	case a.Changes != "":
		parts = append(parts, "The plan with these changes:\n```diff\n"+strings.TrimRight(a.Changes, "\n")+"\n```")
	case a.Document != "":
		parts = append(parts, "The plan should be:\n"+a.Document)
	}
	return strings.Join(parts, "\n\n")
}

func (r Review) save(result *PlanResult) {
	file, err := savePlan(r.Workspace, r.Session, r.approved(*result))
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
