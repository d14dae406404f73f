package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MaxQuestions is how many questions one call may ask (APR-40a).
const MaxQuestions = 8

// An AskItem is one question as an agent passes it (APR-40).
type AskItem struct {
	Header      string   `json:"header,omitempty"`
	Question    string   `json:"question"`
	Options     []Option `json:"options,omitempty"`
	MultiSelect bool     `json:"multi_select,omitempty"`
}

// AskArgs are the arguments of ask_user_question: one question, or several in
// Questions (APR-40a).
type AskArgs struct {
	AskItem
	Questions []AskItem `json:"questions,omitempty"`
}

// ParseAsk decodes and checks the arguments of ask_user_question. Fields that
// it doesn't know are ignored. Its errors are those of [AskArgs.Check], or
// say where the JSON has the wrong shape.
func ParseAsk(raw json.RawMessage) (AskArgs, error) {
	var a AskArgs
	if err := json.Unmarshal(raw, &a); err != nil {
		return AskArgs{}, fmt.Errorf("ask_user_question: %w", err)
	}
	return a, a.Check()
}

// Check reports the first thing that makes a unanswerable: no question, both
// forms at once, more than [MaxQuestions], a multi-select without options
// (APR-40, APR-40a), or options that an answer couldn't tell apart.
func (a AskArgs) Check() error {
	alone := a.Question != "" || len(a.Options) > 0 || a.MultiSelect
	switch {
	case len(a.Questions) == 0:
		return a.AskItem.check()
	case alone:
		return errors.New("pass either question (with its options) or questions, not both")
	case len(a.Questions) > MaxQuestions:
		return fmt.Errorf("%d questions at once are too many: ask at most %d", len(a.Questions), MaxQuestions)
	}
	for i, q := range a.Questions {
		if err := q.check(); err != nil {
			return fmt.Errorf("question %d of %d: %w", i+1, len(a.Questions), err)
		}
	}
	return nil
}

func (q AskItem) check() error {
	if strings.TrimSpace(q.Question) == "" {
		return errors.New("the question is empty: say what you want to know")
	}
	if q.MultiSelect && len(q.Options) == 0 {
		return errors.New("multi_select needs options to choose from")
	}
	seen := map[string]bool{}
	for i, o := range q.Options {
		switch label := fold(o.Label); {
		case label == "":
			return fmt.Errorf("option %d has no label", i+1)
		case seen[label]:
			return fmt.Errorf("option %d repeats the label %q", i+1, o.Label)
		default:
			seen[label] = true
		}
	}
	return nil
}

// UnmarshalJSON reads an option from a string or from an object with label,
// description and preview.
func (o *Option) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		*o = Option{}
		return json.Unmarshal(raw, &o.Label)
	}
	var object struct {
		Label       string `json:"label"`
		Description string `json:"description"`
		Preview     string `json:"preview"`
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return fmt.Errorf("an option is a text or an object with label, description and preview: %w", err)
	}
	*o = Option(object)
	return nil
}

// UnmarshalJSON reads a question, with multi_select also in the camelCase
// spelling that some agents use.
func (q *AskItem) UnmarshalJSON(raw []byte) error {
	type plain AskItem
	item := struct {
		*plain
		MultiSelectCamel bool `json:"multiSelect"`
	}{plain: (*plain)(q)}
	if err := json.Unmarshal(raw, &item); err != nil {
		return err
	}
	q.MultiSelect = q.MultiSelect || item.MultiSelectCamel
	return nil
}

// UnmarshalJSON reads both forms; without it the embedded question's method
// would hide Questions.
func (a *AskArgs) UnmarshalJSON(raw []byte) error {
	*a = AskArgs{}
	if err := json.Unmarshal(raw, &a.AskItem); err != nil {
		return err
	}
	var series struct {
		Questions []AskItem `json:"questions"`
	}
	if err := json.Unmarshal(raw, &series); err != nil {
		return err
	}
	a.Questions = series.Questions
	return nil
}

// fold is how labels are compared: without case and outer space.
func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
