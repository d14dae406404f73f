package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

var choice = prompts.Question{Header: "Colour", Text: "Which colour?", Agent: "opencode",
	Options: []prompts.Option{{Label: "red", Description: "like roses"}, {Label: "green", Preview: "preview of green"}, {Label: "blue"}}}

func several() prompts.Question {
	q := choice
	q.MultiSelect = true
	return q
}

// closed takes nothing but its options; where it is optional, no answer too.
func closed(q prompts.Question, optional bool) prompts.Question {
	q.Closed, q.Optional = true, optional
	return q
}

func ans(text string, selected ...string) prompts.Answer {
	return prompts.Answer{Text: text, Selected: selected}
}

// APR-40, APR-40a.
func TestAnswers(t *testing.T) {
	tests := []struct {
		name string
		q    prompts.Question
		keys string
		want prompts.Answer
		err  error
	}{
		{"Enter takes the highlighted one", choice, "enter", ans("red", "red"), nil},
		{"arrows highlight", choice, "down down up enter", ans("green", "green"), nil},
		{"a digit picks", choice, "3", ans("blue", "blue"), nil},
		{"own words", choice, "p i n k enter", ans("pink"), nil},
		{"digits are words after a word", choice, "x 2 enter", ans("x2"), nil},
		{"Esc gives none", choice, "esc", prompts.Answer{}, prompts.ErrDeclined},
		{"Ctrl+C gives none", choice, "ctrl+c", prompts.Answer{}, prompts.ErrDeclined},
		{"Space toggles", several(), "space down down space enter", ans("red, blue", "red", "blue"), nil},
		{"Space toggles back", several(), "space down space up wait space enter", ans("green", "green"), nil},
		{"digits toggle and never submit", several(), "3 1 enter", ans("red, blue", "red", "blue"), nil},
		{"choices and words", several(), "1 x enter", ans("red, x", "red"), nil},
		{"nothing chosen is asked once more", several(), "enter wait enter", prompts.Answer{}, nil},
		{"nothing chosen, then one", several(), "enter 2 enter", ans("green", "green"), nil},
		{"closed: the last is the last option", closed(choice, false), "down down down down enter", ans("blue", "blue"), nil},
		{"closed: no digit beyond the options, no words", closed(choice, false), "4 p i n k enter", ans("red", "red"), nil},
		{"closed: several", closed(several(), false), "x 1 down down down space enter", ans("red, blue", "red", "blue"), nil},
		{"closed and optional: an option", closed(choice, true), "2", ans("green", "green"), nil},
		{"closed and optional: the entry for no answer", closed(choice, true), "down down down enter", prompts.Answer{}, nil},
		{"closed and optional: its digit", closed(choice, true), "4", prompts.Answer{}, nil},
		{"closed and optional, several", closed(several(), true), "down down down down enter wait enter", prompts.Answer{}, nil},
		{"closed without options takes words", prompts.Question{Text: "?", Closed: true}, "x enter", ans("x"), nil},
		{"Other needs words", choice, "down down down enter x enter", ans("x"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.question(tt.q)
				b.settle()
				for _, k := range strings.Fields(tt.keys) {
					if k == "wait" {
						b.wait(time.Second)
						continue
					}
					if len(b.replies[id]) > 0 {
						t.Fatalf("answered before %q", k)
					}
					b.key(k)
				}
				b.wantReply(id, tt.want, tt.err)
			})
		})
	}
}

// APR-40a, APR-30: Enter with nothing chosen says so first, also where nothing may
// be answered. Only Enter once more answers so: not one that bounces or is held,
// nor one that comes after another key.
func TestNothingIsChosenByASlip(t *testing.T) {
	optional := several()
	optional.Optional = true
	for name, q := range map[string]prompts.Question{"must": several(), "may": optional, "closed": closed(several(), true)} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				id := b.question(q)
				b.question(choice)
				b.settle()
				b.key("enter")
				b.wantText("nothing chosen: Enter again answers so")
				b.wait(repeatGap / 2)
				b.key("enter")
				b.wantText("nothing chosen: Enter again answers so")
				for _, others := range []string{"down", "pgdown", "ctrl+n ctrl+p"} {
					b.key(strings.Fields(others)...)
					b.settle()
					b.wantNoText("nothing chosen")
					b.key("enter")
					b.wantText("nothing chosen: Enter again answers so")
				}
				if len(b.replies[id]) > 0 {
					t.Fatalf("answered with %v", b.replies[id])
				}
				b.wait(repeatGap)
				b.key("enter")
				b.wantReply(id, prompts.Answer{}, nil)
			})
		})
	}
}

// APR-40a: a page of several questions warns in the same way, and again when one
// comes back to it.
func TestNothingIsChosenOnAPage(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.group(several(), choice)
		b.settle()
		for range 2 {
			b.key("enter")
			b.wantText("nothing chosen", "1 of 2")
			b.wait(repeatGap)
			b.key("enter")
			b.settle()
			b.wantText("✓ Colour", "2 of 2")
			b.key("left")
			b.settle()
		}
	})
}

func TestQuestionShowsWhatIsAsked(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		q := choice
		q.Position, q.Of = 2, 3
		b.question(q)
		b.settle()
		b.wantText("Which colour?", "Colour · 2 of 3", "red", "like roses", "Other", "[" /* no box in a single choice */ [:0])
		b.wantNoText("preview of green")
		b.key("down")
		b.wantText("preview of green")
	})
}

