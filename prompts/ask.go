package prompts

import (
	"context"
	"encoding/json"
	"strings"
)

// A Reply is one question with its answer.
type Reply struct {
	Question string
	// Answer is what was typed, or the chosen options joined with ", ".
	Answer string
	// Selected are the chosen options of a multi-select question, in the
	// question's order: empty when none was chosen, nil when the question
	// isn't multi-select or something else was typed.
	Selected []string
	// Note is what the person remarked beside the answer.
	Note string
}

// An AskResult is what ask_user_question returns (APR-40, APR-40a).
type AskResult struct {
	// Replies has one reply for a single question, and one for each answered
	// question of a series.
	Replies []Reply
	// Series says that the call asked several questions.
	Series bool
	// Err is what ended a series before its last question.
	Err error
}

// Ask puts the questions before the person, several of one call together
// where the [Prompter] can ([AskAll]). It returns an error when a is faulty
// ([AskArgs.Check]), when nobody can answer ([ErrUnattended],
// [ErrNoPrompter]), or when the only question got no answer (the [Prompter]'s
// error). A series that stops early is no error of Ask: its result holds the
// answers so far and the reason (APR-40a).
func Ask(ctx context.Context, h Host, a AskArgs) (AskResult, error) {
	if err := a.Check(); err != nil {
		return AskResult{}, err
	}
	if err := h.answers(); err != nil {
		return AskResult{}, err
	}
	result := AskResult{Series: len(a.Questions) > 0}
	items := a.Questions
	if !result.Series {
		items = []AskItem{a.AskItem}
	}
	questions := make([]Question, len(items))
	for i, item := range items {
		questions[i] = Question{
			Header: item.Header, Text: item.Question, Options: item.Options, MultiSelect: item.MultiSelect,
			Notes: true, Agent: h.Agent,
		}
	}
	answers, err := AskAll(ctx, h.Prompter, questions)
	if err != nil && !result.Series {
		return AskResult{}, err
	}
	result.Err = err
	for i, answer := range answers {
		result.Replies = append(result.Replies, newReply(questions[i], answer))
	}
	return result, nil
}

func newReply(q Question, a Answer) Reply {
	r := Reply{Question: q.Text, Answer: a.Text, Note: a.Note}
	if r.Answer == "" {
		r.Answer = strings.Join(a.Selected, ", ")
	}
	if q.MultiSelect && (len(a.Selected) > 0 || a.Text == "") {
		r.Selected = append([]string{}, a.Selected...)
	}
	return r
}

type replyJSON struct {
	Question string    `json:"question,omitempty"`
	Answer   string    `json:"answer"`
	Selected *[]string `json:"selected,omitempty"` // a pointer, to tell none chosen from not asked
	Note     string    `json:"note,omitempty"`
}

func (r Reply) encoding() replyJSON {
	j := replyJSON{Question: r.Question, Answer: r.Answer, Note: r.Note}
	if r.Selected != nil {
		j.Selected = &r.Selected
	}
	return j
}

// MarshalJSON writes {answer, selected?, note?} for one question, and
// {answers: [{question, answer, selected?, note?}], error?} for a series (APR-40a).
func (r AskResult) MarshalJSON() ([]byte, error) {
	if !r.Series {
		var alone replyJSON
		if len(r.Replies) > 0 {
			alone = r.Replies[0].encoding()
			alone.Question = ""
		}
		return json.Marshal(alone)
	}
	series := struct {
		Answers []replyJSON `json:"answers"`
		Error   string      `json:"error,omitempty"`
	}{Answers: []replyJSON{}}
	for _, reply := range r.Replies {
		series.Answers = append(series.Answers, reply.encoding())
	}
	if r.Err != nil {
		series.Error = r.Err.Error()
	}
	return json.Marshal(series)
}
