package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// revised is a plan that the person has seen before in another revision.
var revised = func() prompts.Question {
	q := plan
	q.Before = "# The plan\n\nOne step.\n"
	q.Document = "# The plan\n\nTwo\nsteps.\n\n## First\n\n1. do it\n\n## Second\n\n" + strings.Repeat("More of it.\n\n", 40) + "The end."
	return q
}()

func (b *bench) wantPlan(id uint64, want prompts.Answer) {
	b.t.Helper()
	b.drain()
	got := b.replies[id]
	if len(got) != 1 || got[0].err != nil || fmt.Sprintf("%+v", got[0].answer) != fmt.Sprintf("%+v", want) {
		b.t.Fatalf("the plan was answered with %+v, want once %+v\n%s", got, want, b.text())
	}
}

// BEY-10: comments go on lines of the source, also of those that flow
// together, are listed under them, can be changed and taken back, and are sent
// with what they quote. With comments no option is taken.
func TestPlanComments(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.question(revised)
		b.settle()
		b.wantText("→ The plan", "Two steps.")
		b.key("j", "c")
		b.wantText("line 3 ›") // an empty line is none to comment on
		b.typing("why?")
		b.key("esc")
		b.wantNoText("✎")
		b.key("c")
		b.typing("name them")
		b.key("enter")
		b.wantText("✎ name them", "Send 1 comment as feedback")
		b.key("]", "c")
		b.typing("not first")
		b.key("enter")
		b.wantText("✎ not first", "2 comments")
		b.key("m", "c") // round to the first one
		b.typing(", please")
		b.key("enter")
		b.wantText("✎ name them, please")
		b.key("m", "x")
		b.wantNoText("not first")
		b.settle()
		b.key("1")
		if len(b.replies[id]) > 0 {
			t.Fatal("an option was taken although there is a comment")
		}
		b.wantText("take that back")
		b.key("esc") // takes away what was said
		b.wait(repeatGap)
		b.key("esc")
		b.wantText("your 1 comment would be lost")
		b.typing("do more")
		b.key("enter")
		b.wantPlan(id, prompts.Answer{Text: "do more", Comments: []prompts.Comment{{Line: 3, Quote: "Two", Text: "name them, please"}}})
	})
}

// APR-41: letters that do something begin feedback too.
func TestPlanFeedbackMayBeginWithAnyLetter(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.question(revised)
		b.settle()
		b.typing("cut it; keep x")
		b.key("enter")
		b.wantPlan(id, ans("cut it; keep x"))
	})
}

// BEY-10: what has changed since the revision that was seen last; looking at
// it doesn't count as having read the plan.
func TestPlanChanges(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.question(revised)
		b.settle()
		b.wantText("changes", "+")
		b.key("|")
		b.wantText("- One step.", "+ Two")
		for range 20 {
			b.settle()
			b.key("pgdown")
		}
		b.settle()
		b.key("1")
		if len(b.replies[id]) > 0 {
			t.Fatal("approved after reading the changes only")
		}
		b.wantText("not read yet")
		b.wantNoText("- One step.")
		b.settle()
		b.key("1")
		b.wantPlan(id, ans("Yes, carry it out", "Yes, carry it out"))
	})
	bubble(t, Options{}, func(b *bench) {
		b.question(plan)
		b.settle()
		b.wantNoText("| changes")
	})
}

// BEY-10: the plan in the person's editor.
// BEY-10: the keys that go from heading to heading go through what has changed.
func TestPlanChangesByHunk(t *testing.T) {
	q := revised
	q.Before = strings.Repeat("was\n", 3) + strings.Repeat("same\n", 40) + "was\n"
	q.Document = strings.Repeat("is\n", 3) + strings.Repeat("same\n", 40) + "is\n"
	for _, keys := range [][2]string{{"]", "["}, {"alt+down", "alt+up"}} {
		bubble(t, Options{}, func(b *bench) {
			b.question(q)
			b.key("|")
			b.key(keys[1])
			b.wantText("no more hunks that way")
			b.send(tea.WindowSizeMsg{Width: 80, Height: 18})
			b.settle()
			b.key(keys[0])
			if w := b.queue.current(); w.offset == 0 {
				t.Errorf("%s moves nothing\n%s", keys[0], b.text())
			}
		})
	}
}

