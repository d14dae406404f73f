package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// replayLimit is how many records a replay takes, the newest ones.
const replayLimit = 100_000

// replayLog decides what the log holds once more (BEY-09).
func replayLog(cmd *cobra.Command, f *flags, from, file string) error {
	home, err := settings.DefaultHome()
	if err != nil {
		return err
	}
	p := &replay{flags: f, problems: cmd.ErrOrStderr(), home: home, gates: map[gateFor]*gate.Gate{}, machines: map[string]loaded{}, changes: map[changed]*replayChange{}}
	if p.policy, err = replayPolicy(cmd, file); err != nil {
		return err
	}
	path := (&machine{home: home}).auditPath()
	if info, err := os.Stat(from); err == nil && !info.IsDir() {
		path = from
	} else if p.report.Since, err = parseSince(from, time.Now()); err != nil {
		return fmt.Errorf("--replay %w, or the path of a log", err)
	}
	if f.workspace != "" {
		m, err := f.loadFrom(home, f.workspace)
		if err != nil {
			return err
		}
		p.only = m.workspace
	}
	if err := p.run(cmd.Context(), path); err != nil {
		return err
	}
	return p.print(cmd)
}

// replayPolicy is that of the file of --settings; nil without one.
func replayPolicy(cmd *cobra.Command, file string) (*gate.Policy, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, problems := settings.Parse(file, data, settings.Global)
	policy, more := policy.Of(&parsed.Values)
	for _, problem := range append(problems, more...) {
		fmt.Fprintf(cmd.ErrOrStderr(), "blitz-approve: %s: %s\n", problem.Severity, printable(problem.Error()))
	}
	return &policy, nil
}

// A replay is the log on its way through the rules of today.
type replay struct {
	flags    *flags
	problems io.Writer // takes what is wrong in settings
	home     string
	only     string       // the one workspace that counts, or empty
	policy   *gate.Policy // that of --settings, or nil
	gates    map[gateFor]*gate.Gate
	machines map[string]loaded // the settings of each workspace
	changes  map[changed]*replayChange
	report   replayReport
}

type gateFor struct {
	workspace string
	mode      gate.Mode
}

type loaded struct {
	machine *machine
	err     error
}

// changed tells changes apart that are listed apart.
type changed struct{ was, now, workspace, tool, targets, rule string }

// A replayReport is what `check --replay --json` prints.
type replayReport struct {
	Since    time.Time `json:"since,omitzero"`
	Requests int       `json:"requests"` // that were decided once more
	Changed  int       `json:"changed"`
	// Left counts the records that were not decided once more, by the reason.
	Left map[string]int `json:"left_out,omitempty"`
	// Limited says that older records were left out.
	Limited bool            `json:"limited,omitempty"`
	Changes []*replayChange `json:"changes"`
}

// A replayChange is one request that comes out otherwise, as often as it came.
type replayChange struct {
	Was       string    `json:"was"`
	WasCause  string    `json:"was_cause"`
	Now       string    `json:"now"`
	Cause     string    `json:"cause"`
	Count     int       `json:"count"`
	Last      time.Time `json:"last"`
	Tool      string    `json:"tool"`
	Kind      gate.Kind `json:"kind,omitempty"`
	Targets   []string  `json:"targets,omitempty"`
	Workspace string    `json:"workspace"`
	Mode      string    `json:"mode"`
	Rule      string    `json:"rule,omitempty"`
	Source    string    `json:"source,omitempty"`
	Reason    string    `json:"reason"`
}

func (p *replay) run(ctx context.Context, path string) error {
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
		if r.Time.Before(p.report.Since) {
			return nil
		}
		if read++; read > replayLimit {
			p.report.Limited = true
			return nil
		}
		if p.only == "" || r.Workspace == p.only {
			p.again(ctx, &r)
		}
	}
	return nil
}

