package gate

import (
	"os"
	"path/filepath"
	"testing"
)

// APR-15: a command of git's that isn't its own is what its alias stands for. A
// broad rule allows it where rules allow that too; what is no alias has to be
// named.
func TestGitAliases(t *testing.T) {
	config := `[core]
	bare = false
[alias]
	st = !rm -rf build
	show-env = !cat .env
	lp = log -p
	ss = status -s
	deep = ss --long
	ring = loop
	loop = ring
	rm = !make
	say = "!f() { make; }; f"
	push2 = push --force
	odd = "log 'x"
[alias "new"]
	command = !rm -rf build
[include]
	path = more
`
	files := []string{".env", "src/a.go", ".git/config=" + config, ".git/HEAD=ref: refs/heads/main\n", ".git/objects/x", ".git/refs/x", ".git/more=[alias]\n\tinc = !rm x\n"}
	deny := []string{"shell(rm)", "read(.env)", "shell(git push --force)"}
	broad := walkable(t, Default, []string{"shell(git *)"}, deny, files...)
	index(t, broad, ".env")
	asks(t, broad, map[string]Effect{
		"git st": Deny, "git ST": Deny, "git --no-pager st": Deny, "cd src && git st": Deny, "git new": Deny, "git inc": Deny, "git push2": Deny, "git deep && git st": Deny,
		"git -c alias.y='!rm z' y": Deny, "git -c alias.ss='!rm z' ss": Deny, "git -c core.sshCommand='rm z' fetch": Deny,
		"git show-env": Deny, "git lp": Ask, "git say": Ask, "git nosuch": Ask, "git ring": Ask, "git odd": Ask,
		"git ss": Allow, "git deep": Allow, "git rm --cached src/a.go": Allow, "git status": Allow, "git submodule status": Allow, "git": Allow, "git ss x y": Allow,
	})
	asks(t, walkable(t, Default, []string{"shell(git nosuch)", "shell(git *)"}, deny, files...), map[string]Effect{"git nosuch": Allow, "git nosuch2": Ask})
	yolo := walkable(t, Yolo, nil, deny, files...)
	index(t, yolo, ".env")
	asks(t, yolo, map[string]Effect{"git st": Deny, "git lp": Ask, "git show-env": Deny, "git nosuch": Allow, "git ring": Ask, "git ss": Allow})
}

// index makes a repository's index that tracks one file, in the oldest form.
func index(t *testing.T, g *Gate, name string) {
	t.Helper()
	entry := make([]byte, 62)
	entry[60], entry[61] = 0, byte(len(name))
	entry = append(entry, name...)
	for pad := 8 - len(entry)%8; pad > 0; pad-- {
		entry = append(entry, 0)
	}
	data := append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), entry...)
	if err := os.WriteFile(filepath.Join(g.Workspace(), ".git/index"), append(data, make([]byte, 20)...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The person's own settings hold everywhere.
func TestGitAliasesOfThePerson(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[include]\n\tpath = ~/other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "other"), []byte("[alias]\n\twipe = !rm -rf build\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line string
		want Effect
	}{{"git wipe", Deny}, {"git wiper", Ask}, {"git fetch", Allow}} {
		s := setup{mode: Default, allow: []string{"shell(git *)"}, deny: []string{"shell(rm)"}, workspace: t.TempDir(), home: home}
		if v := s.check(t, shellRun(tt.line)); v.Effect != tt.want {
			t.Errorf("%s: %s (%s)", tt.line, v.Effect, v.Reason)
		}
	}
}
