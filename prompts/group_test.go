package prompts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// pages answers the questions of one call together.
type pages struct {
	script
	groups [][]prompts.Question
	given  []prompts.Answer
	err    error
}

func (p *pages) AskGroup(_ context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	p.groups = append(p.groups, qs)
	return p.given, p.err
}

const three = `{"questions":[{"question":"a"},{"question":"b"},{"question":"c"}]}`

// APR-40a: who can show pages gets all questions at once; what it returns with
// an error are the answers so far.
func TestAskAsksAGroupTogether(t *testing.T) {
	x, y, z := prompts.Answer{Text: "x"}, prompts.Answer{Text: "y", Note: "n"}, prompts.Answer{Text: "z"}
	for _, tt := range []struct {
		name  string
		given []prompts.Answer
		err   error
		want  string
	}{
		{"all", []prompts.Answer{x, y, z}, nil, `{"answers":[{"question":"a","answer":"x"},{"question":"b","answer":"y","note":"n"},{"question":"c","answer":"z"}]}`},
		{"declined after one", []prompts.Answer{x}, prompts.ErrDeclined, `{"answers":[{"question":"a","answer":"x"}],"error":"the person declined to answer"}`},
		{"declined at once", nil, prompts.ErrDeclined, `{"answers":[],"error":"the person declined to answer"}`},
		{"too few without an error", []prompts.Answer{x}, nil, `{"answers":[{"question":"a","answer":"x"}],"error":"not all questions were answered"}`},
		{"too many", []prompts.Answer{x, y, z, x}, nil, `{"answers":[{"question":"a","answer":"x"},{"question":"b","answer":"y","note":"n"},{"question":"c","answer":"z"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := prompts.ParseAsk(json.RawMessage(three))
			if err != nil {
				t.Fatal(err)
			}
			p := &pages{given: tt.given, err: tt.err}
			result, err := prompts.Ask(t.Context(), prompts.Host{Prompter: p}, a)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(result); string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if len(p.groups) != 1 || len(p.groups[0]) != 3 || p.groups[0][2].Of != 3 || len(p.asked) != 0 {
				t.Errorf("asked %v and %v", p.groups, p.asked)
			}
		})
	}
}

// One question alone needs no pages.
func TestAskAsksOneByItself(t *testing.T) {
	p := &pages{script: script{answers: []prompts.Answer{{Text: "x"}}}}
	if _, err := prompts.Ask(t.Context(), prompts.Host{Prompter: p}, prompts.AskArgs{AskItem: prompts.AskItem{Question: "q"}}); err != nil || p.groups != nil {
		t.Errorf("%v, %v", err, p.groups)
	}
}

// An answer that doesn't do is asked for again with the reason, and is never
// returned, whatever the prompter makes of the check.
func TestAskAllChecks(t *testing.T) {
	number := prompts.Question{Text: "How many?", Check: func(a prompts.Answer) string {
		if a.Text != "3" {
			return "Please give a number."
		}
		return ""
	}}
	s := &script{answers: []prompts.Answer{{Text: "many"}, {Text: "some"}, {Text: "3"}}}
	got, err := prompts.AskAll(t.Context(), s, []prompts.Question{number})
	if err != nil || fmt.Sprint(got[0].Text) != "3" || s.asked[2].Text != "How many?\nPlease give a number." {
		t.Errorf("got %v, %v after %v", got, err, s.asked)
	}
	s = &script{answers: make([]prompts.Answer, 9)}
	if got, err := prompts.AskAll(t.Context(), s, []prompts.Question{number}); err != prompts.ErrDeclined || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	p := &pages{given: []prompts.Answer{{Text: "3"}, {Text: "many"}}}
	if got, err := prompts.AskAll(t.Context(), p, []prompts.Question{number, number}); err == nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}
