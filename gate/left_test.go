package gate

import (
	"os"
	"path/filepath"
	"testing"
)

// BEY-01: a hook's allow would take away the question that its agent asks by
// itself. So what only the mode lets pass is left to the agent where it reads
// outside of the workspace, or can't be told to read inside.
func TestWhatIsLeftToTheAgent(t *testing.T) {
	w := t.TempDir()
	if err := os.Symlink("/etc", filepath.Join(w, "link")); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	read := func(kind GrantKind, path string) Request {
		return Request{Tool: "Read", Targets: []string{path}, GrantTargets: []GrantTarget{{kind, path, Read}},
			Declared: Declaration{Tier: Read}, OwnRules: true}
	}
	own := Request{Tool: "TodoWrite", Declared: Declaration{Tier: Read}, OwnRules: true}
	starts := Request{Tool: "Task", Targets: []string{"general"}, Gated: true, OwnRules: true}
	without := read(GrantFile, "/etc/passwd")
	without.OwnRules = false
	write := edit("a.go")
	write.OwnRules = true
	for name, row := range map[string]struct {
		in   setup
		req  Request
		want string
	}{
		"a file of the workspace":          {setup{mode: Auto}, read(GrantFile, "a.go"), "mode-auto"},
		"a search in the workspace":        {setup{mode: Default}, read(GrantTree, "."), "mode-default"},
		"a file elsewhere":                 {setup{mode: Auto}, read(GrantFile, "/etc/passwd"), CauseLeft},
		"a file of the home":               {setup{mode: Plan}, read(GrantFile, "~/.ssh/id_rsa"), CauseLeft},
		"a search above":                   {setup{mode: AlwaysAsk}, read(GrantTree, ".."), CauseLeft},
		"a link that leads out":            {setup{mode: Default}, read(GrantFile, "link/passwd"), CauseLeft},
		"a tool of the agent's own":        {setup{mode: Default}, own, CauseLeft},
		"an agent that it starts":          {setup{mode: Default}, starts, CauseLeft},
		"one without rules of its own":     {setup{mode: Auto}, without, "mode-auto"},
		"an edit":                          {setup{mode: AcceptEdits}, write, "mode-accept-edits"},
		"in yolo":                          {setup{mode: Yolo}, read(GrantFile, "/etc/passwd"), "mode-yolo"},
		"a tool that the person allows":    {setup{mode: Auto, tools: map[string]string{"Read": "allow"}}, read(GrantFile, "/etc/passwd"), CauseUserAllow},
		"a tool that the person denies":    {setup{mode: Auto, tools: map[string]string{"Read": "deny"}}, read(GrantFile, "/etc/passwd"), CauseUserDeny},
		"a file that may not be read":      {setup{mode: Auto, deny: []string{"read(/etc/*)"}}, read(GrantFile, "/etc/passwd"), CauseHardPolicy},
		"a search where that may be found": {setup{mode: Auto, deny: []string{"read(/etc/*)"}}, read(GrantTree, "/etc"), CauseAsked},
	} {
		row.in.workspace = w
		if v := row.in.check(t, row.req); v.Cause != row.want {
			t.Errorf("%s: %s (%s), want %s", name, v.Cause, v.Reason, row.want)
		}
	}
}
