package gate_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// TestSavedGrants outlive the gate, end when they are forgotten, and are never
// those of the session (TAM-07, TAM-08, TAM-12).
func TestSavedGrants(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	store, err := grants.Open(filepath.Join(t.TempDir(), "approval-cache.db"))
	if err != nil {
		t.Fatal(err)
	}
	search := gate.Request{Tool: "grep", Declared: gate.Declaration{Tier: gate.Read},
		GrantTargets: []gate.GrantTarget{{Kind: gate.GrantTree, Path: "src;lib", Tier: gate.Read}}}
	read := gate.ReadRequest("read", "src/a.go:3")
	start := func(a gate.Answer) *gate.Gate {
		g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.AlwaysAskCached, Grants: store,
			Approver: gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) { return a, nil })})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	start(gate.Answer{Decision: gate.Once, Grant: gate.GrantExact}).Decide(t.Context(), search)
	if v := start(gate.Answer{}).Check(t.Context(), search); v.Effect != gate.Ask {
		t.Errorf("a session grant outlives it: %s", v.Cause)
	}
	v := start(gate.Answer{Decision: gate.Once, Grant: gate.GrantExact, Remember: true}).Decide(t.Context(), search)
	if v.Cause != gate.CauseUserAlways || v.Warning != "" {
		t.Fatalf("%s, warning %q", v.Cause, v.Warning)
	}
	later := start(gate.Answer{})
	for name, req := range map[string]gate.Request{"the search": search, "a file directly in a root": read} {
		if v := later.Check(t.Context(), req); v.Cause != gate.CauseGrant {
			t.Errorf("%s: %s · %s", name, v.Effect, v.Cause)
		}
	}
	later.ForgetGrants()
	if v := later.Check(t.Context(), read); v.Cause != gate.CauseGrant {
		t.Errorf("forgetting the session's grants forgot saved ones: %s", v.Cause)
	}
	if list, err := store.List(); err != nil || len(list) != 4 {
		t.Errorf("%v, %v; want a tree and a folder for each root", list, err)
	}
	if _, err := store.Forget(); err != nil {
		t.Fatal(err)
	}
	if v := later.Check(t.Context(), read); v.Effect != gate.Ask {
		t.Errorf("forgotten: %s · %s", v.Effect, v.Cause)
	}
}
