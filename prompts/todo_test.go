package prompts_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/prompts"
)

func TestParseTodos(t *testing.T) { // APR-43
	fifty := strings.TrimSuffix(strings.Repeat(`{"content":"c","status":"done"},`, 50), ",")
	for _, tt := range []struct{ name, raw, want string }{
		{"three", `{"items":[{"content":" read ","status":"completed"},{"content":"write","status":"in-progress"},{"content":"test","status":"todo"}]}`,
			`{"items":[{"content":"read","status":"done"},{"content":"write","status":"in_progress"},{"content":"test","status":"pending"}],"done":1,"total":3}`},
		{"a bare list", `[{"content":"a","status":"pending","activeForm":"doing a"}]`, `{"items":[{"content":"a","status":"pending"}],"done":0,"total":1}`},
		{"under todos", `{"todos":[{"content":"a","status":"Done"}]}`, `{"items":[{"content":"a","status":"done"}],"done":1,"total":1}`},
		{"cleared", `{"items":[]}`, `{"items":[],"done":0,"total":0}`},
		{"two in progress", `[{"content":"a","status":"in_progress"},{"content":"b","status":"doing"}]`,
			`{"items":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}],"done":0,"total":2,"note":"2 items are in progress: it is clearer to work on one at a time"}`},
		{"empty content and an unknown status", `[{"content":" ","status":"done"},{"content":"b","status":"done"},{"content":"c","status":"cancelled"}]`,
			`item 1: its content is empty; item 3: unknown status "cancelled": use pending, in_progress or done`},
		{"no status", `[{"content":"a"}]`, `item 1: unknown status "": use pending, in_progress or done`},
		{"fifty-one", `[` + fifty + `,{"content":"c","status":"done"}]`, `51 items are too many for the list: keep it to 50`},
		{"no list", `{}`, `todo: pass the whole list under items; an empty list clears it`},
		{"null", `null`, `todo: pass the whole list under items; an empty list clears it`},
		{"null items", `{"items":null}`, `todo: pass the whole list under items; an empty list clears it`},
		{"nothing", ``, `todo: unexpected end of JSON input`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := prompts.ParseTodos(json.RawMessage(tt.raw))
			got := ""
			if err != nil {
				got = err.Error()
			} else if j, err := json.Marshal(list); err == nil {
				got = string(j)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if list, err := prompts.ParseTodos(json.RawMessage(`[` + fifty + `]`)); err != nil || list.Total != 50 || list.Done != 50 {
		t.Errorf("fifty: %d of %d, %v", list.Done, list.Total, err)
	}
}

func TestParseStatusSpellings(t *testing.T) { // APR-43
	for want, spellings := range map[prompts.Status]string{
		prompts.Pending:    "pending|Todo|to-do|open|not started",
		prompts.InProgress: "in_progress|in-progress|In Progress|inProgress|doing|active",
		prompts.Done:       "done|completed| COMPLETE |finished",
	} {
		for s := range strings.SplitSeq(spellings, "|") {
			if got, err := prompts.ParseStatus(s); got != want || err != nil {
				t.Errorf("%q: got %q, %v; want %s", s, got, err, want)
			}
		}
	}
}
