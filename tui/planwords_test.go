package tui

import (
	"testing"

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
