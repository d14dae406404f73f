package gate

import (
	"errors"
	"testing"
)

// TAM-01, TAM-26: where a function of a tool panics, nobody knows whether it would
// have refused, or named something that a rule refuses.
func TestToolThatPanicsAsks(t *testing.T) {
	for name, tool := range map[string]Tool[string]{
		"approval":      {Name: "look", ApprovalFor: func(string) Declaration { panic("x") }},
		"targets":       {Name: "agent", Approval: Declaration{Tier: Read}, Targets: func(string) []string { panic("x") }},
		"write":         {Name: "save", Kind: WriteFile, Approval: Declaration{Tier: Write}, Targets: func(string) []string { panic("x") }},
		"grant targets": {Name: "look", Approval: Declaration{Tier: Read}, GrantTargets: func(string) []GrantTarget { panic("x") }},
	} {
		for _, mode := range []Mode{Yolo, WriteMode, AlwaysAskCached, Default} {
			if v := (setup{mode: mode}).check(t, tool.Request("/w", "a")); v.Effect != Ask || !v.Forced {
				t.Errorf("%s in %s: %s (%s)", name, mode, v.Effect, v.Reason)
			}
		}
	}
}

// TAM-09: a tool that reaches an address which is not public is asked about,
// though it names no grant targets.
func TestToolReachesPrivateAddress(t *testing.T) {
	for target, want := range map[string]Effect{"http://localhost/": Ask, "localhost": Ask, "127.1": Ask, "https://go.dev/x": Allow, "go.dev": Allow} {
		tool := Tool[string]{Name: "get", Kind: Network, Approval: Declaration{Tier: Read}, Targets: func(s string) []string { return []string{s} }}
		if v := (setup{mode: AlwaysAskCached}).check(t, tool.Request("/w", target)); v.Effect != want {
			t.Errorf("%s: %s (%s)", target, v.Effect, v.Reason)
		}
	}
}

// APR-02: approvals are kept by these keys, whoever reads them.
func TestForgedToolKeyIsSpelt(t *testing.T) {
	if key, _ := ForgedToolKey("deploy"); key != "uc-run:deploy" {
		t.Errorf("the key is %q", key)
	}
}

// APR-15: a file that can't be read is named once, and no rule of it is.
func TestBrokenFileIsNamedOnce(t *testing.T) {
	p := Policy{Broken: []BrokenRule{{Effect: Deny, Source: Source{File: "/h/settings.toml", Line: 1}, Err: errors.New("/h/settings.toml:1: no closing bracket")}}}
	g, err := New(Options{Workspace: t.TempDir(), Home: "/nobody", Mode: Yolo, Policy: p, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), shellRun("make")); v.Effect != Ask || v.Reason != "/h/settings.toml:1: no closing bracket" {
		t.Errorf("%s: %s", v.Effect, v.Reason)
	}
}
