package main

import (
	"context"
	"fmt"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/permissionhook"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/review"
	"github.com/blitz-approve/blitz-approve/settings"
)

// hooks are the commands of [[hooks.permission_request]], in their order.
func (s *session) hooks() []gate.Hook {
	var all []gate.Hook
	for _, h := range s.machine.settings.Hooks {
		all = append(all, permissionhook.New(permissionhook.Options{
			Name: fmt.Sprintf("%s (%s)", h.Command, h.Source), Command: h.Command, Timeout: h.Timeout,
			Dir: s.machine.home, Mode: func() gate.Mode { return s.gate.Mode() },
		}))
	}
	return all
}

// apis are the protocols by their names in the settings; not set, the address
// tells.
var apis = map[string]review.API{"openai": review.ChatCompletions, "anthropic": review.Messages}

// review makes the reviewer of mode auto; nil when none is set up. One that
// can't be set up is a problem of the settings, and auto asks the person.
func (s *session) review() gate.Reviewer {
	auto := s.machine.settings.Auto
	if !auto.Model.Set() {
		return nil
	}
	r, err := review.New(review.Options{
		Model: auto.Model.Value, BaseURL: auto.BaseURL.Value, API: apis[auto.Protocol.Value], APIKeyEnv: auto.KeyVariable.Value,
		Environment: auto.Environment.Value, Conversation: s.talk.Last,
	})
	if err != nil {
		s.machine.problems = append(s.machine.problems, settings.Problem{
			File: auto.Model.Source.File, Line: auto.Model.Source.Line, Col: auto.Model.Col,
			Key: "permissions.auto", Message: err.Error(), Hint: "mode auto asks you instead",
		})
		return nil
	}
	s.reviewer = r
	return r
}

// listen keeps the conversation for the reviewer.
func (s *session) listen(next func(acp.Event)) func(acp.Event) {
	return func(e acp.Event) {
		switch e := e.(type) {
		case acp.TurnStarted:
			s.talk.Asked(e.Text)
		case acp.AgentChunk:
			s.talk.Answered(e.Text)
		case acp.Todos:
			if s.desk != nil {
				s.desk.SetTodos(context.Background(), e.List)
			}
		}
		next(e)
	}
}
