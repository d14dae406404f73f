package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A showCase is one line of `show --jsonl`: a case of check, or something else
// that a person is asked or told.
type showCase struct {
	cases.Case
	Question json.RawMessage `json:"question"` // the arguments of ask_user_question
	Plan     *showPlan       `json:"plan"`
	Todos    json.RawMessage `json:"todos"` // the arguments of the todo tool
}

type showPlan struct {
	Plan   string `json:"plan"`
	Before string `json:"before"`
}

// drawAsked draws what is no request, the way that it comes to a person. It
// reports whether there is such a thing.
func (c *showCase) drawAsked(ctx context.Context, o tui.Options, s tui.StillOptions) (tui.Still, bool, error) {
	var asked askedOnly
	host := prompts.Host{Prompter: &asked}
	switch {
	case len(c.Todos) > 0:
		list, err := prompts.ParseTodos(c.Todos)
		if err != nil {
			return tui.Still{}, true, fmt.Errorf("todos: %w", err)
		}
		return tui.DrawTasks(o, list, s), true, nil
	case c.Plan != nil:
		if _, err := prompts.ReviewPlan(ctx, prompts.Review{Plan: c.Plan.Plan, Before: c.Plan.Before, Planning: true, Host: host}); err != nil {
			return tui.Still{}, true, fmt.Errorf("plan: %w", err)
		}
	case len(c.Question) > 0:
		args, err := prompts.ParseAsk(c.Question)
		if err != nil {
			return tui.Still{}, true, fmt.Errorf("question: %w", err)
		}
		if _, err := prompts.Ask(ctx, host, args); err != nil && !errors.Is(err, prompts.ErrDeclined) {
			return tui.Still{}, true, fmt.Errorf("question: %w", err)
		}
	default:
		return tui.Still{}, false, nil
	}
	if len(asked.questions) == 0 {
		return tui.Still{}, true, errors.New("nobody would be asked")
	}
	return tui.DrawQuestions(o, asked.questions, s), true, nil
}

// askedOnly keeps what it is asked and gives no answer.
type askedOnly struct{ questions []prompts.Question }

func (a *askedOnly) Ask(_ context.Context, q prompts.Question) (prompts.Answer, error) {
	a.questions = []prompts.Question{q}
	return prompts.Answer{}, prompts.ErrDeclined
}

func (a *askedOnly) AskGroup(_ context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	a.questions = qs
	return []prompts.Answer{}, prompts.ErrDeclined
}
