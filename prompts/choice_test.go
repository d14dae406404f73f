package prompts_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/prompts"
	"pgregory.net/rapid"
)

func question(multi bool, labels ...string) prompts.Question {
	q := prompts.Question{Text: "q", MultiSelect: multi}
	for _, l := range labels {
		q.Options = append(q.Options, prompts.Option{Label: l})
	}
	return q
}

func TestParseChoice(t *testing.T) { // APR-40a
	one, many := question(false, "Red", "Green", "Blue, dark"), question(true, "Red", "Green", "Blue, dark")
	numbers := question(false, "5", "3")
	shut, shutMany := one, many
	shut.Closed, shutMany.Closed = true, true
	for _, tt := range []struct {
		name string
		q    prompts.Question
		line string
		want string // text|selected, or an error
	}{
		{"a number", one, " 2 ", "Green|[Green]"},
		{"a label in any case", one, "gREEN", "Green|[Green]"},
		{"other words", one, "mauve, please", "mauve, please|[]"},
		{"two numbers where one is wanted", one, "1,2", "1,2|[]"},
		{"no such number", one, "4", "there is no option 4: type a number from 1 to 3, or other words"},
		{"zero", one, "0", "there is no option 0: type a number from 1 to 3, or other words"},
		{"minus one", one, "-1", "there is no option -1: type a number from 1 to 3, or other words"},
		{"a quoted number is text", one, `"4"`, "4|[]"},
		{"other quotes stay", one, `"four"`, `"four"|[]`},
		{"a number without options", question(false), "4", "4|[]"},
		{"a label that is a number goes before a number", numbers, "3", "3|[3]"},
		{"numbers", many, "3, 1", "Red, Blue, dark|[Red Blue, dark]"},
		{"numbers and labels, twice", many, "green,1,2", "Red, Green|[Red Green]"},
		{"a label with a comma", many, "Blue, dark, red", "Red, Blue, dark|[Red Blue, dark]"},
		{"chosen and typed", many, "1, pink", "Red, pink|[Red]"},
		{"one wrong number spoils all", many, "1, 9", "there is no option 9: type a number from 1 to 3, or other words"},
		{"stray commas", many, ",1,,", "Red|[Red]"},
		{"commas only", many, ", ,", "nothing was typed"},
		{"closed: a label", shut, "green", "Green|[Green]"},
		{"closed: other words", shut, "mauve", `"mauve" is not on the list: type a number from 1 to 3`},
		{"closed: no such number", shut, "4", "there is no option 4: type a number from 1 to 3"},
		{"closed: one that isn't there among several", shutMany, "1, pink", `"pink" is not on the list: type a number from 1 to 3`},
		{"nothing", one, "  ", "nothing was typed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := prompts.ParseChoice(tt.q, tt.line)
			got := fmt.Sprintf("%s|%v", a.Text, a.Selected)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	if _, err := prompts.ParseChoice(one, ""); !errors.Is(err, prompts.ErrEmptyLine) {
		t.Errorf("got %v, want ErrEmptyLine", err)
	}
}

// Whatever is typed, what counts as selected are options of the question, in
// its order and once each.
func TestParseChoiceSelectsOnlyOptions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := question(rapid.Bool().Draw(t, "multi"), rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c1-3, ]{1,4}`), 0, 4, strings.TrimSpace).Draw(t, "labels")...)
		line := rapid.OneOf(rapid.StringMatching(`[a-c0-9, "-]{0,12}`), rapid.String()).Draw(t, "line")
		a, err := prompts.ParseChoice(q, line)
		if err != nil {
			if a.Text != "" || a.Selected != nil {
				t.Fatalf("an answer %v beside the error %v", a, err)
			}
			return
		}
		rest := a.Selected
		for _, o := range q.Options {
			if len(rest) > 0 && rest[0] == o.Label {
				rest = rest[1:]
			}
		}
		if len(rest) > 0 || !q.MultiSelect && len(a.Selected) > 1 {
			t.Fatalf("selected %q of %v", a.Selected, q.Options)
		}
	})
}
