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
	ID       string          `json:"id"`
	Verdict  string          `json:"verdict"`
	Cause    string          `json:"cause"`
	Step     string          `json:"step"`
	Rule     string          `json:"rule,omitempty"`
	Source   string          `json:"source,omitempty"`
	Reason   string          `json:"reason"`
	Answers  []string        `json:"answers,omitempty"`
	Key      string          `json:"key,omitempty"`
	KeyLabel string          `json:"key_label,omitempty"`
	Parts    []checkPart     `json:"parts,omitempty"`
	Expect   json.RawMessage `json:"expect,omitempty"`
	OK       bool            `json:"ok"`
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
}

// jsonl answers each line of in, in order.
func (k *checker) jsonl(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	w := bufio.NewWriter(out)
	defer func() { err = errors.Join(err, w.Flush()) }()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	lines := bufio.NewReader(in)
	allOK := true
	for ctx.Err() == nil {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer := k.line(ctx, line)
			allOK = allOK && answer.OK
			if err := enc.Encode(answer); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			if !allOK {
				return errUnexpected
			}
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
		return checkAnswer{ID: c.ID, Verdict: "deny", Cause: gate.CauseInvalid, Step: "valid", Reason: "the case can't be read: " + err.Error(), Expect: c.Expect}
	}
	expect, err := c.expected()
	if err == nil {
		var v gate.Verdict
		if v, err = k.run(ctx, &c); err == nil {
			a := answerOf(v)
			a.ID, a.Expect = c.ID, c.Expect
			a.OK = len(expect) == 0 || slices.Contains(expect, a.Verdict)
			return a
		}
	}
	return checkAnswer{ID: c.ID, Verdict: "deny", Cause: gate.CauseInvalid, Step: "valid", Reason: err.Error(), Expect: c.Expect}
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

func answerOf(v gate.Verdict) checkAnswer {
	a := checkAnswer{
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

// files answers the cases of each file, or of standard input.
func (k *checker) files(ctx context.Context, names []string, out io.Writer) error {
	if len(names) == 0 {
		return k.jsonl(ctx, os.Stdin, out)
	}
	var failed error
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		err = k.jsonl(ctx, f, out)
		f.Close()
		if errors.Is(err, errUnexpected) {
			failed = err
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return failed
}
