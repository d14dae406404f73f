package prompts

import (
	"context"
	"errors"
	"slices"
)

// A GroupPrompter puts the questions of one call before a person together, as
// pages between which one can go back and forth until all are sent at once.
type GroupPrompter interface {
	Prompter
	// AskGroup returns one answer for each question. With an error it returns
	// the answers to the first questions, up to the one that has none.
	AskGroup(ctx context.Context, qs []Question) ([]Answer, error)
}

// maxTries is how often a question is asked whose answers don't do.
const maxTries = 5

// AskAll puts qs before the person: together where p can, else one after the
// other. It returns one answer for each, or the answers so far and the error
// that ended the series (APR-40a). An answer that [Question.Fault] finds fault
// with is never returned.
func AskAll(ctx context.Context, p Prompter, qs []Question) ([]Answer, error) {
	qs = slices.Clone(qs)
	if len(qs) > 1 {
		for i := range qs {
			qs[i].Position, qs[i].Of = i+1, len(qs)
		}
	}
	if g, ok := p.(GroupPrompter); ok && len(qs) > 1 && ctx.Err() == nil {
		return askGroup(ctx, g, qs)
	}
	var answers []Answer
	for _, q := range qs {
		a, err := askUntil(ctx, p, q)
		if err != nil {
			return answers, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

var errShortGroup = errors.New("not all questions were answered")

// askGroup doesn't rely on the prompter's checks.
func askGroup(ctx context.Context, g GroupPrompter, qs []Question) ([]Answer, error) {
	answers, err := g.AskGroup(ctx, qs)
	if err == nil && len(answers) < len(qs) {
		err = errShortGroup
	}
	answers = answers[:min(len(answers), len(qs))]
	for i, a := range answers {
		if fault := qs[i].Fault(a); fault != "" {
			return answers[:i], errors.New(fault)
		}
	}
	return answers, err
}

// askUntil asks again, with what was wrong, until the answer does.
func askUntil(ctx context.Context, p Prompter, q Question) (Answer, error) {
	text := q.Text
	for range maxTries {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		a, err := p.Ask(ctx, q)
		if err != nil {
			return Answer{}, err
		}
		fault := q.Fault(a)
		if fault == "" {
			return a, nil
		}
		q.Text = text + "\n" + fault
	}
	return Answer{}, ErrDeclined
}
