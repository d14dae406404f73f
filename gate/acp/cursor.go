package acp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// Cursor asks questions and hands in plans by requests of its own, which wait
// for an answer.

type cursorOutcome struct {
	Outcome cursorAnswer `json:"outcome"`
}

type cursorAnswer struct {
	Outcome string         `json:"outcome"`
	Answers []cursorChoice `json:"answers,omitempty"`
	Reason  string         `json:"reason,omitempty"`
}

type cursorChoice struct {
	QuestionID string   `json:"questionId"`
	Selected   []string `json:"selectedOptionIds"`
}

type cursorQuestion struct {
	ID      string `json:"id"`
	Prompt  string `json:"prompt"`
	Options []struct {
		ID    string `json:"id"`
		Label string `json:"label"`
	} `json:"options"`
	Multiple bool `json:"allowMultiple"`
}

// cursorQuestions answers cursor/ask_question.
func (h *hosted) cursorQuestions(ctx context.Context, raw json.RawMessage) (any, error) {
	var p struct {
		Title     string           `json:"title"`
		Questions []cursorQuestion `json:"questions"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, Errorf(CodeInvalidParams, "cursor/ask_question: %s", err)
	}
	ctx, release := h.waiting(ctx)
	defer release()
	fields := make([]field, len(p.Questions))
	for i, q := range p.Questions {
		fields[i] = field{name: q.ID, header: p.Title, text: q.Prompt, multi: q.Multiple, required: true, other: "words"}
		for _, o := range q.Options {
			fields[i].choices = append(fields[i].choices, choice{value: o.ID, label: o.Label})
		}
	}
	answers, err := h.askFields(ctx, fields)
	switch {
	case ctx.Err() != nil:
		return cursorOutcome{cursorAnswer{Outcome: "cancelled"}}, nil
	case err != nil:
		return cursorOutcome{cursorAnswer{Outcome: "skipped"}}, nil
	}
	return cursorOutcome{answerCursor(fields, answers)}, nil
}

// answerCursor has no place for other words but the reason of a skip.
func answerCursor(fields []field, answers []prompts.Answer) cursorAnswer {
	answer := cursorAnswer{Outcome: "answered"}
	for i, f := range fields {
		ids, typed := f.chosen(answers[i])
		if typed != "" {
			return cursorAnswer{Outcome: "skipped", Reason: typed}
		}
		answer.Answers = append(answer.Answers, cursorChoice{f.name, ids})
	}
	return answer
}

// cursorPlan answers cursor/create_plan.
func (h *hosted) cursorPlan(ctx context.Context, raw json.RawMessage) (any, error) {
	o := parseObject(raw)
	plan := o.text("plan")
	if plan == "" {
		return nil, Errorf(CodeInvalidParams, "cursor/create_plan: there is no plan")
	}
	ctx, release := h.waiting(ctx)
	defer release()
	result, err := h.review(ctx, prompts.Review{Plan: plan, Planning: true})
	switch {
	case ctx.Err() != nil:
		return cursorOutcome{cursorAnswer{Outcome: "cancelled"}}, nil
	case err != nil || !result.Approved:
		h.queueNote(result.Feedback)
		return cursorOutcome{cursorAnswer{Outcome: "rejected"}}, nil
	}
	if todos, ok := o["todos"]; ok {
		h.todos(todos)
	}
	return cursorOutcome{cursorAnswer{Outcome: "accepted"}}, nil
}

// ask puts one question before the person.
func (h *hosted) ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	answers, err := h.askAll(ctx, []prompts.Question{q})
	if err != nil {
		return prompts.Answer{}, err
	}
	return answers[0], nil
}

// askAll puts the questions of one request before the person. Without anyone
// to ask they are declined; with an error no answer counts.
func (h *hosted) askAll(ctx context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	if h.options.Prompter == nil || h.options.Unattended {
		return nil, prompts.ErrDeclined
	}
	h.mu.Lock()
	for i := range qs {
		qs[i].Agent = h.agent
	}
	h.mu.Unlock()
	answers, err := prompts.AskAll(ctx, h.options.Prompter, qs)
	if err == nil {
		err = ctx.Err() // an answer that comes too late is none
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, prompts.ErrDeclined) {
		h.notice(Warning, "the agent's question could not be asked: %s", err)
	}
	return answers, err
}
