package main

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TAM-15: an agent that could start this program from within another one would
// choose its own rules, or answer its own prompts: each command does that unless
// it is known not to, also one that is added later.
func TestNoCommandIsStartedUnseen(t *testing.T) {
	harmless := []string{"demo", "check", "show", "diff", "audit", "why", "doctor", "help", "completion"}
	var p gate.Policy
	if err := p.AddRule(gate.Allow, "shell(python3 *)", gate.Source{}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	g, err := gate.New(gate.Options{Workspace: dir, Home: dir, Mode: gate.Default, Policy: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range rootCommand(io.Discard).Commands() {
		if slices.Contains(harmless, c.Name()) {
			continue
		}
		line := fmt.Sprintf(`python3 -c "import subprocess; subprocess.run(['blitz-approve', '%s', 'x'])"`, c.Name())
		if v := g.Check(t.Context(), gate.CommandRequest(dir, "bash", line)); v.Effect == gate.Allow {
			t.Errorf("%s passes: %s", line, v.Reason)
		}
	}
}
