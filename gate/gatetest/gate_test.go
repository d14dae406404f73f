package gatetest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/gatetest"
)

// The test of a program that embeds a gate: what its rules settle, and what a
// person is asked.
func Example() {
	test := func(t *testing.T) {
		g := gatetest.New(t, gate.Options{
			Mode:   gate.Default,
			Policy: gatetest.Rules(t, "allow shell(go test)", "deny shell(git push --force)"),
		}, gate.Once)
		g.Allows(gate.CommandRequest(g.Workspace(), "bash", "go test ./..."), gate.CauseRuleAllow)
		g.Denies(gate.CommandRequest(g.Workspace(), "bash", "git push --force"), gate.CauseRuleDeny)
		g.Allows(gate.CommandRequest(g.Workspace(), "bash", "make"), gate.CauseUserOnce)
		if n := len(g.Person.Asked()); n != 1 {
			t.Errorf("asked %d times", n)
		}
	}
	fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "rules", F: test}}))
	// Output: true
}

// failures is a test that keeps what fails it.
type failures struct {
	testing.TB
	said    []string
	cleanup []func()
}

func (f *failures) Helper()          {}
func (f *failures) Cleanup(c func()) { f.cleanup = append(f.cleanup, c) }
func (f *failures) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

// TestWrongExpectationsFail: a test that this package could not fail would say
// nothing.
func TestWrongExpectationsFail(t *testing.T) {
	for want, f := range map[string]func(*gatetest.Gate, gate.Request){
		"allow by user-once":       func(g *gatetest.Gate, r gate.Request) { g.Denies(r, gate.CauseUserRefused) },
		"want allow by rule-allow": func(g *gatetest.Gate, r gate.Request) { g.Allows(r, gate.CauseRuleAllow) },
		"want an ask": func(g *gatetest.Gate, r gate.Request) {
			g.Allows(r, gate.CauseUserOnce)
			_ = g.AddRule(gate.Deny, "edit")
			g.Asks(r)
		},
		"1 of the answers of the script": func(g *gatetest.Gate, r gate.Request) { g.Asks(r) },
	} {
		inner := &failures{TB: t}
		g := gatetest.New(inner, gate.Options{Mode: gate.Default}, gate.Once)
		f(g, gate.WriteRequest(g.Workspace(), "edit", gate.Change{Path: "a"}))
		for _, c := range inner.cleanup {
			c()
		}
		if len(inner.said) != 1 || !strings.Contains(inner.said[0], want) {
			t.Errorf("%q, want %q", inner.said, want)
		}
	}
}

// TestScriptEnds: what isn't in the script is refused, and recorded.
func TestScriptEnds(t *testing.T) {
	g := gatetest.New(t, gate.Options{Mode: gate.Default}, gate.Always)
	g.Allows(gate.CommandRequest(g.Workspace(), "bash", "make"), gate.CauseUserAlways)
	g.Allows(gate.CommandRequest(g.Workspace(), "bash", "make"), gate.CauseSessionRule)
	g.Denies(gate.CommandRequest(g.Workspace(), "bash", "other"), gate.CauseError)
	if r := g.Records(); len(r) != 3 || r[0].Cause != gate.CauseUserAlways || r[2].Targets[0] != "other" {
		t.Errorf("recorded %+v", r)
	}
	if _, err := new(gatetest.Approver).Approve(t.Context(), gate.Prompt{}); !errors.Is(err, gatetest.ErrNoAnswer) {
		t.Errorf("an empty script: %v", err)
	}
}
