package main

import (
	"fmt"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A tally records decisions and counts them for the end of a session.
type tally struct {
	next *gate.AuditLog

	mu      sync.Mutex
	records []gate.Record
}

// Record writes to the log first: what can't be written counts as the refusal
// that the gate makes of it.
func (t *tally) Record(r gate.Record) error {
	err := t.next.Record(r)
	if err != nil {
		r.Verdict, r.Cause = gate.Deny.String(), gate.CauseAuditFailed
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records = append(t.records, r)
	return err
}

func (t *tally) all() []gate.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]gate.Record(nil), t.records...)
}

// summary says what was done, what was refused, and where it is recorded.
func (s *session) summary(words *tui.Catalogue) []string {
	var lines []string
	allowed, refused := 0, 0
	for _, r := range s.tally.all() {
		mark := "✓"
		if r.Verdict != gate.Allow.String() {
			mark = "✗"
			refused++
		} else {
			allowed++
		}
		lines = append(lines, fmt.Sprintf("%s %s  (%s)", mark, recorded(r), recordedBy(r, words)))
	}
	head := words.Say("%s allowed, %s refused", fmt.Sprint(allowed), fmt.Sprint(refused))
	lines = append([]string{head, ""}, lines...)
	log := shortPath(s.machine.auditPath())
	lines = append(lines, "", words.Say("Audit log  %s", log))
	if s.demo {
		lines = append(lines, words.Say("Workspace  %s", shortPath(s.machine.workspace)), "",
			words.Say("To look at the log:"), "blitz-approve audit --file "+log)
	}
	return lines
}

func recorded(r gate.Record) string {
	what := strings.Join(r.Targets, " ")
	if what == "" {
		return r.Tool
	}
	return kindName(r.Tool) + "  " + what
}

func recordedBy(r gate.Record, words *tui.Catalogue) string {
	cause := r.Cause
	if plain := strings.ReplaceAll(cause, "-", " "); words.Known(plain) != plain {
		cause = words.Known(plain)
	}
	if r.Rule != "" {
		return cause + ": " + r.Rule
	}
	return cause
}
