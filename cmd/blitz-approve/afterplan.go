package main

import (
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// afterPlan is the mode that an approved plan asks for (APR-41). One that lets
// edits pass anyway stays, and so does one that was not for planning when the
// plan asks for none.
func afterPlan(before gate.Mode, r prompts.PlanResult) (gate.Mode, error) {
	mode, err := gate.ParseMode(r.Mode)
	if err == nil && (before != gate.Plan && mode == gate.Default || before.Dangerous() || before == gate.WriteMode) {
		return before, nil
	}
	return mode, err
}

// endPlanning puts the session into the mode that an approved plan asks for, and
// returns what the person has to hear of it.
func (s *session) endPlanning(r prompts.PlanResult) []tui.Notice {
	before := s.gate.Mode()
	mode, err := afterPlan(before, r)
	if err == nil && mode == before {
		return nil
	}
	var shareErr error
	if err == nil {
		shareErr, err = s.setMode(mode)
	}
	if err != nil {
		return []tui.Notice{{Severity: tui.Warning, Text: err.Error()}}
	}
	notices := []tui.Notice{{Text: fmt.Sprintf("Mode: %s → %s.", before, mode)}}
	if shareErr != nil {
		notices = append(notices, onlyHere(shareErr))
	}
	return notices
}