// Questions and requests share one queue.
// APR-40, TAM-24: what a closed question can't take isn't offered, and says so.
func TestClosedQuestionOffersNoWords(t *testing.T) {
	for _, q := range []prompts.Question{closed(choice, false), closed(several(), true)} {
		bubble(t, Options{}, func(b *bench) {
			b.question(q)
			b.settle()
			b.wantText("3 ", "blue")
			b.wantNoText("Other")
			b.wantNoText("4 ")
			b.key("p")
			b.key("i")
			b.wantText("only what is on the list can be answered")
			b.Update(tea.PasteMsg{Content: "pasted"})
			b.wantText("only what is on the list can be answered")
			b.wantNoText("pasted")
			b.key("f1")
			b.wantText("Keys")
			b.wantNoText("your own words")
		})
	}
}

func TestQuestionsQueueWithRequests(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		one := b.ask(command("one"))
		two := b.question(choice)
		three := b.ask(command("three"))
		b.settle()
		b.wantText("3 waiting", "1 of 3", "one")
		b.key("y")
		b.wantAnswer(one, once)
		b.wantText("Which colour?")
		b.settle()
		b.key("2")
		b.wantReply(two, ans("green", "green"), nil)
		b.wantText("three")
		b.wantWaiting(three)
	})
}

var plan = prompts.Question{Text: "Carry out this plan?", Document: "# The plan\n\n" + strings.Repeat("A line of it.\n\n", 40) + "The very end.",
	Options: []prompts.Option{{Label: "Yes, carry it out"}, {Label: "Yes, and accept its file edits without asking"}, {Label: "No, keep planning"}}}

// APR-41, BEY-03: a plan is shown in full screen and to its end before it is
// answered; typing is feedback.
func TestPlan(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.question(plan)
		b.settle()
		b.wantText("The plan", "Yes, carry it out", "keep planning", "more lines")
		b.key("1")
		if len(b.replies[id]) > 0 {
			t.Fatal("answered before it was read")
		}
		b.settle()
		b.key("1")
		b.wantReply(id, ans("Yes, carry it out", "Yes, carry it out"), nil)
	})
	bubble(t, Options{}, func(b *bench) {
		id := b.question(plan)
		for range 20 {
			b.settle()
			b.key("pgdown")
		}
		b.wantText("The very end.")
		b.settle()
		b.key("3")
		b.wantReply(id, ans("No, keep planning", "No, keep planning"), nil)
	})
	bubble(t, Options{}, func(b *bench) {
		id := b.question(plan)
		b.settle()
		b.typing("use a map")
		b.key("enter")
		b.wantReply(id, ans("use a map"), nil)
	})
}

// Many options stay reachable on a small screen.
func TestManyOptions(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		q := prompts.Question{Text: "Which?"}
		for i := range 30 {
			q.Options = append(q.Options, prompts.Option{Label: strings.Repeat("x", i+1)})
		}
		id := b.question(q)
		b.send(tea.WindowSizeMsg{Width: 40, Height: 14})
		for range 29 {
			b.key("down")
		}
		b.wantText("▸", strings.Repeat("x", 30))
		b.settle()
		b.key("enter")
		b.wantReply(id, ans(strings.Repeat("x", 30), strings.Repeat("x", 30)), nil)
	})
}

// What the agent writes into a question is escaped.
func TestQuestionEscapes(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.question(prompts.Question{Header: "\x1b[2J", Text: "a\u202eb\x1b[31m", Document: "# x\x07\n```\n\x1b]0;t\x07\n```", Agent: "\x9b1m",
			Options: []prompts.Option{{Label: "\x1b[1mA", Description: "\u200bd", Preview: "\x00"}}})
		b.send(AgentSaid{"\x1b[5m `\x1b[0m` **\x1b**"})
		b.ask(gate.Prompt{Request: gate.Request{Tool: "\x1b", Title: "\x1b"}})
		checkControls(t, b.Model)
	})
}

// While a note is written, what it stands beside is shown (APR-40).
func TestNoteBesideTheOptions(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		q := choice
		q.Notes = true
		b.question(q)
		b.settle()
		b.key("down", "tab")
		b.typing("dark")
		b.wantText("▸ 2 green", "note › dark")
	})
}

// APR-40: the entry that answers with nothing and the key that doesn't answer
// are two things, and don't read alike.
func TestEmptyAnswerIsNoDecline(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.question(closed(choice, true))
		b.wantText("4 Leave it empty", "Esc no answer")
		b.wantNoText("No answer")
	})
}

// APR-40: the descriptions of options stand in one column, and go on in it.
func TestDescriptionsInOneColumn(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.question(prompts.Question{Text: "Where?", Options: []prompts.Option{
			{Label: "Memory", Description: "fast"},
			{Label: "A file in the cache", Description: "survives a restart, needs a lock when two programs run at once"},
			{Label: "SQLite", Description: "one file"}}})
		at := -1
		for _, said := range []string{"fast", "survives", "at once", "one file"} {
			for _, row := range strings.Split(b.text(), "\n") {
				before, _, ok := strings.Cut(row, said)
				if !ok {
					continue
				}
				if n := ansi.StringWidth(before); at >= 0 && n != at {
					t.Errorf("%q begins in column %d, not %d:\n%s", said, n, at, b.text())
				} else {
					at = n
				}
			}
		}
		if at < 0 {
			t.Errorf("no descriptions on\n%s", b.text())
		}
	})
}
