package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrUnplayable is wrapped by the errors of [Record.Rebuild].
var ErrUnplayable = errors.New("the request can't be built again from the log")

// A Replay is the part of a [Record] that rules look at and that its readers
// seldom need. It holds what the agent and its tool said, before the gate
// completed it, and no contents of files.
type Replay struct {
	Server       string         `json:"server,omitempty"`
	Dir          string         `json:"dir,omitempty"`
	Tier         string         `json:"tier,omitempty"`
	Policy       ToolPolicy     `json:"policy,omitempty"`
	Override     bool           `json:"override,omitempty"`
	PolicyKey    string         `json:"policy_key,omitempty"`
	Changes      []ReplayChange `json:"changes,omitempty"`
	Grants       []ReplayGrant  `json:"grants,omitempty"`
	SafetyChecks int            `json:"safety_checks,omitempty"`
	Unrevealed   bool           `json:"unrevealed,omitempty"`
	Gated        bool           `json:"gated,omitempty"`
	OwnRules     bool           `json:"own_rules,omitempty"`
	Run          string         `json:"run,omitempty"` // see [run.name]
}

// A ReplayChange is a change that says more than the targets do.
type ReplayChange struct {
	Path string `json:"path"`
	From string `json:"from,omitempty"`
	Gone bool   `json:"gone,omitempty"` // the change deletes it
}

// A ReplayGrant is a [GrantTarget] in words.
type ReplayGrant struct {
	Kind GrantKind `json:"kind"`
	Path string    `json:"path"`
	Tier string    `json:"tier"`
}

func (r *Record) replay(req *Request, how run) *Replay {
	const field = "replay"
	d := &req.Declared
	p := &Replay{
		Server: r.redacted(field, req.Server), Dir: r.redacted(field, req.Dir), Tier: d.Tier.String(), Policy: d.Policy, Override: d.Override,
		PolicyKey: r.redacted(field, d.PolicyKey), SafetyChecks: len(req.SafetyChecks), Unrevealed: req.Unrevealed, Gated: req.Gated, OwnRules: req.OwnRules, Run: how.name(),
	}
	for _, c := range req.Diff {
		if gone := c.After == nil && c.Before != nil; gone || c.From != "" {
			p.Changes = append(p.Changes, ReplayChange{Path: r.redacted(field, c.Path), From: r.redacted(field, c.From), Gone: gone})
		}
	}
	for _, g := range req.GrantTargets {
		p.Grants = append(p.Grants, ReplayGrant{Kind: g.Kind, Path: r.redacted(field, g.Path), Tier: g.Tier.String()})
	}
	return p
}

