package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A checkAnswer is one line that `check --jsonl` writes.
type checkAnswer struct {
	ID string `json:"id"`
	checkVerdict
	Expect json.RawMessage `json:"expect,omitempty"`
	OK     bool            `json:"ok"`
}

// A checkVerdict is what would happen to a request.
type checkVerdict struct {
	Verdict  string      `json:"verdict"`
	Cause    string      `json:"cause"`
	Step     string      `json:"step"`
	Rule     string      `json:"rule,omitempty"`
	Source   string      `json:"source,omitempty"`
	Reason   string      `json:"reason"`
	Answers  []string    `json:"answers,omitempty"`
	Key      string      `json:"key,omitempty"`
	KeyLabel string      `json:"key_label,omitempty"`
	Parts    []checkPart `json:"parts,omitempty"`
}

type checkPart struct {
	Command string `json:"command"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule,omitempty"`
	Source  string `json:"source,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// errUnexpected ends check with exit code 1.
var errUnexpected = errors.New("not every case came out as expected")

// A checker runs cases against the machine's settings, or their own.
type checker struct {
	workspace string
	machine   gate.Policy
	mode      gate.Mode

	cases  int
	failed []failedCase
}

// A failedCase is one that did not come out as expected.
type failedCase struct {
	where string // file and line
	checkAnswer
}

// note counts an answer for the summary.
func (k *checker) note(where string, a checkAnswer) {
	if k.cases++; !a.OK {
		k.failed = append(k.failed, failedCase{where, a})
	}
}

// line answers one line.
func (k *checker) line(ctx context.Context, line []byte) checkAnswer {
	c, err := readCase[checkCase](line)
	if err != nil {
		return c.invalid("the case can't be read: " + err.Error())
	}
	expect, err := c.expected()
	if err != nil {
		return c.invalid(err.Error())
	}
	v, err := k.run(ctx, &c)
	if err != nil {
		return c.invalid(err.Error())
	}
	a := checkAnswer{ID: c.ID, checkVerdict: verdictOf(v), Expect: c.Expect}
	a.OK = len(expect) == 0 || slices.Contains(expect, a.Verdict)
	return a
}

// invalid answers a case that is none.
func (c *checkCase) invalid(reason string) checkAnswer {
	v := checkVerdict{Verdict: gate.Deny.String(), Cause: gate.CauseInvalid, Step: "valid", Reason: reason}
	return checkAnswer{ID: c.ID, checkVerdict: v, Expect: c.Expect}
}

func (k *checker) run(ctx context.Context, c *checkCase) (gate.Verdict, error) {
	ctx, o, err := k.open(ctx, c, c.nobody())
	if err != nil {
		return gate.Verdict{}, err
	}
	return o.gate.Check(ctx, o.request), nil
}

// An openedCase is one with a gate of its own, and what it asks of it.
type openedCase struct {
	gate      *gate.Gate
	request   gate.Request
	workspace string
}

// open makes the gate of a case. The request is decided with the context that
// it returns, which says how the case's turn runs.
func (k *checker) open(ctx context.Context, c *checkCase, approver gate.Approver) (context.Context, *openedCase, error) {
	workspace := cmp.Or(c.Workspace, k.workspace)
	g, err := c.gate(workspace, &k.machine, k.mode, approver)
	if err != nil {
		return nil, nil, err
	}
	if ctx, err = c.context(ctx, workspace); err != nil {
		return nil, nil, err
	}
	return ctx, &openedCase{g, c.request(workspace), workspace}, nil
}

func verdictOf(v gate.Verdict) checkVerdict {
	a := checkVerdict{
		Verdict: v.Effect.String(), Cause: v.Cause, Step: v.Step, Reason: v.Reason, Key: v.Request.Key, KeyLabel: v.Request.KeyLabel,
	}
	if v.Rule != nil {
		a.Rule, a.Source = v.Rule.Text, v.Rule.Source.String()
	}
	for _, d := range v.Offers {
		a.Answers = append(a.Answers, d.String())
	}
	if v.Effect == gate.Ask {
		a.Answers = append(a.Answers, gate.Refuse.String())
	}
	for _, p := range v.Parts {
		part := checkPart{Command: p.Command, Verdict: p.Effect.String(), Reason: p.Reason}
		if p.Rule != nil {
			part.Rule, part.Source = p.Rule.Text, p.Rule.Source.String()
		}
		a.Parts = append(a.Parts, part)
	}
	return a
}

// listedFailures is how many failures the summary names.
const listedFailures = 20

// summary tells which cases failed.
func (k *checker) summary(w io.Writer) {
	if len(k.failed) == 0 {
		return
	}
	fmt.Fprintf(w, "%d of %s came out otherwise:\n", len(k.failed), counted(k.cases, "case", "cases"))
	for i, f := range k.failed {
		if i == listedFailures {
			fmt.Fprintf(w, "  … and %d more\n", len(k.failed)-i)
			return
		}
		which := strings.TrimSpace(printable(f.where) + "  " + printable(f.ID))
		if len(f.Expect) == 0 {
			fmt.Fprintf(w, "  %s  %s\n", which, printable(f.Reason))
			continue
		}
		fmt.Fprintf(w, "  %s  expected %s, got %s: %s\n", which, printable(string(f.Expect)), f.Verdict, printable(f.Reason))
	}
}
