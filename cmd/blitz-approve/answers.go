package main

import (
	"context"
	"slices"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// saveRule saves a rule that a person chose on the screen, and has the gate
// read it back as the file's (APR-15).
func (s *session) saveRule(place gate.RulePlace, rule string) error {
	layer := settings.Workspace
	if place == gate.GlobalRules {
		layer = settings.Global
	}
	path, err := s.machine.sources.Path(layer)
	if err != nil {
		return err
	}
	if err := settings.AddRule(path.Name, gate.Allow, rule); err != nil {
		return err
	}
	s.applyFiles()
	return nil
}

// applyFiles has the gate hold to the files as they are now, without waiting
// for whoever follows them.
func (s *session) applyFiles() {
	now, _ := settings.Load(s.machine.sources)
	policy, _ := policy.Of(&now.Values)
	s.waits.Set(now.Untrusted)
	s.gate.SetPolicy(policy)
}

// maxSamples is how many past calls of a rule are named.
const maxSamples = 8

// past counts the calls in this workspace that a rule would have let pass
// (BEY-08).
func (s *session) past(rule string) (m tui.PastMatches) {
	trial, err := s.gate.Try(rule)
	if err != nil {
		return tui.PastMatches{Err: err}
	}
	history, err := gate.ReadHistory(s.machine.auditPath(), time.Time{})
	if err != nil {
		return tui.PastMatches{Err: err}
	}
	for i := range history.Past {
		p := &history.Past[i]
		if p.Request.Origin.Workspace != s.machine.workspace || len(p.Request.Targets) == 0 || !trial.Passes(p.Request) {
			continue
		}
		refused := p.Refused + p.Denied
		m.Calls += p.Calls
		m.Refused += refused
		m.Samples = append(m.Samples, tui.PastCall{Target: p.Request.Targets[0], Refused: refused > 0})
	}
	// What was refused is worth seeing first.
	slices.SortStableFunc(m.Samples, func(a, b tui.PastCall) int {
		switch {
		case a.Refused == b.Refused:
			return 0
		case a.Refused:
			return -1
		}
		return 1
	})
	m.Samples = m.Samples[:min(len(m.Samples), maxSamples)]
	return m
}

// showApproved keeps the screen's list of what is approved for a while true,
// and its screen of rules, until ctx ends.
func (sc *screen) showApproved(ctx context.Context) {
	shown := 0
	for {
		changed := sc.gate.Changed()
		if list := sc.gate.Approved(); len(list) > 0 || shown > 0 {
			sc.console.Show(tui.TimedApprovals{List: list})
			shown = len(list)
		}
		sc.console.Show(tui.RulesChanged{Waiting: sc.waits.Offer().Count()})
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}
