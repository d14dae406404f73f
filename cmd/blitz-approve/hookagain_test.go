package main

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A yes counts for the same call again for a while only, also where the clock was
// set back since: then it lies in the future (BEY-02).
func TestAYesIsNotOldNorOfTheFuture(t *testing.T) {
	ws := t.TempDir()
	r := gate.CommandRequest(ws, "Bash", "make")
	r.Origin = gate.Origin{Agent: "Codex", Session: "s", Protocol: "hook", Workspace: ws}
	for age, want := range map[time.Duration]bool{time.Minute: true, 2 * againTime: false, -2 * againTime: false} {
		m := &machine{home: t.TempDir(), workspace: ws}
		line, err := json.Marshal(gate.Record{
			Time: time.Now().Add(-age), Verdict: "allow", Cause: gate.CauseUserOnce, Tool: "Bash", Kind: gate.RunCommand, Targets: []string{"make"},
			Agent: "Codex", Session: "s", Protocol: "hook", Workspace: ws, Digest: r.Digest(),
		})
		if err == nil {
			err = os.WriteFile(m.auditPath(), append(line, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := m.justApproved(&r); got != want {
			t.Errorf("%s ago: it counts: %v", age, got)
		}
	}
}
