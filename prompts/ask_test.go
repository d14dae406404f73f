package prompts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// script answers questions in order and keeps what it was asked.
type script struct {
	answers []prompts.Answer
	fail    error // after the last answer
	asked   []prompts.Question
}

func (s *script) Ask(_ context.Context, q prompts.Question) (prompts.Answer, error) {
	s.asked = append(s.asked, q)
	if len(s.asked) > len(s.answers) {
		return prompts.Answer{}, s.fail
	}
	return s.answers[len(s.asked)-1], nil
}

func TestParseAskErrors(t *testing.T) { // APR-40, APR-40a
	nine := strings.Repeat(`{"question":"q"},`, 9)
	for _, tt := range []struct{ name, raw, want string }{
		{"not JSON", `{`, "unexpected end"},
		{"a number", `7`, "cannot unmarshal"},
		{"nothing", `{}`, "question is empty"},
		{"blank", `{"question":" \n"}`, "question is empty"},
		{"null series", `{"questions":null}`, "question is empty"},
		{"multi-select without options", `{"question":"q","multi_select":true}`, "multi_select needs options"},
		{"camel multi-select without options", `{"question":"q","multiSelect":true}`, "multi_select needs options"},
		{"both forms", `{"question":"q","questions":[{"question":"r"}]}`, "not both"},
		{"options beside a series", `{"options":["a"],"questions":[{"question":"r"}]}`, "not both"},
		{"nine", `{"questions":[` + nine[:len(nine)-1] + `]}`, "at most 8"},
		{"an empty one in a series", `{"questions":[{"question":"q"},{"question":""}]}`, "question 2 of 2: the question is empty"},
		{"multi-select in a series", `{"questions":[{"question":"q","multi_select":true}]}`, "question 1 of 1: multi_select needs"},
		{"an option without a label", `{"question":"q","options":["a",{"description":"d"}]}`, "option 2 has no label"},
		{"a label twice", `{"question":"q","options":["a"," A"]}`, "option 2 repeats"},
		{"an option that is a number", `{"question":"q","options":[3]}`, "an option is a text or an object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := prompts.ParseAsk(json.RawMessage(tt.raw))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestParseAskReadsBothFormsOfOptions(t *testing.T) { // APR-40
	a, err := prompts.ParseAsk(json.RawMessage(
		`{"question":"Which?","header":"DB","options":["SQLite",{"label":"Postgres","description":"a server","preview":"$$"}],"multiSelect":true,"extra":1}`))
	if err != nil {
		t.Fatal(err)
	}
	want := prompts.AskItem{Header: "DB", Question: "Which?", MultiSelect: true,
		Options: []prompts.Option{{Label: "SQLite"}, {Label: "Postgres", Description: "a server", Preview: "$$"}}}
	if got := fmt.Sprint(a.AskItem); got != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAskNeedsSomeone(t *testing.T) { // APR-40, APR-10
	a := prompts.AskArgs{AskItem: prompts.AskItem{Question: "q"}}
	s := &script{answers: []prompts.Answer{{Text: "a"}}}
	for _, tt := range []struct {
		name string
		host prompts.Host
		want error
	}{
		{"the zero host", prompts.Host{}, prompts.ErrNoPrompter},
		{"unattended", prompts.Host{Prompter: s, Unattended: true}, prompts.ErrUnattended},
		{"unattended, no prompter", prompts.Host{Unattended: true}, prompts.ErrUnattended},
		{"dont-ask withholds no question", prompts.Host{Prompter: s, DontAsk: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := prompts.Ask(t.Context(), tt.host, a); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	if len(s.asked) != 1 {
		t.Errorf("%d questions reached the person, want 1", len(s.asked))
	}
}

func TestAskResults(t *testing.T) { // APR-40, APR-40a
	two := `{"questions":[{"question":"Which?","options":["a","b"],"multi_select":true},{"question":"Why?"}]}`
	for _, tt := range []struct {
		name, raw string
		answers   []prompts.Answer
		fail      error
		want      string
	}{
		{"text", `{"question":"Why?"}`, []prompts.Answer{{Text: "so"}}, nil, `{"answer":"so"}`},
		{"an option", `{"question":"q","options":["a","b"]}`, []prompts.Answer{{Text: "b", Selected: []string{"b"}}}, nil, `{"answer":"b"}`},
		{"several", `{"question":"q","options":["a","b"],"multi_select":true}`, []prompts.Answer{{Selected: []string{"a", "b"}}}, nil,
			`{"answer":"a, b","selected":["a","b"]}`},
		{"none chosen", `{"question":"q","options":["a"],"multi_select":true}`, []prompts.Answer{{}}, nil, `{"answer":"","selected":[]}`},
		{"typed instead", `{"question":"q","options":["a"],"multi_select":true}`, []prompts.Answer{{Text: "c"}}, nil, `{"answer":"c"}`},
		{"a series", two, []prompts.Answer{{Text: "a", Selected: []string{"a"}}, {Text: "so"}}, nil,
			`{"answers":[{"question":"Which?","answer":"a","selected":["a"]},{"question":"Why?","answer":"so"}]}`},
		{"a series that stops", two, []prompts.Answer{{Text: "a", Selected: []string{"a"}}}, prompts.ErrDeclined,
			`{"answers":[{"question":"Which?","answer":"a","selected":["a"]}],"error":"the person declined to answer"}`},
		{"a series that stops at once", two, nil, prompts.ErrDeclined, `{"answers":[],"error":"the person declined to answer"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := prompts.ParseAsk(json.RawMessage(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			result, err := prompts.Ask(t.Context(), prompts.Host{Prompter: &script{answers: tt.answers, fail: tt.fail}}, a)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(result)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

func TestAskPlacesQuestions(t *testing.T) { // APR-40a
	s := &script{answers: make([]prompts.Answer, 3)}
	host := prompts.Host{Prompter: s, Agent: "claude"}
	if _, err := prompts.Ask(t.Context(), host, prompts.AskArgs{AskItem: prompts.AskItem{Question: "alone"}}); err != nil {
		t.Fatal(err)
	}
	series := prompts.AskArgs{Questions: []prompts.AskItem{{Question: "first"}, {Question: "second", MultiSelect: true, Options: []prompts.Option{{Label: "a"}}}}}
	if _, err := prompts.Ask(t.Context(), host, series); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range s.asked {
		got = append(got, fmt.Sprintf("%s %d/%d %v %s", q.Text, q.Position, q.Of, q.MultiSelect, q.Agent))
	}
	want := "alone 0/0 false claude; first 1/2 false claude; second 2/2 true claude"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "; "), want)
	}
}

func TestAskStopsWhenTheTurnEnds(t *testing.T) { // APR-40a
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &script{answers: make([]prompts.Answer, 2)}
	result, err := prompts.Ask(ctx, prompts.Host{Prompter: s}, prompts.AskArgs{Questions: []prompts.AskItem{{Question: "a"}, {Question: "b"}}})
	if err != nil || !errors.Is(result.Err, context.Canceled) || len(s.asked) != 0 {
		t.Errorf("got %v, %v after %d questions", result, err, len(s.asked))
	}
	_, err = prompts.Ask(ctx, prompts.Host{Prompter: s}, prompts.AskArgs{AskItem: prompts.AskItem{Question: "a"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}
