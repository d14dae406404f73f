package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// APR-41, BEY-11: the three answers to a plan are shown in the person's
// language, and each of them means what its English one means to the agent.
func TestPlanAnswersInEachLanguage(t *testing.T) {
	answers := []struct {
		key, english, mode string
	}{
		{"1", "Yes, go ahead", prompts.ModeDefault},
		{"2", "Yes, and don't ask about its file edits", prompts.ModeAcceptEdits},
		{"3", "No, plan further", ""},
	}
	for _, language := range Languages() {
		w := newWording(language)
		var labels []string
		for _, a := range answers {
			label := w.tr(a.english)
			if language != languages[0].tag && label == a.english {
				t.Errorf("%s has no words for %q", language, a.english)
			}
			labels = append(labels, label)
		}
		for _, a := range answers {
			t.Run(language+" "+a.key, func(t *testing.T) {
				t.Parallel()
				c, term, _ := start(t, Options{Language: language})
				results := make(chan prompts.PlanResult, 1)
				go func() {
					result, err := prompts.ReviewPlan(t.Context(), prompts.Review{Plan: "# A plan\n\nOne step.", Planning: true,
						Host: prompts.Host{Prompter: c}, Workspace: t.TempDir(), Session: "s1"})
					if err != nil {
						t.Error(err)
					}
					results <- result
				}()
				term.WaitFor(w.tr("Shall the agent carry out this plan?"))
				term.WaitFor(labels...)
				term.WaitGone("◌")
				term.Key(a.key)
				got := <-results
				if got.Approved != (a.mode != "") || got.Mode != a.mode || got.Feedback != "" {
					t.Errorf("%q gave %+v, want the mode %q", w.tr(a.english), got, a.mode)
				}
			})
		}
	}
}

// APR-41: a word that answers elsewhere is never feedback when it stands alone,
// on the screen and in lines: nothing is sent, and the next key decides.
func TestAnswerWordsAreNoFeedback(t *testing.T) {
	q := pagerPlan
	q.Refusal = 3
	for _, row := range []struct {
		language, typed string
		then            string // what Enter takes after it
	}{
		{"", "y", "Yes, carry it out"}, {"", "Yes.", "Yes, carry it out"}, {"", "ok", "Yes, carry it out"},
		{"", "no", "No, keep planning"}, {"", "n", "No, keep planning"}, {"", "s", "Yes, carry it out"}, {"", "why", "Yes, carry it out"},
		{"de", "ja", "Yes, carry it out"}, {"de", "Nein!", "No, keep planning"}, {"es", "sí", "Yes, carry it out"}, {"ja", "はい", "Yes, carry it out"},
	} {
		bubble(t, Options{Language: row.language}, func(b *bench) {
			id := b.question(q)
			b.settle()
			b.typing(row.typed)
			b.key("enter")
			b.wantUndecided(id)
			b.wait(time.Second)
			b.key("enter")
			b.wantPlan(id, ans(row.then, row.then))
		})
		inLines(t, Options{Language: row.language}, func(y *listener) {
			replies := y.questions(q)
			y.types(row.typed + "\n")
			waits(t, replies)
			y.types("2\n")
			if got := <-replies; got.Text != q.Options[1].Label {
				t.Errorf("%+v", got)
			}
		})
	}
	for _, text := range []string{"yes, but smaller", "maybe", "nope", "more tests"} {
		bubble(t, Options{}, func(b *bench) {
			id := b.question(q)
			b.settle()
			b.typing(text)
			b.key("enter")
			b.wantPlan(id, ans(text))
		})
	}
	bubble(t, Options{}, func(b *bench) { // in a question it may be the answer
		id := b.question(choice)
		b.settle()
		b.typing("yes")
		b.key("enter")
		b.wantReply(id, ans("yes"), nil)
	})
}

// BEY-03: what allows nothing needs no reading: the no to a plan, and no answer
// at all.
func TestRefusalsNeedNoReading(t *testing.T) {
	long := pagerPlan
	long.Document, long.Refusal = strings.Repeat("One more step.\n\n", 60), 3
	for _, keys := range [][]string{{"3"}, {"down", "enter"}} {
		bubble(t, Options{}, func(b *bench) {
			id := b.question(long)
			b.settle()
			b.key("2")
			b.wantUndecided(id)
			b.settle()
			b.key(keys...)
			b.wantPlan(id, ans("No, keep planning", "No, keep planning"))
		})
	}
	inLines(t, Options{}, func(y *listener) {
		replies := y.questions(long)
		y.types("3\n")
		if got := <-replies; got.Text != "No, keep planning" {
			t.Errorf("%+v", got)
		}
	})
	left := closed(choice, true)
	left.Text = strings.Repeat("Much to read.\n", 60)
	bubble(t, Options{}, func(b *bench) {
		id := b.question(left)
		b.settle()
		b.key("4")
		b.wantReply(id, prompts.Answer{}, nil)
	})
}
