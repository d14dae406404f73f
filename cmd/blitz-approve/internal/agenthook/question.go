package agenthook

import (
	"encoding/json"
	"errors"

	"github.com/blitz-approve/blitz-approve/prompts"
)

var errQuestions = errors.New("not all questions were answered")

// Questions are those of a call of AskUserQuestion.
func (e Event) Questions() (prompts.AskArgs, error) { return prompts.ParseAsk(e.Input) }

// Replied are the arguments of the same call with the person's answers, by
// which Claude Code asks no more.
func (e Event) Replied(r prompts.AskResult) (json.RawMessage, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	args, err := e.Questions()
	if err != nil {
		return nil, err
	}
	answers := map[string]string{}
	for _, reply := range r.Replies {
		text := reply.Answer
		if reply.Note != "" {
			text += " (" + reply.Note + ")"
		}
		answers[reply.Question] = text
	}
	// Two questions of the same text would take one answer for both.
	if len(answers) != max(len(args.Questions), 1) {
		return nil, errQuestions
	}
	o := e.fields()
	if o["answers"], err = json.Marshal(answers); err != nil {
		return nil, err
	}
	return json.Marshal(o)
}
