package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/replay"
	"github.com/blitz-approve/blitz-approve/gate"
)

// logOf is a log that a real gate wrote: of commands that it was asked about,
// in a mode in which nobody answers.
func logOf(t *testing.T, workspace string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := gate.OpenAuditLog(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(gate.Options{Workspace: workspace, Mode: gate.Default, Audit: log, Approver: gate.ApproverFunc(nil)})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		g.Decide(t.Context(), gate.CommandRequest(workspace, "bash", line))
	}
	return path
}

// BEY-09: what comes out otherwise is counted by what it is; the settings of a
// workspace are asked for once, and what can't be decided again is said.
func TestReplay(t *testing.T) {
	workspace := t.TempDir()
	path := logOf(t, workspace, "make", "make", "npm test", "ls")
	asked := 0
	p := &replay.Replay{Home: t.TempDir(), Settings: func(string) (gate.Policy, gate.Mode, error) {
		asked++
		var policy gate.Policy
		err := policy.AddRule(gate.Deny, "shell(make)", gate.Source{Layer: "global", File: "s.toml", Line: 3})
		return policy, gate.Bypass, err
	}}
	r, err := p.Run(t.Context(), path)
	if err != nil || r.Requests != 4 || r.Changed != 2 || len(r.Changes) != 1 || asked != 1 {
		t.Fatalf("%+v, %v, asked %d times", r, err, asked)
	}
	if c := r.Changes[0]; c.Count != 2 || c.Was != "ask" || c.Now != "deny" || c.Rule != "deny shell(make)" || c.Source != "s.toml:3" {
		t.Errorf("%+v", c)
	}

	p.OwnMode = true // the mode of today lets the rest pass: the looser comes first
	if r, err = p.Run(t.Context(), path); err != nil || r.Changed != 3 || r.Changes[0].Now != "allow" {
		t.Errorf("%+v, %v", r, err)
	}

	// The settings of one file stand for those of the workspace.
	p.OwnMode, p.Policy, asked = false, &gate.Policy{}, 0
	if r, err = p.Run(t.Context(), path); err != nil || r.Changed != 0 || asked != 0 {
		t.Errorf("%+v, %v, asked %d times", r, err, asked)
	}

	p.Policy, p.Only = nil, "/elsewhere"
	if r, err = p.Run(t.Context(), path); err != nil || r.Requests != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	p.Only = ""
	p.Settings = func(string) (gate.Policy, gate.Mode, error) { return gate.Policy{}, 0, errors.New("no folder") }
	if r, err = p.Run(t.Context(), path); err != nil || r.Left["no folder"] != 4 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err = p.Run(t.Context(), path); err != nil || r.Left["the line is no record"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
