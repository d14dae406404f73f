package gate

import (
	"testing"
)

// APR-21, TAM-12: what is approved for the session is listed, and one thing
// that is taken back is asked again; the rest holds.
func TestForgetOne(t *testing.T) {
	dir := t.TempDir()
	g, err := New(Options{Workspace: dir, Mode: Default, Approver: ApproverFunc(nil)})
	if err != nil {
		t.Fatal(err)
	}
	one, two := CommandRequest(dir, "bash", "make one"), CommandRequest(dir, "bash", "make two")
	g.Remember(one.Key)
	g.Remember(two.Key)
	g.RememberTool("deploy", Write)
	if err := g.Grant(GrantTarget{Kind: GrantFile, Path: dir + "/a", Tier: Read}); err != nil {
		t.Fatal(err)
	}
	list := g.Remembered()
	if len(list) != 4 {
		t.Fatalf("%d are listed: %+v", len(list), list)
	}
	allowed := func(r Request) bool { return g.Check(t.Context(), r).Allowed() }
	if !allowed(one) || !allowed(two) {
		t.Fatal("what is remembered doesn't pass")
	}
	for i, r := range list {
		if r.Key == two.Key {
			continue
		}
		if !g.ForgetOne(r) {
			t.Errorf("%d didn't hold: %+v", i, r)
		}
		if g.ForgetOne(r) {
			t.Errorf("%d held twice: %+v", i, r)
		}
	}
	if allowed(one) || !allowed(two) {
		t.Errorf("one passes: %v, two passes: %v", allowed(one), allowed(two))
	}
	if list := g.Remembered(); len(list) != 1 || list[0].Key != two.Key {
		t.Errorf("left: %+v", list)
	}
}

// BEY-07: one approval for a while can be ended, and the others go on.
func TestRevokeOne(t *testing.T) {
	g, err := New(Options{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	g.change(func(s *state) {
		s.session.timed = []Approved{{Label: "a", Session: "1", Scope: Scope{Key: "a"}}, {Label: "b", Session: "1", Scope: Scope{Key: "b"}}}
	})
	first := g.Approved()[0]
	if !g.RevokeOne(first) || g.RevokeOne(first) {
		t.Error("it is ended twice, or not at all")
	}
	if list := g.Approved(); len(list) != 1 || list[0].Label != "b" {
		t.Errorf("left: %+v", list)
	}
}
