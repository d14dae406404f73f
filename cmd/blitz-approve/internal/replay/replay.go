package replay

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Limit is how many records a replay takes, the newest ones.
const Limit = 100_000

// A Replay says by what a log is decided once more. What a person, a hook or a
// reviewer answered counts as an ask.
type Replay struct {
	Home  string    // the gate's own folder
	Since time.Time // older records are left out
	Only  string    // the one workspace that counts, or empty
	// Policy stands for all settings; nil leaves each workspace its own.
	Policy *gate.Policy
	// OwnMode has the mode that Settings return hold, and not that of then.
	OwnMode bool
	// Settings are the policy and the mode of a workspace as they are now. Run
	// asks for each workspace once.
	Settings func(workspace string) (gate.Policy, gate.Mode, error)
}

// Run decides the log of a path once more. A missing log is an empty one.
func (p *Replay) Run(ctx context.Context, path string) (*Report, error) {
	r := &run{Replay: p, gates: map[gateFor]*gate.Gate{}, loaded: map[string]loaded{}, changes: map[changed]*Change{}}
	r.report.Since = p.Since
	if err := r.read(ctx, path); err != nil {
		return nil, err
	}
	r.report.Changes = r.sorted()
	return &r.report, nil
}

// A run is the log on its way through the rules of today.
type run struct {
	*Replay
	gates   map[gateFor]*gate.Gate
	loaded  map[string]loaded // the settings of each workspace
	changes map[changed]*Change
	report  Report
}

type gateFor struct {
	workspace string
	mode      gate.Mode
}

type loaded struct {
	policy gate.Policy
	mode   gate.Mode
	err    error
}

// changed tells changes apart that are listed apart.
type changed struct{ was, now, workspace, tool, targets, rule string }

func (p *run) read(ctx context.Context, path string) error {
	read := 0
	for r, err := range gate.Records(path) {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, gate.ErrDamagedRecord):
			p.leave("the line is no record")
			continue
		case err != nil:
			return err
		}
		if r.Time.Before(p.Since) {
			return nil
		}
		if read++; read > Limit {
			p.report.Limited = true
			return nil
		}
		if p.Only == "" || r.Workspace == p.Only {
			p.again(ctx, &r)
		}
	}
	return nil
}

// again decides one record once more.
func (p *run) again(ctx context.Context, r *gate.Record) {
	req, err := r.Rebuild()
	if err != nil {
		p.leave(strings.TrimPrefix(err.Error(), gate.ErrUnplayable.Error()+": "))
		return
	}
	g, err := p.gate(r)
	if err != nil {
		p.leave(err.Error())
		return
	}
	v := g.Check(r.In(ctx), req)
	p.report.Requests++
	if was, now := r.Ruled(), v.Ruled(); was != now {
		p.change(r, &v, was.String(), now.String())
	}
}

// gate is one by today's settings for the record's workspace and mode.
func (p *run) gate(r *gate.Record) (*gate.Gate, error) {
	var policy gate.Policy
	mode, err := gate.ParseMode(r.Mode)
	if err != nil {
		return nil, err
	}
	if p.Policy != nil {
		policy = *p.Policy
	}
	if p.Policy == nil || p.OwnMode {
		now := p.settings(r.Workspace)
		if now.err != nil {
			return nil, now.err
		}
		if p.Policy == nil {
			policy = now.policy
		}
		if p.OwnMode {
			mode = now.mode
		}
	}
	at := gateFor{r.Workspace, mode}
	if g := p.gates[at]; g != nil {
		return g, nil
	}
	g, err := gate.New(gate.Options{
		Workspace: r.Workspace, GateHome: p.Home, Policy: policy, Mode: mode, Sandboxed: true, Approver: gate.ApproverFunc(nil),
	})
	p.gates[at] = g
	return g, err
}

func (p *run) settings(workspace string) loaded {
	l, known := p.loaded[workspace]
	if !known {
		l.policy, l.mode, l.err = p.Settings(workspace)
		p.loaded[workspace] = l
	}
	return l
}

func (p *run) leave(why string) {
	if p.report.Left == nil {
		p.report.Left = map[string]int{}
	}
	p.report.Left[why]++
}

func (p *run) change(r *gate.Record, v *gate.Verdict, was, now string) {
	rule, source := "", ""
	if v.Rule != nil {
		rule, source = v.Rule.Effect.String()+" "+v.Rule.Text, v.Rule.Source.String()
	}
	name := changed{was, now, r.Workspace, r.Tool, strings.Join(r.Targets, "\x00"), rule}
	c := p.changes[name]
	if c == nil {
		c = &Change{
			Was: was, WasCause: r.Cause, Now: now, Cause: v.Cause, Last: r.Time, Tool: r.Tool, Kind: r.Kind, Targets: r.Targets,
			Workspace: r.Workspace, Mode: v.Mode.String(), Rule: rule, Source: source, Reason: v.Reason,
		}
		p.changes[name] = c
	}
	c.Count++
	p.report.Changed++
}

// sorted are the changes, the looser first.
func (p *run) sorted() []*Change {
	looser := func(c *Change) int {
		return strings.Index("deny ask allow", c.Was) - strings.Index("deny ask allow", c.Now)
	}
	return slices.SortedFunc(maps.Values(p.changes), func(a, b *Change) int {
		return cmp.Or(looser(a)-looser(b), b.Count-a.Count, b.Last.Compare(a.Last), strings.Compare(strings.Join(a.Targets, " "), strings.Join(b.Targets, " ")))
	})
}
