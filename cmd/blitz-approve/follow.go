package main

import (
	"context"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// follow keeps the gate to its files, whoever changes them, until ctx ends:
// rules and approvals hold from the next decision on, and settle what waits
// (APR-15a); so does the mode of the workspace (APR-14). Hooks and the reviewer
// are those of the start.
func (s *session) follow(ctx context.Context, tell func(tui.Event)) {
	m := s.machine
	approvals, forgotten := m.approvalsPath(), s.grants.ForgottenPath()
	// What is told of these in other words, or not at all.
	quiet := append(s.modes.watched(), s.grants.Path(), forgotten)
	changed := func(c settings.Change) {
		if s.modes != nil { // also at the start, since it was joined before
			s.followMode(tell)
		}
		if slices.Contains(c.Files, forgotten) {
			tell(tui.Notice{Text: "All grants were forgotten, those of this session too."})
		}
		bad := s.holdTo(c.Settings) // which also looks at grants anew
		changed := slices.DeleteFunc(c.Files, func(name string) bool { return slices.Contains(quiet, name) })
		if len(changed) == 0 {
			return // or how things were at the start, which is shown already
		}
		if slices.Contains(changed, approvals) {
			if err := s.approvals.Reload(); err != nil {
				tell(tui.Notice{Severity: tui.Failure, Text: err.Error() + " (what was approved before still holds)"})
			}
			s.gate.Refresh()
		}
		tell(tui.Notice{Text: "Settings changed: " + strings.Join(shortPaths(changed), ", ")})
		for _, n := range m.noticesOf(append(c.Problems, bad...), c.Untrusted) {
			tell(n)
		}
	}
	w, err := settings.NewWatcher(m.sources, append(quiet, approvals, m.trust.Path()), changed)
	if err != nil {
		tell(tui.Notice{Severity: tui.Warning, Text: "Changes of the settings are not followed: " + err.Error()})
		return
	}
	s.files = w
	go w.Run(ctx)
}

// holdTo has the gate hold to settings, and returns what is wrong with them.
func (s *session) holdTo(now *settings.Settings) []settings.Problem {
	p, bad := policy.Of(&now.Values)
	s.waits.Set(now.Untrusted)
	s.gate.SetPolicy(p)
	return bad
}

// applyFiles has the gate hold to the files as they are now, without waiting
// for the clock that follows them.
func (s *session) applyFiles() {
	if s.files != nil {
		s.files.Look()
		return
	}
	now, _ := settings.Load(s.machine.sources)
	s.holdTo(now)
}

func shortPaths(paths []string) []string {
	short := make([]string, len(paths))
	for i, p := range paths {
		short[i] = shortPath(p)
	}
	return short
}
