package gate

import "testing"

// TestFoldedNames are restricted where the volume takes any case (APR-15).
func TestFoldedNames(t *testing.T) {
	var p Policy
	_ = p.AddRule(Deny, "write(Secrets/**)", Source{})
	_ = p.AddRule(Deny, "write(caf\u00e9)", Source{})
	at := newPlace("/w", "/home/u", "")
	for _, folds := range []bool{false, true} {
		at.folds = folds
		x := newRuleIndex(&p, at)
		for _, target := range []string{"sEcReTs/k", "cafe\u0301"} {
			if got := x.write[Deny].restricting(at.file(target, ""), false) != nil; got != folds {
				t.Errorf("%s with folding %v: denied %v", target, folds, got)
			}
		}
	}
}

// TestCheckRuleKinds applies a rule of each kind to a sample (APR-15).
func TestCheckRuleKinds(t *testing.T) {
	for _, row := range []struct {
		effect       Effect
		rule, sample string
		want         bool
	}{
		{Allow, "write(src/**)", "src/a", true}, {Deny, "delete(src)", "src/a", true}, {Deny, "read(.env)", ".env", true},
		{Allow, "web(*.a.test)", "https://b.a.test/x", true}, {Ask, "mcp(gh:x)", "gh:x", true}, {Allow, "skill(x)", "x", true},
		{Allow, "agent(x*)", "xy", true}, {Allow, "grep", "grep", true}, {Allow, "shell(ls)", "ls > x", false}, {Deny, "shell(rm)", "ls; rm x", true},
	} {
		r, err := CheckRule(row.effect, row.rule, row.sample, "/w", "/home/u")
		if err != nil || r.Applies == nil || *r.Applies != row.want {
			t.Errorf("%s %s on %q: %+v, %v; want %v", row.effect, row.rule, row.sample, r, err, row.want)
		}
	}
}

// TestGrantsFromAnotherDirectory cover what was approved there, at the tier
// of the request, until they are forgotten (TAM-08, TAM-12).
func TestGrantsFromAnotherDirectory(t *testing.T) {
	g, _ := New(Options{Workspace: "/w", Mode: AlwaysAskCached, Approver: always(Answer{Decision: Once, Grant: GrantExact})})
	req := tool("read", Declaration{Tier: Read})
	req.Dir, req.GrantTargets = "/other", []GrantTarget{{Kind: GrantFile, Path: "a"}}
	if v := g.Decide(t.Context(), req); v.Cause != CauseUserSession {
		t.Fatalf("%s · %s", v.Effect, v.Cause)
	}
	here, write := req, req
	here.Dir, write.Declared.Tier = "", Write
	for name, row := range map[string]struct {
		req  Request
		want Effect
	}{"there": {req, Allow}, "here": {here, Ask}, "to write": {write, Ask}} {
		if v := g.Check(t.Context(), row.req); v.Effect != row.want {
			t.Errorf("%s: %s · %s, want %s", name, v.Effect, v.Cause, row.want)
		}
	}
	g.RememberTool("bash", Exec)
	g.ForgetGrants()
	if v := g.Check(t.Context(), req); v.Effect != Ask {
		t.Errorf("forgotten: %s", v.Effect)
	}
	if v := g.Check(t.Context(), shellRun("make")); v.Cause != CauseSessionRule {
		t.Errorf("a remembered tool: %s", v.Cause)
	}
}

// TestSafetyChecksWithoutUI have the text of their own (TAM-18).
func TestSafetyChecksWithoutUI(t *testing.T) {
	v := (setup{mode: Yolo, nobody: true}).check(t, Request{Tool: "computer", SafetyChecks: []SafetyCheck{{Code: "c"}}})
	if v.Cause != CauseNoApprover || v.Reason != "pending provider safety checks but no interactive UI is available" {
		t.Errorf("%s: %s", v.Cause, v.Reason)
	}
}
