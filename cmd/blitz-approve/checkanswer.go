package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

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

// jsonl answers each line of in, in order. Name stands for in when a case
// fails.
func (k *checker) jsonl(ctx context.Context, name string, in io.Reader, out io.Writer) (err error) {
	w := bufio.NewWriter(out)
	defer func() { err = errors.Join(err, w.Flush()) }()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	lines := bufio.NewReader(in)
	for n := 1; ctx.Err() == nil; n++ {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer := k.line(ctx, line)
			if k.cases++; !answer.OK {
				k.failed = append(k.failed, failedCase{fmt.Sprintf("%s:%d", name, n), answer})
			}
			if err := enc.Encode(answer); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read cases: %w", err)
		}
	}
	return ctx.Err()
}

func (k *checker) line(ctx context.Context, line []byte) checkAnswer {
	c, err := readCase(line)
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
	workspace := c.Workspace
	if workspace == "" {
		workspace = k.workspace
	}
	g, err := c.gate(workspace, &k.machine, k.mode)
	if err != nil {
		return gate.Verdict{}, err
	}
	if c.Unattended != nil {
		permitted, err := permitsOf(c.Unattended.Permit, workspace, c.Home)
		if err != nil {
			return gate.Verdict{}, err
		}
		ctx = gate.Unattended(ctx, permitted)
	}
	if c.Headless {
		ctx = gate.Headless(ctx)
	}
	if c.Planning {
		ctx = gate.Planning(ctx)
	}
	return g.Check(ctx, c.request(workspace)), nil
}

// permitsOf reads the permissions of an unattended run; * permits everything.
func permitsOf(rules []string, workspace, home string) (func(gate.Request) bool, error) {
	p := gate.Policy{NoReadOnlyDefaults: true, NoReadOnlyGuards: true}
	for _, text := range rules {
		if text == "*" {
			return func(gate.Request) bool { return true }, nil
		}
		if err := p.AddRule(gate.Allow, text, gate.Source{Layer: "flag"}); err != nil {
			return nil, err
		}
	}
	return gate.Permits(workspace, home, p)
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

// files answers the cases of each file, or of standard input, and tells
// problems which of them failed.
func (k *checker) files(ctx context.Context, names []string, out, problems io.Writer) error {
	if len(names) == 0 {
		if err := k.jsonl(ctx, "standard input", os.Stdin, out); err != nil {
			return err
		}
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		err = k.jsonl(ctx, name, f, out)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(k.failed) == 0 {
		return nil
	}
	k.summary(problems)
	return errUnexpected
}

// listedFailures is how many failures the summary names.
const listedFailures = 20

func (k *checker) summary(w io.Writer) {
	fmt.Fprintf(w, "%d of %s came out otherwise:\n", len(k.failed), counted(k.cases, "case", "cases"))
	for i, f := range k.failed {
		if i == listedFailures {
			fmt.Fprintf(w, "  … and %d more\n", len(k.failed)-i)
			return
		}
		fmt.Fprintf(w, "  %s  %s  expected %s, got %s: %s\n", printable(f.where), printable(f.ID), printable(string(f.Expect)), f.Verdict, printable(f.Reason))
	}
}
