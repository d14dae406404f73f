package gatetest

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Gate is a gate in a test, with its script.
type Gate struct {
	*gate.Gate
	// Person answers what is asked.
	Person *Approver

	tb  testing.TB
	log string
}

// New makes a gate from opts. What opts leave out is made for the test: a
// workspace, a home and the gate's own folder, all empty, saved approvals and
// an audit log. With opts.Approver nil, prompts get the answers in their
// order; answers that nothing needed fail the test at its end.
func New(tb testing.TB, opts gate.Options, answers ...gate.Decision) *Gate {
	tb.Helper()
	for _, dir := range []*string{&opts.Workspace, &opts.Home, &opts.GateHome} {
		if *dir == "" {
			*dir = tb.TempDir()
		}
	}
	g := &Gate{Person: Answers(answers...), tb: tb}
	if opts.Approver == nil {
		opts.Approver = g.Person
	}
	var err error
	if opts.Approvals == nil {
		if opts.Approvals, err = gate.OpenApprovals(filepath.Join(opts.GateHome, "approvals.json")); err != nil {
			tb.Fatal(err)
		}
	}
	if opts.Audit == nil {
		g.log = filepath.Join(opts.GateHome, "audit.jsonl")
		if opts.Audit, err = gate.OpenAuditLog(g.log); err != nil {
			tb.Fatal(err)
		}
	}
	if g.Gate, err = gate.New(opts); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if n := g.Person.Left(); n > 0 {
			tb.Errorf("%d of the answers of the script were not needed", n)
		}
	})
	return g
}

// Rules makes a policy of rules, each an effect and a rule in one text, such
// as "deny shell(git push)". One that can't be read fails the test.
func Rules(tb testing.TB, rules ...string) gate.Policy {
	tb.Helper()
	var p gate.Policy
	for _, text := range rules {
		ok := false
		for _, effect := range []gate.Effect{gate.Deny, gate.Ask, gate.Allow} {
			if n := len(effect.String()); len(text) > n && text[:n] == effect.String() && text[n] == ' ' {
				ok = true
				if err := p.AddRule(effect, text[n+1:], gate.Source{Layer: "test"}); err != nil {
					tb.Fatal(err)
				}
			}
		}
		if !ok {
			tb.Fatalf("%q: write an effect and a rule, such as allow shell(go test)", text)
		}
	}
	return p
}

// Allows decides, and fails the test unless the request may happen by cause.
func (g *Gate) Allows(req gate.Request, cause string) gate.Verdict {
	g.tb.Helper()
	return g.decides(req, gate.Allow, cause)
}

// Denies decides, and fails the test unless the request is refused by cause.
func (g *Gate) Denies(req gate.Request, cause string) gate.Verdict {
	g.tb.Helper()
	return g.decides(req, gate.Deny, cause)
}

func (g *Gate) decides(req gate.Request, effect gate.Effect, cause string) gate.Verdict {
	g.tb.Helper()
	v := g.Decide(g.tb.Context(), req)
	if v.Effect != effect || v.Cause != cause {
		g.tb.Errorf("%s %q: %s by %s (%s), want %s by %s", req.Tool, req.Targets, v.Effect, v.Cause, v.Reason, effect, cause)
	}
	return v
}

// Asks fails the test unless a person would be asked. It asks nobody.
func (g *Gate) Asks(req gate.Request) gate.Verdict {
	g.tb.Helper()
	v := g.Check(g.tb.Context(), req)
	if v.Effect != gate.Ask {
		g.tb.Errorf("%s %q: %s by %s (%s), want an ask", req.Tool, req.Targets, v.Effect, v.Cause, v.Reason)
	}
	return v
}

// Records are what the gate's own audit log holds, in order; none when
// Options.Audit was given.
func (g *Gate) Records() []gate.Record {
	g.tb.Helper()
	var records []gate.Record
	if g.log == "" {
		return nil
	}
	for r, err := range gate.Records(g.log) {
		if err != nil {
			g.tb.Fatal(err)
		}
		records = append(records, r)
	}
	slices.Reverse(records)
	return records
}
