package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// A checkCase is one line of `check --jsonl`.
type checkCase struct {
	ID           string          `json:"id"`
	Request      checkRequest    `json:"request"`
	Mode         string          `json:"mode"`
	Settings     *string         `json:"settings"`
	Workspace    string          `json:"workspace"`
	Cwd          string          `json:"cwd"`
	Home         string          `json:"home"`
	Approvals    []string        `json:"approvals"`
	Session      []string        `json:"session"`
	SessionTools []toolTier      `json:"session_tools"`
	Grants       []checkGrant    `json:"grants"`
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

type checkGrant struct {
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Tier     string `json:"tier"`
	Lifetime string `json:"lifetime,omitempty"`
}

func (g checkGrant) target() gate.GrantTarget {
	t, _ := gate.ParseTier(g.Tier)
	return gate.GrantTarget{Kind: gate.GrantKind(g.Kind), Path: g.Path, Tier: t}
}

type checkRequest struct {
	Tool         string          `json:"tool"`
	Kind         gate.Kind       `json:"kind"`
	Tier         string          `json:"tier"`
	Command      *caseText       `json:"command"`
	Path         caseText        `json:"path"`
	URL          string          `json:"url"`
	Server       *string         `json:"server"`
	Targets      []string        `json:"targets"`
	Key          *string         `json:"key"`
	GrantTargets []checkGrant    `json:"grant_targets"`
	Declared     json.RawMessage `json:"declared"`
	SafetyChecks []safetyCheck   `json:"safety_checks"`
	Title        string          `json:"title"`
	Detail       caseText        `json:"detail"`
	Reason       string          `json:"reason"`
	Diff         []checkDiff     `json:"diff"`
}

type safetyCheck struct {
	ID      string          `json:"id"`
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

type checkDiff struct {
	Path   string  `json:"path"`
	Before *[]byte `json:"before_b64"`
	After  *[]byte `json:"after_b64"`
}

// readCase decodes one line. What it doesn't know is an error: a misspelt
// field would test something else than was meant.
func readCase[T any](line []byte) (T, error) {
	var c T
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	var odd *json.SyntaxError
	err := dec.Decode(&c)
	switch {
	case errors.As(err, &odd):
		return c, fmt.Errorf(`at character %d it is no JSON (%w): a case is one line, such as {"id":"1","request":{"tool":"bash","kind":"run_command","command":"make"}}`, odd.Offset, err)
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
func (c *checkCase) expected() ([]string, error) {
	if len(c.Expect) == 0 || string(c.Expect) == "null" {
		return nil, nil
	}
	var one string
	if json.Unmarshal(c.Expect, &one) == nil {
		return []string{one}, nil
	}
	var list []string
	if err := json.Unmarshal(c.Expect, &list); err != nil {
		return nil, fmt.Errorf("expect: write a verdict or a list of verdicts")
	}
	return list, nil
}

// request builds the gate's request: command, path, url, and server with tool
// fill targets and key where these are absent.
func (c *checkCase) request(workspace string) gate.Request {
	r := &c.Request
	req := gate.Request{Tool: r.Tool, Kind: r.Kind, Title: r.Title, Detail: string(r.Detail), Dir: c.Cwd, Targets: r.Targets}
	req.Declared.Tier = defaultTier(r.Kind)
	if r.Tier != "" {
		req.Declared.Tier, _ = gate.ParseTier(r.Tier)
	}
	if len(r.Declared) > 0 {
		req.Declared = gate.ParseDeclaration(r.Declared)
	}
	if r.Reason != "" {
		req.Declared.Reason = r.Reason
	}
	c.fillTargets(&req, workspace)
	if r.Key != nil {
		req.Key = *r.Key
	}
	for _, g := range r.GrantTargets {
		req.GrantTargets = append(req.GrantTargets, g.target())
	}
	for _, s := range r.SafetyChecks {
		req.SafetyChecks = append(req.SafetyChecks, gate.SafetyCheck{Code: s.Code, Message: s.Message, Data: s.Data})
	}
	for _, d := range r.Diff {
		change := gate.Change{Path: d.Path}
		if d.Before != nil {
			change.Before = append([]byte{}, *d.Before...)
		}
		if d.After != nil {
			change.After = append([]byte{}, *d.After...)
		}
		req.Diff = append(req.Diff, change)
	}
	return req
}

func (c *checkCase) fillTargets(req *gate.Request, workspace string) {
	r := &c.Request
	fill := func(target, key, label string) {
		if r.Targets == nil {
			req.Targets = []string{target}
		}
		req.Key, req.KeyLabel = key, label
	}
	switch {
	case r.Kind == gate.RunCommand && r.Command != nil:
		line := string(*r.Command)
		key, label := gate.CommandKey(workspace, line)
		fill(line, key, label)
	case r.Kind == gate.MCPTool && r.Server != nil:
		req.Server = *r.Server
		key, label := gate.MCPKey(*r.Server, r.Tool)
		fill(*r.Server+":"+r.Tool, key, label)
	case r.Kind == gate.Network && r.URL != "":
		host := gate.HostOf(r.URL)
		key, label := gate.WebKey(host)
		fill(host, key, label)
		if req.Detail == "" {
			req.Detail = r.URL
		}
	case r.URL != "":
		req.GrantTargets = append(req.GrantTargets, gate.GrantTarget{Kind: gate.GrantURL, Path: r.URL, Tier: req.Declared.Tier})
	case r.Path != "" && r.Kind == gate.DeleteFile:
		key, label := gate.DeleteKey(workspace)
		fill(string(r.Path), key, label)
	case r.Path != "":
		key, label := gate.WriteKey(workspace)
		fill(string(r.Path), key, label)
	}
	if req.Key == "" {
		switch r.Kind {
		case gate.WriteFile:
			req.Key, req.KeyLabel = gate.WriteKey(workspace)
		case gate.DeleteFile:
			req.Key, req.KeyLabel = gate.DeleteKey(workspace)
		}
	}
}

// defaultTier is the tier of a request whose tool declared nothing but whose
// kind is known.
func defaultTier(k gate.Kind) gate.Tier {
	switch k {
	case gate.WriteFile, gate.DeleteFile, gate.MCPTool:
		return gate.Write
	case gate.Network:
		return gate.Read
	}
	return gate.Exec
}

// staticGrants are the grants of a case.
type staticGrants []gate.Grant

func (s staticGrants) Grants() ([]gate.Grant, error) { return s, nil }

func (s staticGrants) Grant(...gate.Grant) error { return errors.New("a dry run keeps nothing") }

// nobody is who would be asked in a dry run: there only to be there, or not
// at all.
func (c *checkCase) nobody() gate.Approver {
	if c.Interactive == nil || *c.Interactive {
		return gate.ApproverFunc(nil)
	}
	return nil
}

// context is ctx with how the case's turn runs.
func (c *checkCase) context(ctx context.Context, workspace string) (context.Context, error) {
	if c.Unattended != nil {
		permitted, err := policy.Permits(c.Unattended.Permit, workspace, c.Home)
		if err != nil {
			return nil, err
		}
		ctx = gate.Unattended(ctx, permitted)
	}
	if c.Headless {
		ctx = gate.Headless(ctx)
	}
	if c.Planning {
		ctx = gate.Planning(ctx)
	}
	return ctx, nil
}

// gate builds the case's own gate, with the approver that would be asked.
func (c *checkCase) gate(workspace string, machine *gate.Policy, machineMode gate.Mode, approver gate.Approver) (*gate.Gate, error) {
	opts := gate.Options{Workspace: workspace, Home: c.Home, Mode: machineMode, Sandboxed: c.Sandbox, Approver: approver}
	if c.Settings == nil {
		opts.Policy = *machine
	} else {
		f, _ := settings.Parse("settings", []byte(*c.Settings), settings.Global)
		opts.Policy, _ = policy.Of(&f.Values)
	}
	if c.Mode != "" {
		m, err := gate.ParseMode(c.Mode)
		if err != nil {
			return nil, err
		}
		opts.Mode = m
	}
	var saved []gate.SavedKey
	for _, k := range c.Approvals {
		saved = append(saved, gate.SavedKey{Key: k})
	}
	opts.Approvals = gate.KeepApprovals(saved...)
	var session, kept []gate.Grant
	for _, g := range c.Grants {
		grant := gate.Grant{GrantTarget: g.target(), Saved: g.Lifetime == "saved"}
		if grant.Saved {
			grant.Path = asSaved(grant.GrantTarget, workspace)
			kept = append(kept, grant)
		} else {
			session = append(session, grant)
		}
	}
	opts.Grants = staticGrants(kept)
	g, err := gate.New(opts)
	if err != nil {
		return nil, err
	}
	for _, k := range c.Session {
		g.Remember(k)
	}
	for _, t := range c.SessionTools {
		tier, _ := gate.ParseTier(t.Tier)
		g.RememberTool(t.Tool, tier)
	}
	for _, s := range session {
		g.Grant(s.GrantTarget)
	}
	return g, nil
}