// again decides one record once more.
func (p *replay) again(ctx context.Context, r *gate.Record) {
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
func (p *replay) gate(r *gate.Record) (*gate.Gate, error) {
	var policy gate.Policy
	mode, err := gate.ParseMode(r.Mode)
	if err != nil {
		return nil, err
	}
	if p.policy != nil {
		policy = *p.policy
	}
	if own := p.flags.mode != "" || p.flags.yolo || p.flags.autoApprove; p.policy == nil || own {
		m, err := p.machine(r.Workspace)
		if err != nil {
			return nil, err
		}
		if p.policy == nil {
			policy = m.policy
		}
		if own {
			mode = m.mode
		}
	}
	at := gateFor{r.Workspace, mode}
	if g := p.gates[at]; g != nil {
		return g, nil
	}
	g, err := gate.New(gate.Options{
		Workspace: r.Workspace, GateHome: p.home, Policy: policy, Mode: mode, Sandboxed: true, Approver: gate.ApproverFunc(nil),
	})
	p.gates[at] = g
	return g, err
}

func (p *replay) machine(workspace string) (*machine, error) {
	l, known := p.machines[workspace]
	if !known {
		if l.machine, l.err = p.flags.loadFrom(p.home, workspace); l.err == nil {
			l.machine.report(p.problems)
		}
		p.machines[workspace] = l
	}
	return l.machine, l.err
}

func (p *replay) leave(why string) {
	if p.report.Left == nil {
		p.report.Left = map[string]int{}
	}
	p.report.Left[why]++
}

func (p *replay) change(r *gate.Record, v *gate.Verdict, was, now string) {
	rule, source := "", ""
	if v.Rule != nil {
		rule, source = v.Rule.Effect.String()+" "+v.Rule.Text, v.Rule.Source.String()
	}
	name := changed{was, now, r.Workspace, r.Tool, strings.Join(r.Targets, "\x00"), rule}
	c := p.changes[name]
	if c == nil {
		c = &replayChange{
			Was: was, WasCause: r.Cause, Now: now, Cause: v.Cause, Last: r.Time, Tool: r.Tool, Kind: r.Kind, Targets: r.Targets,
			Workspace: r.Workspace, Mode: v.Mode.String(), Rule: rule, Source: source, Reason: v.Reason,
		}
		p.changes[name] = c
	}
	c.Count++
	p.report.Changed++
}

// print writes what changes, the looser first, and ends with exit code 1 when
// something does.
func (p *replay) print(cmd *cobra.Command) error {
	looser := func(c *replayChange) int {
		return strings.Index("deny ask allow", c.Was) - strings.Index("deny ask allow", c.Now)
	}
	p.report.Changes = slices.SortedFunc(maps.Values(p.changes), func(a, b *replayChange) int {
		return cmp.Or(looser(a)-looser(b), b.Count-a.Count, b.Last.Compare(a.Last), strings.Compare(strings.Join(a.Targets, " "), strings.Join(b.Targets, " ")))
	})
	w := cmd.OutOrStdout()
	if p.flags.json {
		if err := output.Object(w, p.report); err != nil {
			return err
		}
	} else {
		for _, c := range p.report.Changes {
			fmt.Fprintf(w, "%-5s → %-5s  %3d×  %s\n", c.Was, c.Now, c.Count, printable(strings.TrimSpace(c.Tool+"  "+strings.Join(c.Targets, " "))))
			by := c.Reason
			if c.Rule != "" {
				by += " · " + c.Rule + " (" + c.Source + ")"
			}
			fmt.Fprintf(w, "    was %s, would be %s: %s\n", printable(c.WasCause), printable(c.Cause), printable(by))
		}
		fmt.Fprintf(w, "%d of %s would be decided otherwise\n", p.report.Changed, counted(p.report.Requests, "request", "requests"))
		for _, why := range slices.Sorted(maps.Keys(p.report.Left)) {
			fmt.Fprintf(w, "%s not decided once more: %s\n", counted(p.report.Left[why], "record was", "records were"), printable(why))
		}
		if p.report.Limited {
			fmt.Fprintf(w, "only the newest %d records were taken\n", replayLimit)
		}
	}
	if p.report.Changed > 0 {
		return &codedError{exitRefused, errors.New("the rules of today decide otherwise than the log")}
	}
	return nil
}
