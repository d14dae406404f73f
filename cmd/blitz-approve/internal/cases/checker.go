package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
)

// An Answer is one line that `check --jsonl` writes.
type Answer struct {
	ID string `json:"id"`
	Outcome
	Expect json.RawMessage `json:"expect,omitempty"`
	OK     bool            `json:"ok"`
}

// ErrUnexpected is the error of cases that came out otherwise.
var ErrUnexpected = errors.New("not every case came out as expected")

// A Checker runs cases against the machine's settings, or their own.
type Checker struct {
	Workspace string      // of a case that names none
	GateHome  string      // of a case that names no home, else that is its .blitz
	Policy    gate.Policy // of a case without settings
	Mode      gate.Mode   // of a case that names none

	cases  int
	failed []failure
}

// A failure is one that did not come out as expected.
type failure struct {
	where string // file and line
	Answer
}

// Note counts an answer for the summary.
func (k *Checker) Note(where string, a Answer) {
	if k.cases++; !a.OK {
		k.failed = append(k.failed, failure{where, a})
	}
}

// Line answers one line.
func (k *Checker) Line(ctx context.Context, line []byte) Answer {
	c, err := Read[Case](line)
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
	a := Answer{ID: c.ID, Outcome: OutcomeOf(v), Expect: c.Expect}
	a.OK = len(expect) == 0 || slices.Contains(expect, a.Verdict)
	return a
}

// invalid answers a case that is none.
func (c *Case) invalid(reason string) Answer {
	v := Outcome{Verdict: gate.Deny.String(), Cause: gate.CauseInvalid, Step: gate.StepValid, Reason: reason}
	return Answer{ID: c.ID, Outcome: v, Expect: c.Expect}
}

func (k *Checker) run(ctx context.Context, c *Case) (gate.Verdict, error) {
	ctx, o, err := k.Open(ctx, c, c.nobody())
	if err != nil {
		return gate.Verdict{}, err
	}
	return o.Gate.Check(ctx, o.Request), nil
}

// listedFailures is how many failures the summary names.
const listedFailures = 20

// Summary tells which cases failed.
func (k *Checker) Summary(w io.Writer) {
	if len(k.failed) == 0 {
		return
	}
	fmt.Fprintf(w, "%d of %s came out otherwise:\n", len(k.failed), output.Counted(k.cases, "case", "cases"))
	for i, f := range k.failed {
		if i == listedFailures {
			fmt.Fprintf(w, "  … and %d more\n", len(k.failed)-i)
			return
		}
		which := strings.TrimSpace(output.Printable(f.where) + "  " + output.Printable(f.ID))
		if len(f.Expect) == 0 {
			fmt.Fprintf(w, "  %s  %s\n", which, output.Printable(f.Reason))
			continue
		}
		fmt.Fprintf(w, "  %s  expected %s, got %s: %s\n", which, output.Printable(string(f.Expect)), f.Verdict, output.Printable(f.Reason))
	}
}
