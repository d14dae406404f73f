package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// APR-41: the mode that an approved plan asks for, and what the person hears.
func TestEndPlanning_APR41(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	member, _, err := gate.NewModeFile(filepath.Join(file, "mode")).Join(gate.SharedMode{}, gate.Follow, false)
	if err == nil {
		t.Fatal("a mode is shared below a file")
	}
	unshared := &sharedMode{member: member}
	for _, tt := range []struct {
		before gate.Mode
		asks   string
		modes  *sharedMode
		after  gate.Mode
		told   string
	}{
		{gate.Plan, "accept-edits", nil, gate.AcceptEdits, "Mode: plan → accept-edits."},
		{gate.Plan, "default", nil, gate.Default, "Mode: plan → default."},
		{gate.Auto, "default", nil, gate.Auto, ""},
		{gate.WriteMode, "accept-edits", nil, gate.WriteMode, ""},
		{gate.Plan, "accept-edits", unshared, gate.AcceptEdits, "Mode: plan → accept-edits.|The mode is changed in this session only: "},
		{gate.Plan, "bypass", nil, gate.Plan, gate.ErrBypassNeedsSandbox.Error()},
		{gate.Plan, "another", nil, gate.Plan, "unknown mode"},
	} {
		g, err := gate.New(gate.Options{Workspace: t.TempDir(), Mode: tt.before})
		if err != nil {
			t.Fatal(err)
		}
		s := &session{gate: g, modes: tt.modes}
		var told []string
		for _, n := range s.endPlanning(prompts.PlanResult{Approved: true, Mode: tt.asks}) {
			told = append(told, n.Text)
		}
		if got := strings.Join(told, "|"); g.Mode() != tt.after || !strings.Contains(got, tt.told) || got != "" && tt.told == "" {
			t.Errorf("%s after %s: %s, and the person hears %q", tt.asks, tt.before, g.Mode(), got)
		}
	}
}
