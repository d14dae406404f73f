//go:build linux

package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/fakemodel"
)

// TAM-24: a real agent in an editor. What is allowed happens once, also where
// the agent has the editor write the file; rules and what was approved for the
// session ask nobody.
func TestRealAgentInAnEditor_TAM24(t *testing.T) {
	const rules = `[permissions]
allow = ["shell(touch allowed.txt)"]
deny = ["shell(touch denied.txt)"]
[blitz]
permission_mode = "default"
`
	eachRealAgent(t, func(t *testing.T, a realAgent) {
		e := newPlace(t, rules)
		writes := func(name string) []fakemodel.Step {
			return []fakemodel.Step{{Calls: []fakemodel.Call{a.write(filepath.Join(e.shop, name))}}, {Say: "I wrote."}}
		}
		model := httptest.NewServer(fakemodel.Scripts{
			"yes": writes("yes.txt"), "no": writes("no.txt"), "all": writes("all.txt"), "more": writes("more.txt"),
			"rules": {{Calls: []fakemodel.Call{a.run("touch allowed.txt")}}, {Calls: []fakemodel.Call{a.run("touch denied.txt")}}, {Say: "I tried."}},
		})
		t.Cleanup(model.Close)
		home := filepath.Dir(e.home)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, a.settings)), 0o700); err != nil {
			t.Fatal(err)
		}
		e.file(filepath.Join(home, a.settings), a.content)
		bin := filepath.Join(os.Getenv(agentsVariable), a.name, "node_modules", ".bin")
		e.env = append(a.env(model.URL), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		e.readsNot = true // Gemini CLI can't make a file in an editor that reads for it
		e = e.again(a.name)
		s := e.session(e.shop)

		turn := e.says(s, fakemodel.Prompt("yes"))
		d := e.asked("Change `yes.txt`")
		if c := d.ToolCall.Content[0].Diff; c == nil || c.OldText != nil || c.NewText != written {
			t.Errorf("no diff of a new file: %+v", d.ToolCall.Content[0])
		}
		d.with(e, "Approve once")
		turn.ends("end_turn", "I wrote.")
		turn = e.says(s, fakemodel.Prompt("no"))
		e.asked("Change `no.txt`").with(e, "Deny")
		<-turn.ended
		turn = e.says(s, fakemodel.Prompt("all"))
		e.asked("Change `all.txt`").with(e, "Approve for this session: file edits in the workspace")
		turn.ends("end_turn")
		e.says(s, fakemodel.Prompt("more")).ends("end_turn")
		turn = e.says(s, fakemodel.Prompt("rules"))
		if err := <-turn.ended; err != nil {
			t.Error(err)
		}
		e.closes(0)

		for name, there := range map[string]bool{"yes.txt": true, "no.txt": false, "all.txt": true, "more.txt": true, "allowed.txt": true, "denied.txt": false} {
			if _, err := os.Stat(filepath.Join(e.shop, name)); (err == nil) != there {
				t.Errorf("%s: %v", name, err)
			}
		}
		if a.name == "gemini" && !slices.Equal(e.did, []string{"write yes.txt", "write all.txt", "write more.txt"}) {
			t.Error("the editor did", e.did)
		}
		if !strings.Contains(e.said[s], "a rule denies it") {
			t.Error("the editor isn't told of the rule:", e.said[s])
		}
	})
}
