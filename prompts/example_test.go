package prompts_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// typed is a prompter in line mode: it reads answers from prepared lines.
type typed []string

func (t *typed) Ask(_ context.Context, q prompts.Question) (prompts.Answer, error) {
	line := (*t)[0]
	*t = (*t)[1:]
	fmt.Printf("%s > %s\n", q.Text, line)
	return prompts.ParseChoice(q, line)
}

func ExampleAsk() {
	args, err := prompts.ParseAsk(json.RawMessage(
		`{"question": "Which targets?", "options": ["linux", "macos", "windows"], "multi_select": true}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := prompts.Ask(context.Background(), prompts.Host{Prompter: &typed{"3, linux"}}, args)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, _ := json.Marshal(result)
	fmt.Println(string(out))
	// Output:
	// Which targets? > 3, linux
	// {"answer":"linux, windows","selected":["linux","windows"]}
}

func ExampleReviewPlan() {
	result, err := prompts.ReviewPlan(context.Background(), prompts.Review{
		Plan:     "1. Read the tests\n2. Mend the parser",
		Planning: true,
		Host:     prompts.Host{Prompter: &typed{"write a failing test first"}},
	})
	fmt.Println(result.Approved, result.Feedback, err)
	// Output:
	// Shall the agent carry out this plan? > write a failing test first
	// false write a failing test first <nil>
}

func ExampleParseTodos() {
	list, err := prompts.ParseTodos(json.RawMessage(
		`{"items": [{"content": "read the code", "status": "completed"}, {"content": "mend it", "status": "doing"}]}`))
	fmt.Println(list.Done, "of", list.Total, list.Items[1].Status, err)
	// Output: 1 of 2 in_progress <nil>
}
