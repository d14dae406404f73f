package main

import (
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
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
