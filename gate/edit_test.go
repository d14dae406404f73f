package gate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func editable(req Request) Request { req.Editable = true; return req }

func editPolicy(t *testing.T) Policy {
	t.Helper()
	var p Policy
	for text, effect := range map[string]Effect{"shell(rm)": Deny, "shell(git push)": Ask, "write(secret/**)": Deny} {
		if err := p.AddRule(effect, text, Source{Layer: "global", File: "settings.toml", Line: 7}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// BEY-05: what is approved, recorded and handed back to run is the edit; the
// log holds both.
func TestEditedCommandIsWhatRuns(t *testing.T) {
	log := &records{}
	req := editable(CommandRequest("/w", "bash", "go test ./..."))
	var shown, revised Prompt
	person := ApproverFunc(func(_ context.Context, p Prompt) (Answer, error) {
		shown = p
		e := Edit{Command: "go test ./pager"}
		var err error
		if revised, err = p.Revise(e); err != nil {
			return Answer{}, err
		}
		return Answer{Decision: Once, Edited: &e, Message: "the rest is slow"}, nil
	})
	v := decideOne(t, Options{Mode: Default, Approver: person, Audit: log}, req)
	if v.Effect != Allow || v.Cause != CauseUserOnce || !slices.Equal(v.Request.Targets, []string{"go test ./pager"}) {
		t.Fatalf("%s · %s: %q", v.Effect, v.Cause, v.Request.Targets)
	}
	if v.Asked == nil || v.Asked.Targets[0] != "go test ./..." {
		t.Errorf("asked %+v", v.Asked)
	}
	if revised.Request.Digest() != v.Request.Digest() || v.Request.Digest() == shown.Request.Digest() {
		t.Error("the digest is not that of what was shown last")
	}
	if revised.Offers(Session) || revised.Offers(Always) || !revised.Offers(Once) || revised.Verdict.Effect != Ask {
		t.Errorf("an edit offers %v", revised.Verdict.Offers)
	}
	for _, want := range []string{"the rest is slow", `"go test ./..."`, `"go test ./pager"`} {
		if !strings.Contains(v.Message, want) {
			t.Errorf("the agent is told %q", v.Message)
		}
	}
	r := log.last()
	if !slices.Equal(r.Targets, []string{"go test ./pager"}) || !slices.Equal(r.Asked, []string{"go test ./..."}) || r.Digest == r.AskedHash || r.AskedHash != shown.Request.Digest() {
		t.Errorf("recorded %q, asked %q", r.Targets, r.Asked)
	}
}

// BEY-05: the edit is checked again: a deny refuses it, a forced ask stays,
// and it is never remembered.
func TestEditIsCheckedAgain(t *testing.T) {
	command := editable(CommandRequest("/w", "bash", "make"))
	file := editable(WriteRequest("/w", "edit", Change{Path: "a", Before: []byte("1\n"), After: []byte("2\n")}))
	for _, row := range []struct {
		name   string
		req    Request
		edit   Edit
		d      Decision
		effect Effect
		cause  string
		fails  error // of Revise
	}{
		{"allowed", command, Edit{Command: "go vet"}, Once, Allow, CauseUserOnce, nil},
		{"a deny rule", command, Edit{Command: "go vet && rm -rf x"}, Once, Deny, CauseRuleDeny, ErrEditRefused},
		{"a NUL", command, Edit{Command: "go\x00vet"}, Once, Deny, CauseInvalid, ErrEditRefused},
		{"a forced ask", command, Edit{Command: "git push"}, Once, Allow, CauseUserOnce, nil},
		{"nothing left", command, Edit{Command: " \n"}, Once, Deny, CauseError, ErrNotEditable},
		{"not remembered", command, Edit{Command: "go vet"}, Session, Allow, CauseUserOnce, nil},
		{"not remembered either", command, Edit{Command: "go vet"}, Always, Allow, CauseUserOnce, nil},
		{"refused", command, Edit{Command: "go vet"}, Refuse, Deny, CauseUserRefused, nil},
		{"an unknown answer", command, Edit{Command: "go vet"}, Decision(99), Deny, CauseUserRefused, nil},
		{"a file", file, Edit{Files: map[string][]byte{"a": []byte("3\n")}}, Once, Allow, CauseUserOnce, nil},
		{"a file as it was", file, Edit{Files: map[string][]byte{"a": []byte("1\n")}}, Once, Deny, CauseError, ErrNotEditable},
		{"another file", file, Edit{Files: map[string][]byte{"secret/b": []byte("3\n")}}, Once, Deny, CauseError, ErrNotEditable},
		{"a command for a file", file, Edit{Command: "rm a"}, Once, Deny, CauseError, ErrNotEditable},
		{"a connection that can't", CommandRequest("/w", "bash", "make"), Edit{Command: "go vet"}, Once, Deny, CauseError, ErrNotEditable},
	} {
		t.Run(row.name, func(t *testing.T) {
			var revised error
			var forced bool
			person := ApproverFunc(func(_ context.Context, p Prompt) (Answer, error) {
				if (p.Revise != nil) != row.req.Editable {
					t.Errorf("can be revised: %v", p.Revise != nil)
				}
				if p.Revise != nil {
					var next Prompt
					next, revised = p.Revise(row.edit)
					forced = next.Verdict.Forced
				}
				return Answer{Decision: row.d, Edited: &row.edit}, nil
			})
			g, _ := New(Options{Workspace: "/w", Mode: Default, Policy: editPolicy(t), Approver: person})
			v := g.Decide(t.Context(), row.req)
			if v.Effect != row.effect || v.Cause != row.cause {
				t.Errorf("%s · %s (%s)", v.Effect, v.Cause, v.Reason)
			}
			if row.req.Editable && !errors.Is(revised, row.fails) {
				t.Errorf("revising: %v", revised)
			}
			if row.name == "a forced ask" && !forced {
				t.Error("the edit isn't forced")
			}
			if (row.d == Session || row.d == Always) && v.Warning == "" {
				t.Error("nothing says that it isn't remembered")
			}
			if v.Asked != nil && row.effect == Deny && !strings.Contains(v.Refusal(), "the user had edited it") {
				t.Errorf("the agent is told %q", v.Refusal())
			}
			g.opts.Approver = always(Answer{})
			if next := g.Decide(t.Context(), CommandRequest("/w", "bash", "go vet")); next.Effect == Allow {
				t.Errorf("remembered as %s", next.Cause)
			}
		})
	}
}

// BEY-06: what was left out of an edit isn't written, and the agent hears of
// it.
func TestLeftOutHunks(t *testing.T) {
	req := editable(WriteRequest("/w", "edit",
		Change{Path: "a", Before: []byte("1\n2\n"), After: []byte("x\ny\n")}, Change{Path: "b", After: []byte("new\n")}))
	answer := Answer{Decision: Once, Edited: &Edit{Files: map[string][]byte{"a": []byte("x\n2\n")}, LeftOut: []string{"a line 2"}}}
	v := decideOne(t, Options{Mode: Default, Approver: always(answer)}, req)
	if v.Effect != Allow || string(v.Request.Diff[0].After) != "x\n2\n" || string(v.Request.Diff[1].After) != "new\n" {
		t.Fatalf("%s: %q", v.Effect, v.Request.Diff)
	}
	if string(req.Diff[0].After) != "x\ny\n" {
		t.Error("the request that came was changed")
	}
	if !strings.Contains(v.Message, "refused a part") || !strings.Contains(v.Message, "a line 2") {
		t.Errorf("the agent is told %q", v.Message)
	}
}

// BEY-02, BEY-05: of a file that a request changes twice nobody can tell what
// becomes of it when one of the two is edited.
func TestNoEditOfAFileChangedTwice(t *testing.T) {
	for _, second := range []string{"a", "./a", "x/../a"} {
		req := editable(WriteRequest("/w", "edit", Change{Path: "a", After: []byte("1")}, Change{Path: second, After: []byte("2")}))
		if req.MayEdit() {
			t.Errorf("a and %s may be edited", second)
		}
	}
	if req := editable(WriteRequest("/w", "edit", Change{Path: "a", After: []byte("1")}, Change{Path: "b", After: []byte("2")})); !req.MayEdit() {
		t.Error("two files may not be edited")
	}
}

// BEY-05: the prompt that Revise returns carries its edit into every answer that is
// made of it, also when it took the place of another; the prompt before approves
// what came. What the edit was made of may change afterwards: what was shown counts.
func TestAnswerToARevisedPrompt(t *testing.T) {
	once := func(p Prompt) Answer { return p.Answer(Once) }
	chosen := func(p Prompt) Answer { return p.Choices()[0].Answer }
	for name, row := range map[string]struct {
		answer  func(shown, revised Prompt) Answer
		renewed bool
		cause   string
		written string
	}{
		"as revised":          {answer: func(_, p Prompt) Answer { return once(p) }, cause: CauseUserOnce, written: "3"},
		"chosen of a list":    {answer: func(_, p Prompt) Answer { return chosen(p) }, cause: CauseUserOnce, written: "3"},
		"as it came":          {answer: func(p, _ Prompt) Answer { return once(p) }, cause: CauseUserOnce, written: "2"},
		"of a renewed prompt": {answer: func(_, p Prompt) Answer { return chosen(p) }, renewed: true, cause: CauseUserOnce, written: "3"},
		"refused":             {answer: func(_, p Prompt) Answer { return p.Answer(Refuse) }, cause: CauseUserRefused, written: "2"},
	} {
		t.Run(name, func(t *testing.T) {
			var g *Gate
			person := ApproverFunc(func(ctx context.Context, p Prompt) (Answer, error) {
				if row.renewed {
					if err := g.AddRule(Ask, "write(a)"); err != nil {
						return Answer{}, err
					}
					p, _ = p.Renewed(ctx)
				}
				files := map[string][]byte{"a": []byte("3")}
				revised, err := p.Revise(Edit{Files: files})
				files["a"][0] = '4'
				if a := revised.Answer(Refuse); a.Edited != nil || revised.Renewal != p.Renewal {
					t.Errorf("a no is %+v, to renewal %d of %d", a, revised.Renewal, p.Renewal)
				}
				return row.answer(p, revised), err
			})
			g, _ = New(Options{Workspace: "/w", Mode: Default, Approver: person})
			v := g.Decide(t.Context(), editable(WriteRequest("/w", "edit", Change{Path: "a", Before: []byte("1"), After: []byte("2")})))
			if v.Cause != row.cause || string(v.Request.Diff[0].After) != row.written {
				t.Errorf("%s (%s): writes %q", v.Cause, v.Reason, v.Request.Diff[0].After)
			}
		})
	}
}
