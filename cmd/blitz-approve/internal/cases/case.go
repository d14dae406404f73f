package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/stream"
)

// A Case is one line of `check --jsonl`.
type Case struct {
	ID           string          `json:"id"`
	Request      Request         `json:"request"`
	Mode         string          `json:"mode"`
	Settings     *string         `json:"settings"`
	Workspace    string          `json:"workspace"`
	Cwd          string          `json:"cwd"`
	Home         string          `json:"home"`
	Approvals    []string        `json:"approvals"`
	Session      []string        `json:"session"`
	SessionTools []toolTier      `json:"session_tools"`
	Grants       []grantTarget   `json:"grants"`
	Unattended   *permits        `json:"unattended"`
	Headless     bool            `json:"headless"`
	Interactive  *bool           `json:"interactive"`
	Planning     bool            `json:"planning"`
	Sandbox      bool            `json:"sandbox"`
	Expect       json.RawMessage `json:"expect"`
	Note         string          `json:"note"`
}

type toolTier struct {
	Tool string `json:"tool"`
	Tier string `json:"tier"`
}

type permits struct {
	Permit []string `json:"permit"`
}

// A Request is what an agent wants, as a case writes it.
type Request struct {
	Tool         string          `json:"tool"`
	Kind         gate.Kind       `json:"kind"`
	Tier         string          `json:"tier"`
	Command      *Text           `json:"command"`
	Path         Text            `json:"path"`
	URL          string          `json:"url"`
	Server       *string         `json:"server"`
	Targets      []string        `json:"targets"`
	Key          *string         `json:"key"`
	GrantTargets []grantTarget   `json:"grant_targets"`
	Declared     json.RawMessage `json:"declared"`
	Search       stream.Search   `json:"search"`
	SafetyChecks []safetyCheck   `json:"safety_checks"`
	Title        string          `json:"title"`
	Detail       Text            `json:"detail"`
	Reason       string          `json:"reason"`
	Diff         []change        `json:"diff"`
}

type safetyCheck struct {
	ID      string          `json:"id"`
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

type change struct {
	Path   string  `json:"path"`
	Before *[]byte `json:"before_b64"`
	After  *[]byte `json:"after_b64"`
}

// Read decodes one line. What it doesn't know is an error: a misspelt
// field would test something else than was meant.
func Read[T any](line []byte) (T, error) {
	var c T
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	var odd *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	err := dec.Decode(&c)
	switch {
	case errors.As(err, &odd):
		return c, fmt.Errorf(`at character %d it is no JSON (%w): a case is one line, such as {"id":"1","request":{"tool":"bash","kind":"run_command","command":"make"}}`, odd.Offset, err)
	case errors.As(err, &wrong) && wrong.Field == "":
		return c, fmt.Errorf("a case is a JSON object, and this is a JSON %s", wrong.Value)
	case errors.As(err, &wrong):
		// Where a case is a part of something, package json names it too.
		return c, fmt.Errorf("%s can't be a JSON %s", strings.TrimPrefix(wrong.Field, "Case."), wrong.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return c, errors.New("the JSON on it has no end: a case is one line")
	case err != nil:
		return c, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return c, errors.New("there is more than one JSON value on the line")
	}
	return c, nil
}

// expected are the verdicts that the case accepts; none means any.
func (c *Case) expected() ([]string, error) {
	if len(c.Expect) == 0 || string(c.Expect) == "null" {
		return nil, nil
	}
	var one string
	list := []string{}
	if json.Unmarshal(c.Expect, &one) == nil {
		list = append(list, one)
	} else if json.Unmarshal(c.Expect, &list) != nil {
		return nil, fmt.Errorf("expect: write a verdict or a list of verdicts")
	}
	for _, verdict := range list {
		if !slices.Contains([]string{"allow", "ask", "deny"}, verdict) {
			return nil, fmt.Errorf("expect: %q is no verdict: write allow, ask or deny", verdict)
		}
	}
	return list, nil
}
