package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// pages are the questions of one call.
func pages() []prompts.Question {
	some := several()
	some.Header, some.Text = "Parts", "Which parts?"
	return []prompts.Question{choice, some, {Header: "Name", Text: "What is it called?", Optional: true}}
}

var red = ans("red", "red")

// APR-40a: the pages of one call, by key.
func TestGroupAnswers(t *testing.T) {
	long := choice
	long.Text = strings.Repeat("A long question.\n", 60)
	number := prompts.Question{Text: "How many?", Check: func(a prompts.Answer) string {
		if a.Text != "3" {
			return "Please give a number."
		}
		return ""
	}}
	noted := choice
	noted.Notes = true
	tests := []struct {
		name string
		qs   []prompts.Question
		keys string
		err  error
		want []prompts.Answer
	}{
		{"one after the other, then the list", pages(), "enter 1 2 enter x enter enter", nil, []prompts.Answer{red, ans("red, green", "red", "green"), ans("x")}},
		{"digits pick and go on", pages(), "3 3 enter enter enter", nil, []prompts.Answer{ans("blue", "blue"), ans("blue", "blue"), {}}},
		{"an optional one is left out", pages(), "enter 1 enter right enter", nil, []prompts.Answer{red, red, {}}},
		{"what is toggled stays on the way", pages(), "enter 1 right right enter", nil, []prompts.Answer{red, red, {}}},
		{"back from the list", pages(), "enter 1 enter x enter 1 2 enter", nil, []prompts.Answer{ans("green", "green"), red, ans("x")}},
		{"by arrows", pages(), "right 2 left down enter right right enter", nil, []prompts.Answer{ans("green", "green"), ans("green", "green"), {}}},
		{"the list sends nothing before all are answered", pages(), "right right right enter 1 enter 2 enter enter", nil, []prompts.Answer{red, ans("green", "green"), {}}},
		{"Esc at once", pages(), "esc", prompts.ErrDeclined, nil},
		{"Esc asks once more and leaves the answers so far", pages(), "enter 1 enter esc wait esc", prompts.ErrDeclined, []prompts.Answer{red, red}},
		{"Esc with a gap before", pages(), "right 1 enter esc wait esc", prompts.ErrDeclined, nil},
		{"Ctrl+C leaves the answers so far", pages(), "enter ctrl+c", prompts.ErrDeclined, []prompts.Answer{red}},
		{"an answer that doesn't do stays", []prompts.Question{number, choice}, "x enter backspace 3 enter enter enter", nil, []prompts.Answer{ans("3"), red}},
		{"a long one is read to its end", []prompts.Question{long, choice}, "enter enter enter enter", nil, []prompts.Answer{red, red}},
		{"closed ones, one left out", []prompts.Question{closed(choice, true), closed(choice, false)}, "4 x 9 2 enter", nil, []prompts.Answer{{}, ans("green", "green")}},
		{"a note", []prompts.Question{noted, choice}, "tab m y enter enter tab enter enter", nil, []prompts.Answer{{Text: "red", Selected: []string{"red"}, Note: "my"}, red}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.group(tt.qs...)
				b.settle()
				for _, k := range strings.Fields(tt.keys) {
					if len(b.groups[id]) > 0 {
						t.Fatalf("answered before %q", k)
					}
					if k != "wait" {
						b.key(k)
					}
					b.settle()
				}
				b.wantGroup(id, tt.err, tt.want...)
			})
		})
	}
}

func TestGroupShowsHowFar(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.group(pages()...)
		b.settle()
		b.wantText("Colour · 1 of 3", "▸ Colour", "○ Parts", "○ Name", "⏎ send")
		b.key("enter")
		b.wantText("✓ Colour", "▸ Parts", "Which parts?", "[ ] ")
		b.settle()
		b.key("2")
		b.wantText("[x] ")
		b.key("enter")
		b.settle()
		b.key("right")
		b.wantText("your answers", "Which colour?", "red", "Which parts?", "green", "left out", "Enter send the answers")
		b.key("left", "left", "left")
		b.wantText("1 ✓ red")
	})
}