func TestPlanRewritten(t *testing.T) {
	text := strings.Replace(revised.Document, "1. do it", "1. do it well", 1)
	changes := "@@ -5,7 +5,7 @@\n \n ## First\n \n-1. do it\n+1. do it well\n \n ## Second\n \n"
	bubble(t, Options{}, func(b *bench) {
		id := b.question(revised)
		b.settle()
		b.send(editedMsg{id: id, text: text})
		b.wantText("do it well", "Send your changes as feedback")
		b.settle()
		b.key("1")
		if len(b.replies[id]) > 0 {
			t.Fatal("what can't be carried out was approved")
		}
		b.settle()
		b.key("enter")
		b.wantPlan(id, prompts.Answer{Document: text, Changes: changes})
	})
	bubble(t, Options{}, func(b *bench) {
		q := revised
		q.Editable = true
		id := b.question(q)
		b.settle()
		b.send(editedMsg{id: id, text: text})
		b.key("1")
		if len(b.replies[id]) > 0 {
			t.Fatal("answered right after the editor")
		}
		b.settle()
		b.key("1")
		b.settle()
		b.key("1")
		b.wantPlan(id, prompts.Answer{Text: "Yes, carry it out", Selected: []string{"Yes, carry it out"}, Document: text, Changes: changes})
	})
	for _, msg := range []editedMsg{{text: revised.Document + "\n"}, {text: " \n"}, {text: "x", err: errors.New("it broke")}} {
		bubble(t, Options{}, func(b *bench) {
			msg.id = b.question(revised)
			b.settle()
			b.send(msg)
			if w := b.queue.current(); w.plan.rewritten() || w.plan.remarked() {
				t.Errorf("%+v changes the plan", msg)
			}
		})
	}
}

// Comments follow their lines when the plan is rewritten.
func TestPlanCommentsFollow(t *testing.T) {
	q := prompts.Question{Document: "a\n\nb\n\nc"}
	p := newPlanReview(&q)
	p.comment(3, "on b")
	p.comment(5, "on c")
	p.text = "new\n\nc\n\na\n\nb"
	p.moveComments()
	if got := fmt.Sprint(p.comments); got != "[{3 c on c} {7 b on b}]" {
		t.Error(got)
	}
}

// BEY-03: a comment's own rows don't make a plan that was read unread.
func TestPlanStaysReadWithComments(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.question(revised)
		for range 20 {
			b.settle()
			b.key("pgdown")
		}
		b.settle()
		b.key("c")
		b.typing("x")
		b.key("enter")
		if n := b.queue.current().unseen(); n != 0 {
			t.Fatalf("%d rows are unread", n)
		}
		b.key("x")
		b.settle()
		b.key("1")
		b.wantPlan(id, ans("Yes, carry it out", "Yes, carry it out"))
	})
}

// The headings stand beside a plan where there is room, and lead through it.
func TestPlanContents(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		b.question(revised)
		b.settle()
		b.wantText("▸ The plan", "  First", "  Second")
		b.key("]", "]")
		b.wantText("▸   Second")
		b.key("[")
		b.wantText("▸   First")
		b.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		b.wantNoText("▸   First")
	})
}

// With the list of answers, letters are feedback and other keys comment.
// BEY-10: a heading stands beside the plan as it reads there, whatever it stands in
// and is written with.
func TestPlanContentsRead(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		q := pagerPlan
		q.Document = "# First\n\n> > # Quoted *twice*\n\n- ## In `a` list\n\n## a#b \x1b[2J\n"
		b.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		b.question(q)
		var names []string
		for _, h := range b.queue.current().plan.headings {
			names = append(names, h.text)
		}
		if want := []string{"First", "Quoted twice", "In a list", `a#b \u001b[2J`}; !slices.Equal(names, want) {
			t.Errorf("got %q, want %q", names, want)
		}
		b.wantText("▸ First", "Quoted twice", "In a list")
	})
}

func TestPlanWithListKeys(t *testing.T) {
	bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
		b.question(revised)
		b.settle()
		b.key("c")
		b.wantText("4 c")
		b.key("backspace", "shift+down", "f3")
		b.wantText("line 3 ›")
	})
}