// name is what a run is in the log; empty is one that a person watches.
func (r run) name() string {
	var words []string
	for _, w := range []struct {
		yes  bool
		word string
	}{{r.permits != nil, "unattended"}, {r.headless, "headless"}, {r.planning, "planning"}} {
		if w.yes {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " ")
}

// Rebuild is the request of a record as far as rules look at it: without
// contents, and without what the agent said of it. Lines of older versions
// don't hold the directory, and are taken as run in the workspace. The error
// wraps [ErrUnplayable] and says what is missing.
func (r *Record) Rebuild() (Request, error) {
	p := r.Replay
	if p == nil {
		p = r.oldReplay()
	}
	switch {
	case r.Step == StepValid:
		return Request{}, fmt.Errorf("%w: it was malformed, or came too late", ErrUnplayable)
	case strings.Contains(p.Run, "unattended"):
		return Request{}, fmt.Errorf("%w: an unattended run asked, and what that was permitted isn't in the log", ErrUnplayable)
	case r.Redacted > 0 && p.redacted(r):
		return Request{}, fmt.Errorf("%w: a credential was left out of it", ErrUnplayable)
	}
	// One pending check forces the ask as well as many do.
	req := Request{
		ID: r.ID, Tool: r.Tool, Kind: r.Kind, Server: p.Server, Dir: p.Dir, Targets: r.Targets, Unrevealed: p.Unrevealed,
		Gated: p.Gated || r.gatedBefore(), OwnRules: p.OwnRules,
		SafetyChecks: make([]SafetyCheck, min(max(p.SafetyChecks, 0), 1)),
		Origin:       Origin{Agent: r.Agent, Session: r.Session, Protocol: r.Protocol, Workspace: r.Workspace},
		Declared:     Declaration{Policy: p.Policy, Override: p.Override, PolicyKey: p.PolicyKey},
	}
	req.Declared.Tier, _ = ParseTier(p.Tier)
	for _, c := range p.Changes {
		change := Change{Path: c.Path, From: c.From, After: []byte{}}
		if c.Gone {
			change.Before, change.After = []byte{}, nil
		}
		req.Diff = append(req.Diff, change)
	}
	for _, g := range p.Grants {
		tier, _ := ParseTier(g.Tier)
		req.GrantTargets = append(req.GrantTargets, GrantTarget{Kind: g.Kind, Path: g.Path, Tier: tier})
		if g.Kind == GrantURL && r.Kind == Network {
			req.Detail = g.Path
		}
	}
	req.Key, req.KeyLabel = req.usualKey()
	return req, nil
}

// In marks ctx as the run that the record is of, such as [Headless].
func (r *Record) In(ctx context.Context) context.Context {
	if r.Replay == nil {
		return ctx
	}
	if strings.Contains(r.Replay.Run, "headless") {
		ctx = Headless(ctx)
	}
	if strings.Contains(r.Replay.Run, "planning") {
		ctx = Planning(ctx)
	}
	return ctx
}

// Ruled is what rules, settings and the mode made of the request, whoever
// answered it then: see [Verdict.Ruled].
func (r *Record) Ruled() Effect {
	effect := Deny
	if r.Verdict == Allow.String() {
		effect = Allow
	}
	return ruled(r.Step, r.Cause, effect)
}

// Ruled is the verdict without what people, hooks, a reviewer or their absence
// add to it. What they were left to answer, or a person answered once for
// more than one request, is an ask.
func (v Verdict) Ruled() Effect { return ruled(v.Step, v.Cause, v.Effect) }

func ruled(step StepName, cause string, effect Effect) Effect {
	// A setting stands among what people approved before.
	if stepOf(step).beyond && cause != CauseAutoPolicy {
		return Ask
	}
	return effect
}

// gatedBefore finds a [Request] that was Gated in lines which don't say so yet:
// what a mode of kinds let pass by itself, although it is no read.
func (r *Record) gatedBefore() bool {
	mode, err := ParseMode(r.Mode)
	return err == nil && !mode.byTier() && r.Kind == NoKind && r.Step == StepMode && r.Verdict == Allow.String() && r.Tier != Read.String()
}

// oldReplay is what a line without one leaves to say.
func (r *Record) oldReplay() *Replay {
	p := &Replay{Tier: r.Tier}
	if r.Kind == MCPTool && len(r.Targets) > 0 {
		p.Server = strings.TrimSuffix(r.Targets[0], ":"+r.Tool)
	}
	return p
}

// redacted reports whether something that rules look at was left out.
func (p *Replay) redacted(r *Record) bool {
	texts := append([]string{r.Tool, p.Server, p.Dir, p.PolicyKey}, r.Targets...)
	for _, c := range p.Changes {
		texts = append(texts, c.Path, c.From)
	}
	for _, g := range p.Grants {
		texts = append(texts, g.Path)
	}
	for _, t := range texts {
		if strings.Contains(t, redactedMark) {
			return true
		}
	}
	return false
}

// usualKey is the key that the constructors give to a request like this.
func (r *Request) usualKey() (key, label string) {
	switch {
	case r.Kind == WriteFile:
		return WriteKey(r.Origin.Workspace)
	case r.Kind == DeleteFile:
		return DeleteKey(r.Origin.Workspace)
	case r.Kind == MCPTool:
		return MCPKey(r.Server, r.Tool)
	case len(r.Targets) != 1:
		return "", ""
	case r.Kind == RunCommand:
		return CommandKey(r.Origin.Workspace, r.Targets[0])
	case r.Kind == Network:
		return WebKey(HostOf(r.Targets[0]))
	}
	return "", ""
}
