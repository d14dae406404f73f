package cases

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// An Opened case is one with a gate of its own, and what it asks of it.
type Opened struct {
	Gate      *gate.Gate
	Request   gate.Request
	Workspace string
}

// Open makes the gate of a case. The request is decided with the context that
// it returns, which says how the case's turn runs.
func (k *Checker) Open(ctx context.Context, c *Case, approver gate.Approver) (context.Context, *Opened, error) {
	if err := c.faults(); err != nil {
		return nil, nil, err
	}
	workspace := cmp.Or(c.Workspace, k.Workspace)
	g, err := c.gate(workspace, k, approver)
	if err != nil {
		return nil, nil, err
	}
	if ctx, err = c.context(ctx, workspace); err != nil {
		return nil, nil, err
	}
	return ctx, &Opened{g, c.request(workspace), workspace}, nil
}

// staticGrants are the grants of a case.
type staticGrants []gate.Grant

func (s staticGrants) Grants() ([]gate.Grant, error) { return s, nil }

func (s staticGrants) Grant(...gate.Grant) error { return errors.New("a dry run keeps nothing") }

// nobody is who would be asked in a dry run: there only to be there, or not
// at all.
func (c *Case) nobody() gate.Approver {
	if c.Interactive == nil || *c.Interactive {
		return gate.ApproverFunc(nil)
	}
	return nil
}

// context is ctx with how the case's turn runs.
func (c *Case) context(ctx context.Context, workspace string) (context.Context, error) {
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
func (c *Case) gate(workspace string, k *Checker, approver gate.Approver) (*gate.Gate, error) {
	opts := gate.Options{Workspace: workspace, Home: c.Home, GateHome: k.GateHome, Mode: k.Mode, Sandboxed: c.Sandbox, Approver: approver}
	if c.Home != "" {
		opts.GateHome = filepath.Join(c.Home, ".blitz")
	}
	if c.Settings == nil {
		opts.Policy = k.Policy
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
		if err := g.Grant(s.GrantTarget); err != nil {
			return nil, err
		}
	}
	return g, nil
}