// APR-40a: what the list shows is what is sent, also when an answer was changed
// after the list was shown.
func TestGroupListsWhatIsSent(t *testing.T) {
	noted := choice
	noted.Notes = true
	bubble(t, Options{}, func(b *bench) {
		id := b.group(noted, choice)
		for _, k := range strings.Fields("1 1 1 2 2 3 1 tab m y enter enter") {
			b.settle()
			b.key(k)
		}
		b.settle()
		b.wantText("your answers", "green", "note my", "blue")
		if strings.Contains(b.text(), "red") {
			t.Errorf("an answer that was changed is still listed\n%s", b.text())
		}
		b.key("enter")
		b.wantGroup(id, nil, prompts.Answer{Text: "green", Selected: []string{"green"}, Note: "my"}, ans("blue", "blue"))
	})
}

// APR-40a, APR-41: a document may be among the questions of one call.
func TestGroupWithDocument(t *testing.T) {
	tests := []struct {
		name, keys string
		lists      []string
		want       []prompts.Answer
	}{
		{"an option", "1 1 1", []string{"red", "Yes, carry it out"}, []prompts.Answer{red, ans("Yes, carry it out", "Yes, carry it out"), red}},
		{"a comment", "1 c w enter enter 1", []string{"red", "your 1 comment"}, []prompts.Answer{red, {Comments: []prompts.Comment{{Line: 1, Quote: "# Fix the pager", Text: "w"}}}, red}},
		{"there and back", "right right left left 1 1 1", []string{"red", "Yes, carry it out"}, []prompts.Answer{red, ans("Yes, carry it out", "Yes, carry it out"), red}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.group(choice, pagerPlan, choice)
				for _, k := range strings.Fields(tt.keys) {
					b.settle()
					b.key(k)
				}
				b.settle()
				b.wantText(append(tt.lists, "your answers")...)
				b.key("enter")
				b.wantGroup(id, nil, tt.want...)
			})
		})
	}
}

// Each page has to be looked at: the key that answered one can't answer the
// next.
func TestGroupArmsEachPage(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.group(pages()...)
		b.settle()
		b.key("1", "1", "enter")
		b.wantText("Which parts?", "came too early")
		if w := b.queue.current(); w.given != nil || w.chosen[0] || len(b.groups[id]) > 0 {
			t.Errorf("a key came through\n%s", b.text())
		}
	})
}

// What is typed stands in the list, where the cursor is.
func TestOtherIsWrittenInPlace(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.question(choice)
		b.settle()
		if b.View().Cursor != nil {
			t.Error("a cursor where nothing is written")
		}
		b.typing("pink, really")
		b.wantText("4 pink, really")
		rows := strings.Split(b.text(), "\n")
		c := b.View().Cursor
		if c == nil || !strings.HasPrefix(rows[c.Y], "▸ 4 pink, really") || c.X != len("> 4 pink, really") {
			t.Errorf("the cursor is at %+v\n%s", c, b.text())
		}
	})
}

// APR-40: previews stand beside the options where there is room, else below
// the question; the screen doesn't jump when another one is highlighted.
func TestPreviews(t *testing.T) {
	for _, width := range []int{80, 140} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: width, Height: 30})
			q := choice
			q.Options = []prompts.Option{{Label: "one", Preview: "a\nb\nc"}, {Label: "two", Preview: "second"}, {Label: "three"}}
			b.question(q)
			b.settle()
			row := func(s string) int { return strings.Count(strings.Split(b.text(), s)[0], "\n") }
			b.wantText("│ a", "│ b")
			at, aside := row("1 one"), row("│ a") == row("1 one")
			if aside != (width >= asideFrom) {
				t.Errorf("width %d: beside %v\n%s", width, aside, b.text())
			}
			b.key("down")
			b.wantText("│ second")
			if row("1 one") != at {
				t.Errorf("width %d: the list jumped\n%s", width, b.text())
			}
		})
	}
}
