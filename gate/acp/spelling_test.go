package acp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/gatetest"
)

// APR-13, APR-15: a path that tools take for different files is held against
// rules as each of them, also in a folder below the workspace; a change of it is
// never settled without a person, since nobody knows what to show.
func TestPathsThatToolsReadInTwoWays(t *testing.T) {
	root := t.TempDir()
	ws, home := filepath.Join(root, "ws"), filepath.Join(root, "u")
	for _, dir := range []string{filepath.Join(ws, "sub"), filepath.Join(home, ".ssh")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(home, ".ssh", "id"), filepath.Join(ws, ".env")} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules := gatetest.Rules(t, "deny read(~/.ssh/)", "deny read(.env)", "deny write(~/.bashrc)")
	for _, c := range []struct {
		name, call string
		want       gate.Effect
		forced     bool
	}{
		{"the home", reads + `{"file_path":"~/.ssh/id","cwd":"$WS/sub"}`, gate.Deny, false},
		{"the home by its variable", reads + `{"file_path":"$HOME/.ssh/id","cwd":"$WS/sub"}`, gate.Deny, false},
		{"the home by its variable in braces", reads + `{"file_path":"${HOME}/.ssh/id","cwd":"$WS/sub"}`, gate.Deny, false},
		{"the home by its name", reads + `{"file_path":"~u/.ssh/id","cwd":"$WS/sub"}`, gate.Deny, false},
		{"from the home up", reads + `{"file_path":"~/../ws/.env"}`, gate.Deny, false},
		{"a URL with a host", reads + `{"file_path":"file://localhost$WS/.env"}`, gate.Deny, false},
		{"a blank behind", reads + `{"file_path":"$WS/.env "}`, gate.Deny, false},
		{"a blank before", reads + `{"file_path":" $WS/.env"}`, gate.Deny, false},
		{"other blanks", reads + `{"file_path":"\ufeff\u00a0.env\n"}`, gate.Deny, false},
		{"a search of the home", `"kind":"search","rawInput":{"pattern":"x","path":"~","cwd":"$WS/sub"}`, gate.Deny, true},
		{"a place", reads + `{"locations":[]},"locations":[{"path":"~/.ssh/id"}]`, gate.Deny, false},
		{"a start-up file", edits + `{"file_path":"~/.bashrc","content":"x","cwd":"$WS/sub"}`, gate.Deny, false},
		{"another file of the home", edits + `{"file_path":"~/x","content":"x","cwd":"$WS/sub"}`, gate.Deny, true},
		{"a new file with a blank", edits + `{"file_path":".envrc ","content":"x"}`, gate.Deny, true},
		{"a command in the home", executes + `{"command":"ls","cwd":"~/x"}`, gate.Deny, false},
		{"ordinary: a blank inside", edits + `{"file_path":"a b","content":"x"}`, gate.Allow, false},
		{"ordinary: a lock file of an office", edits + `{"file_path":"~$letter.docx","content":"x"}`, gate.Allow, false},
		{"ordinary: a variable", edits + `{"file_path":"$HOMES/x","content":"x"}`, gate.Allow, false},
		{"ordinary: a read", reads + `{"file_path":"~/notes","cwd":"$WS/sub"}`, gate.Allow, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := gate.New(gate.Options{Workspace: ws, Home: home, Policy: rules, Mode: gate.AcceptEdits})
			if err != nil {
				t.Fatal(err)
			}
			v := decideCall(t, g, ws, c.call)[0]
			if v.Effect != c.want || v.Forced != c.forced {
				t.Errorf("%s, forced %v: %s, targets %q", v.Effect, v.Forced, v.Reason, v.Request.Targets)
			}
		})
	}
}
