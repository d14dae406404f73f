package rulebook

import (
	"slices"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/tui"
)

func (b *Book) readHistory() (*gate.History, error) {
	h, err := gate.ReadHistory(b.AuditPath, time.Time{})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.history = h
	return h, nil
}

// calls are the past calls in this workspace that a rule covers (BEY-08).
func (b *Book) calls(effect gate.Effect, text string) (m tui.PastMatches) {
	rule, err := gate.ParseRule(effect, text, gate.Source{})
	if err != nil {
		return tui.PastMatches{Err: err}
	}
	b.mu.Lock()
	h := b.history
	b.mu.Unlock()
	if h == nil {
		if h, err = b.readHistory(); err != nil {
			return tui.PastMatches{Err: err}
		}
	}
	for p := range h.Matching(rule) {
		if p.Request.Origin.Workspace != b.Workspace {
			continue
		}
		count(&m, p)
	}
	m.Samples = m.Samples[:min(len(m.Samples), maxSamples)]
	return m
}

// maxSamples is how many past calls of a rule are named.
const maxSamples = 8

func count(m *tui.PastMatches, p *gate.Past) {
	refused := p.Refused + p.Denied
	m.Calls += p.Calls
	m.Refused += refused
	if len(p.Request.Targets) > 0 {
		m.Samples = append(m.Samples, tui.PastCall{Target: p.Request.Targets[0], Refused: refused > 0})
	}
}

// Past counts the calls in this workspace that a rule would have let pass
// (BEY-08).
func (b *Book) Past(rule string) (m tui.PastMatches) {
	trial, err := b.Gate.Try(rule)
	if err != nil {
		return tui.PastMatches{Err: err}
	}
	history, err := gate.ReadHistory(b.AuditPath, time.Time{})
	if err != nil {
		return tui.PastMatches{Err: err}
	}
	for i := range history.Past {
		p := &history.Past[i]
		if p.Request.Origin.Workspace != b.Workspace || len(p.Request.Targets) == 0 || !trial.Passes(p.Request) {
			continue
		}
		count(&m, p)
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
