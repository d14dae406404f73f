package prompts_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/blitz-approve/blitz-approve/prompts"
)

func review(t *testing.T, s *script) prompts.Review {
	return prompts.Review{Plan: "# Plan\n1. do it", Planning: true, Host: prompts.Host{Prompter: s}, Workspace: t.TempDir(), Session: "s1"}
}

func TestReviewPlanAnswers(t *testing.T) { // APR-41
	german := prompts.ReviewLabels{Approve: "Ja", ApproveEdits: "Ja, mit Änderungen", Keep: "Nein"}
	same := prompts.ReviewLabels{Approve: "Ja", ApproveEdits: "ja ", Keep: "Nein"}
	for _, tt := range []struct {
		name   string
		labels prompts.ReviewLabels
		answer prompts.Answer
		want   string
	}{
		{"yes", prompts.ReviewLabels{}, prompts.Answer{Text: "Yes, go ahead", Selected: []string{"Yes, go ahead"}},
			`{"approved":true,"mode":"default","plan_file":".blitz/plans/s1-1.md"}`},
		{"yes to edits too", prompts.ReviewLabels{}, prompts.Answer{Selected: []string{"Yes, and don't ask about its file edits"}},
			`{"approved":true,"mode":"accept-edits","plan_file":".blitz/plans/s1-1.md"}`},
		{"no", prompts.ReviewLabels{}, prompts.Answer{Text: "No, plan further"}, `{"approved":false,"message":"M"}`},
		{"nothing said", prompts.ReviewLabels{}, prompts.Answer{}, `{"approved":false,"message":"M"}`},
		{"words", prompts.ReviewLabels{}, prompts.Answer{Text: "test first\n"}, `{"approved":false,"feedback":"test first"}`},
		{"a bare yes is not the label", prompts.ReviewLabels{}, prompts.Answer{Text: "yes"}, `{"approved":false,"feedback":"yes"}`},
		{"a yes with a condition", prompts.ReviewLabels{}, prompts.Answer{Text: "but not main", Selected: []string{"Yes, go ahead"}},
			`{"approved":false,"feedback":"but not main"}`},
		{"translated", german, prompts.Answer{Text: "Ja, mit Änderungen"}, `{"approved":true,"mode":"accept-edits","plan_file":".blitz/plans/s1-1.md"}`},
		{"English where it is translated", german, prompts.Answer{Text: "Yes, go ahead"}, `{"approved":false,"feedback":"Yes, go ahead"}`},
		{"labels that read the same are not used", same, prompts.Answer{Text: "Ja"}, `{"approved":false,"feedback":"Ja"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := review(t, &script{answers: []prompts.Answer{tt.answer}})
			r.Labels = tt.labels
			result, err := prompts.ReviewPlan(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if result.Message != "" {
				result.Message = "M"
			}
			if got, _ := json.Marshal(result); string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			saved, _ := filepath.Glob(filepath.Join(r.Workspace, ".blitz/plans/*"))
			if (len(saved) == 1) != result.Approved {
				t.Errorf("approved %v, but saved %v", result.Approved, saved)
			}
		})
	}
}

func TestReviewPlanShowsThePlan(t *testing.T) { // APR-41
	s := &script{answers: make([]prompts.Answer, 1)}
	r := review(t, s)
	r.Host.Agent = "codex"
	if _, err := prompts.ReviewPlan(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	q := s.asked[0]
	if q.Document != r.Plan || len(q.Options) != 3 || q.MultiSelect || q.Agent != "codex" {
		t.Errorf("asked %+v", q)
	}
}

func TestReviewPlanWithoutReview(t *testing.T) { // APR-41
	broken := errors.New("the screen broke")
	for _, tt := range []struct {
		name    string
		change  func(*prompts.Review)
		err     error
		message string
	}{
		{"not planning", func(r *prompts.Review) { r.Planning = false }, prompts.ErrNotPlanning, ""},
		{"no plan", func(r *prompts.Review) { r.Plan = " \n" }, prompts.ErrEmptyPlan, ""},
		{"unattended", func(r *prompts.Review) { r.Host.Unattended = true }, nil, "as your answer"},
		{"dont-ask", func(r *prompts.Review) { r.Host.DontAsk = true }, nil, "as your answer"},
		{"no prompter", func(r *prompts.Review) { r.Host.Prompter = nil }, nil, "as your answer"},
		{"closed", func(r *prompts.Review) { r.Host.Prompter = &script{fail: prompts.ErrDeclined} }, nil, "plan further"},
		{"withdrawn", func(r *prompts.Review) { r.Host.Prompter = &script{fail: context.Canceled} }, context.Canceled, ""},
		{"a broken screen", func(r *prompts.Review) { r.Host.Prompter = &script{fail: broken} }, broken, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := review(t, &script{answers: []prompts.Answer{{Text: "Yes, go ahead"}}})
			tt.change(&r)
			result, err := prompts.ReviewPlan(t.Context(), r)
			if !errors.Is(err, tt.err) || result.Approved || !strings.Contains(result.Message, tt.message) {
				t.Errorf("got %+v, %v", result, err)
			}
		})
	}
}

func approve(t *testing.T, r prompts.Review) prompts.PlanResult {
	t.Helper()
	r.Host.Prompter = &script{answers: []prompts.Answer{{Text: "Yes, go ahead"}}}
	result, err := prompts.ReviewPlan(t.Context(), r)
	if err != nil || !result.Approved {
		t.Fatalf("got %+v, %v", result, err)
	}
	return result
}

func TestPlanFileNames(t *testing.T) { // APR-41
	for _, tt := range []struct{ session, want string }{
		{"0b9f-11", "0b9f-11-1.md"},
		{"../../etc/passwd", "etc-passwd-1.md"},
		{"a b\x00c/ü", "a-b-c-1.md"},
		{"..", "session-1.md"},
		{"", "session-1.md"},
		{strings.Repeat("x", 300), strings.Repeat("x", 64) + "-1.md"},
	} {
		r := review(t, nil)
		r.Session = tt.session
		if got := approve(t, r).File; got != ".blitz/plans/"+tt.want {
			t.Errorf("session %q: got %s, want %s", tt.session, got, tt.want)
		}
	}
}

func TestPlanFileTakesTheFirstFreeNumber(t *testing.T) { // APR-41
	r := review(t, nil)
	approve(t, r)
	approve(t, r)
	approve(t, r)
	if err := os.Remove(filepath.Join(r.Workspace, ".blitz/plans/s1-2.md")); err != nil {
		t.Fatal(err)
	}
	r.Plan = "the second"
	if got := approve(t, r).File; got != ".blitz/plans/s1-2.md" {
		t.Errorf("got %s", got)
	}
	for name, want := range map[string]string{"s1-1.md": "# Plan\n1. do it\n", "s1-2.md": "the second\n"} {
		text, err := os.ReadFile(filepath.Join(r.Workspace, ".blitz/plans", name))
		if err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for dir, want := range map[string]os.FileMode{".blitz": 0o755, ".blitz/plans": 0o700} {
		info, err := os.Stat(filepath.Join(r.Workspace, dir))
		if err != nil || info.Mode().Perm()&^0o022 != want {
			t.Errorf("%s: %v, %v; want %o", dir, info.Mode(), err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(r.Workspace, ".blitz/plans/.*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestPlanFilesOfManyAtOnce(t *testing.T) { // APR-41
	r := review(t, nil)
	var wg sync.WaitGroup
	var files sync.Map
	for range 20 {
		wg.Go(func() {
			if _, twice := files.LoadOrStore(approve(t, r).File, true); twice {
				t.Error("two plans took one name")
			}
		})
	}
	wg.Wait()
	if got, _ := filepath.Glob(filepath.Join(r.Workspace, ".blitz/plans/s1-*.md")); len(got) != 20 {
		t.Errorf("%d files", len(got))
	}
}

// A repository that brings .blitz/plans as a link must not choose where on
// the machine a file is written.
func TestPlanFileStaysInTheWorkspace(t *testing.T) { // APR-41
	outside := t.TempDir()
	r := review(t, nil)
	if err := os.Mkdir(filepath.Join(r.Workspace, ".blitz"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(r.Workspace, ".blitz/plans")); err != nil {
		t.Fatal(err)
	}
	result := approve(t, r)
	if result.File != "" || !strings.Contains(result.Message, "could not be saved") {
		t.Errorf("got %+v", result)
	}
	if found, _ := os.ReadDir(outside); len(found) > 0 {
		t.Errorf("wrote %v outside the workspace", found)
	}
}

func TestEnterPlan(t *testing.T) { // APR-42
	someone := prompts.Host{Prompter: &script{}}
	for _, tt := range []struct {
		name, setting, raw string
		host               prompts.Host
		reason             string
		err                error
	}{
		{"allowed", "agent-decides", `{"reason":" big change "}`, someone, "big change", nil},
		{"without arguments", "agent-decides", ``, someone, "", nil},
		{"with a malformed reason", "agent-decides", `{"reason":7}`, someone, "", nil},
		{"not set", "", `{}`, someone, "", prompts.ErrNoPlanning},
		{"another value", "Agent-Decides", `{}`, someone, "", prompts.ErrNoPlanning},
		{"unattended", "agent-decides", `{}`, prompts.Host{Prompter: &script{}, Unattended: true}, "", prompts.ErrNoReviewer},
		{"dont-ask", "agent-decides", `{}`, prompts.Host{Prompter: &script{}, DontAsk: true}, "", prompts.ErrNoReviewer},
		{"no prompter", "agent-decides", `{}`, prompts.Host{}, "", prompts.ErrNoReviewer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reason, err := prompts.EnterPlan(tt.host, tt.setting, json.RawMessage(tt.raw))
			if reason != tt.reason || !errors.Is(err, tt.err) {
				t.Errorf("got %q, %v", reason, err)
			}
		})
	}
}

// BEY-10: comments and changes are feedback, whatever was chosen; an agent
// that can't carry out a rewritten plan gets it as feedback too.
func TestReviewPlanRemarks(t *testing.T) {
	yes := prompts.Answer{Text: "Yes, go ahead", Selected: []string{"Yes, go ahead"}}
	comments := []prompts.Comment{{Line: 2, Quote: "1. do it", Text: "how?"}, {Line: 5, Quote: "end", Text: "no"}}
	with := func(change func(*prompts.Answer)) prompts.Answer {
		a := yes
		change(&a)
		return a
	}
	for _, tt := range []struct {
		name    string
		carries bool
		answer  prompts.Answer
		want    prompts.PlanResult
	}{
		{"comments", true, prompts.Answer{Text: "more\n", Comments: comments}, prompts.PlanResult{Feedback: "more\n\nLine 2 of the plan:\n> 1. do it\nhow?\n\nLine 5 of the plan:\n> end\nno"}},
		{"comments beside a yes", true, with(func(a *prompts.Answer) { a.Comments = comments[:1] }), prompts.PlanResult{Feedback: "Line 2 of the plan:\n> 1. do it\nhow?"}},
		{"a note beside a yes", true, with(func(a *prompts.Answer) { a.Note = "only on a branch" }), prompts.PlanResult{Feedback: "only on a branch"}},
		{"rewritten, can't be carried", false, with(func(a *prompts.Answer) { a.Document, a.Changes = "new", "-old\n+new\n" }), prompts.PlanResult{Feedback: "The plan with these changes:\n```diff\n-old\n+new\n```"}},
		{"rewritten without a diff", false, prompts.Answer{Document: "new"}, prompts.PlanResult{Feedback: "The plan should be:\nnew"}},
		{"rewritten and carried", true, with(func(a *prompts.Answer) { a.Document, a.Changes = "new", "-old\n+new\n" }),
			prompts.PlanResult{Approved: true, Mode: prompts.ModeDefault, Plan: "new", File: ".blitz/plans/s1-1.md", Revision: prompts.Revision("new")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := review(t, &script{answers: []prompts.Answer{tt.answer}})
			r.Carries = tt.carries
			got, err := prompts.ReviewPlan(t.Context(), r)
			tt.want.Seen = r.Plan
			if err != nil || got != tt.want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, tt.want)
			}
			if got.Approved {
				if text, _ := os.ReadFile(filepath.Join(r.Workspace, got.File)); string(text) != "new\n" {
					t.Errorf("saved %q", text)
				}
			}
		})
	}
}

// BEY-10: an approval is for the revision that was shown. If the plan has
// changed meanwhile the new one is shown, with the old one to compare.
func TestReviewPlanRevisions(t *testing.T) {
	yes := prompts.Answer{Text: "Yes, go ahead"}
	s := &script{answers: []prompts.Answer{yes, yes}}
	r := review(t, s)
	r.Before = "earlier"
	first := r.Plan
	r.Current = func() (string, error) { return "second", nil }
	got, err := prompts.ReviewPlan(t.Context(), r)
	if err != nil || !got.Approved || got.Seen != "second" || got.Revision != prompts.Revision("second") {
		t.Errorf("got %+v, %v", got, err)
	}
	if len(s.asked) != 2 || s.asked[0].Before != "earlier" || s.asked[1].Before != first || s.asked[1].Document != "second" || !strings.Contains(s.asked[1].Text, "changed while") {
		t.Errorf("asked %+v", s.asked)
	}
	if text, _ := os.ReadFile(filepath.Join(r.Workspace, got.File)); string(text) != "second\n" {
		t.Errorf("saved %q", text)
	}
	// A refusal needs no second look, and a plan that never stands still is
	// never approved.
	s = &script{answers: []prompts.Answer{{Text: "No, plan further"}}}
	r.Host.Prompter = s
	if got, err = prompts.ReviewPlan(t.Context(), r); err != nil || got.Approved || len(s.asked) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	n := 0
	r.Current = func() (string, error) { n++; return strings.Repeat("x", n), nil }
	r.Host.Prompter = &script{answers: []prompts.Answer{yes, yes, yes, yes, yes, yes, yes, yes}}
	if got, err = prompts.ReviewPlan(t.Context(), r); err != nil || got.Approved || got.File != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	gone := errors.New("gone")
	r.Current = func() (string, error) { return "", gone }
	r.Host.Prompter = &script{answers: []prompts.Answer{yes}}
	if got, err = prompts.ReviewPlan(t.Context(), r); !errors.Is(err, gone) || got.Approved {
		t.Errorf("got %+v, %v", got, err)
	}
}
