//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/tui"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// TestRulesPicture draws the README's pictures of the screen of rules from the
// program itself: rules by file with their uses, and what would happen to a
// command as it is typed (BEY-08, BEY-09).
func TestRulesPicture(t *testing.T) {
	s := ruledSession(t)
	term := tuitest.NewTerm(t, 100, 24)
	sc, err := s.screen(t.Context(), func(o tui.Options) display { return tui.NewConsole(o, term.Options()...) })
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- sc.console.Run(t.Context()) }()
	pictures := filepath.Join("..", "..", "testdata", "pictures")
	sc.console.Show(tui.RulesChanged{Waiting: sc.waits.Offer().Count()})
	term.WaitFor("2 settings of this project wait for trust")
	term.Key("ctrl+s")
	term.WaitFor("shell(git push)", "3× · 2 days ago", "never used")
	term.Settle()
	term.Picture(filepath.Join(pictures, "rules.svg"))
	term.Key("t")
	term.Type("go test ./... && git push origin main")
	term.WaitFor("you would be asked", "~/.blitz/settings.toml:4", "Each command")
	term.Settle()
	term.Picture(filepath.Join(pictures, "try.svg"))
	sc.console.Quit()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// ruledSession is a session without an agent whose files hold some rules, and
// whose log names them.
func ruledSession(t *testing.T) *session {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	workspace, gateHome := filepath.Join(home, "src", "shop"), filepath.Join(home, ".blitz")
	for path, text := range map[string]string{
		filepath.Join(gateHome, "settings.toml"):            "[permissions]\ndeny = [\"shell(rm -rf *)\", \"read(~/.ssh/**)\"]\n# CI builds what is pushed.\nask = [\"shell(git push)\"]\nallow = [\"shell(go test)\", \"write(docs/**)\", \"web(pkg.go.dev)\"]\n",
		filepath.Join(workspace, ".blitz", "settings.toml"): "[permissions]\ndeny = [\"write(vendor/**)\"]\nallow = [\"shell(make)\", \"shell(npm *)\"]\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := (&flags{}).loadFrom(gateHome, workspace)
	if err != nil {
		t.Fatal(err)
	}
	log := ""
	for i := range 3 {
		log += fmt.Sprintf(`{"v":1,"id":"r%d","time":%q,"rule":"ask shell(git push)","tool":"bash","kind":"run_command","targets":["git push"],"verdict":"allow","cause":"user-once","who":"person","workspace":%q}`+"\n",
			i, time.Now().Add(-50*time.Hour).Format(time.RFC3339), m.workspace)
	}
	if err := os.WriteFile(m.auditPath(), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	m.mode = gate.Default
	return &session{machine: m, name: "opencode"}
}
