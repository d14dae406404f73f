package main

import (
	"context"
	"errors"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// askQuestions asks the questions of the model at the desk. Those that it can't
// show are left to Claude Code.
func (s *session) askQuestions(ctx context.Context, e agenthook.Event) (agenthook.Answer, error) {
	args, err := e.Questions()
	if err != nil {
		return agenthook.Answer{Decision: agenthook.Silent}, nil //nolint:nilerr // Claude Code asks it then
	}
	result, err := prompts.Ask(ctx, s.people(ctx), args)
	if err == nil {
		err = result.Err
	}
	switch {
	case errors.Is(err, prompts.ErrDeclined), errors.Is(err, prompts.ErrNoPrompter):
		return agenthook.Answer{Reason: err.Error()}, nil
	case err != nil:
		return agenthook.Answer{}, err
	}
	input, err := e.Replied(result)
	return agenthook.Answer{Decision: agenthook.Allow, Input: input, Reason: "the person answered at the desk"}, err
}
