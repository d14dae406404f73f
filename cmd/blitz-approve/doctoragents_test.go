package main

import (
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
)

// BEY-01: doctor tells of every agent that has a hook.
func TestDoctorFindsAgentsWithHooks(t *testing.T) {
	found := findAgents(t.TempDir())
	for _, name := range agenthook.Names() {
		if !slices.ContainsFunc(found, func(a foundAgent) bool { return a.Name == name }) {
			t.Errorf("%s is missing", name)
		}
	}
}
