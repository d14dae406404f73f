package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The files in which a person's rules are kept are out of an agent's reach by
// any broad allow, also through a program that writes them (APR-13, TAM-15).
func TestCommandsOnTheGatesFiles(t *testing.T) {
	w := newWorld(t)
	home := filepath.Join(w.home, ".gatehome")
	real := filepath.Join(w.root, "people/u/.gatehome")
	for _, at := range []string{home, real} {
		_ = os.MkdirAll(at, 0o700)
	}
	for _, link := range []string{"gatelink"} {
		if err := os.Symlink(real, filepath.Join(w.real, link)); err != nil {
			t.Fatal(err)
		}
	}
	touching := []string{
		"cp evil ~/.gatehome/settings.toml", "cp evil " + home + "/settings.toml", "tee " + real + "/settings.toml", "mv ~/.gatehome /tmp/x",
		"sed -i s/a/b/ ~/.gatehome/settings.toml", "ln -s ~/.gatehome x", "cd ~ && cp x .gatehome/settings.toml", "cd ~/.gatehome && cp x settings.toml",
		"dd of=" + real + "/settings.toml", "sqlite3 ~/.gatehome/approval-cache.db", "tar -xf x -C ~/.gatehome", "tar -C" + home + " -xf x",
		"rsync --temp-dir=~/.gatehome x y", "cp x gatelink/settings.toml", "echo x > ~/.gatehome/settings.toml", "sh -c 'cp x ~/.gatehome/y'",
		fmt.Sprintf(`python3 -c "open('%s/settings.toml','w')"`, real), `python3 -c "open(os.path.expanduser('~/.gatehome/settings.toml'),'w')"`,
		"cp x $HOME/.gatehome/settings.toml", "cp x ~/.gateh*/settings.toml", "cp x ~/.gatehom?/settings.toml", "cd ~/.gatehome && make", "BLITZ_HOME=/tmp/x make", "export BLITZ_HOME=/tmp/x; make", "env BLITZ_HOME=/tmp/x make", "npx tee ~/.gatehome/settings.toml",
		`python3 -c 'os.system("blitz-approve mode yolo")'`, `node -e 'spawn("blitz-approve", ["trust"])'`, "tmux send-keys 'blitz-approve rules add allow x' Enter", "npx blitz-approve mode yolo", "npx blitz-approve uninstall claude",
		"go run ./cmd/blitz-approve --config x settings edit", "blitz-approve mode yolo",
		"rm ~/.claude/settings.json", "sed -i /hook/d .claude/settings.local.json", "mv ~/.config/opencode/plugin /tmp/x", "rm -rf .claude", "echo '{}' > ~/.codex/hooks.json",
		"git rm -r .cursor", "tar xf x -C ~", "cd ~ && unzip x", "rsync -a x/ ~/", "cp -r x/. ~", "npx blitz-approve@latest mode yolo",
		"ln -s /usr/local/bin/blitz-approve b", "cp /usr/local/bin/blitz-approve b", "pkill -f approv", "pkill -f .",
		fmt.Sprintf("kill -9 %d", os.Getpid()), fmt.Sprintf("kill -- -%d", os.Getpid()),
	}
	for _, command := range touching {
		for name, s := range map[string]setup{
			"rule":   {mode: Default, allow: []string{"shell(*)"}, defaults: true},
			"bypass": {mode: Bypass, sandbox: true},
			"key":    {mode: Default, session: []string{"cmd:" + w.real + "\x00" + command}},
			"all":    {mode: Default, autoCommands: true},
		} {
			if v := w.check(t, w.real, s, CommandRequest(w.real, "bash", command)); v.Effect != Ask || !v.Forced {
				t.Errorf("%s: %s: %s · %s, forced %v", name, command, v.Effect, v.Cause, v.Forced)
			}
		}
	}
	for _, command := range []string{"cp evil src/x", "python3 -c 'print(1)'", "echo gatehome", "cp x ~/y", "git commit -m 'blitz-approve: run the tests'", "go test ./cmd/blitz-approve -run Mode", "make blitz-approve", "npx blitz-approve check x", "kill 99999999",
		"git add .claude/settings.json", "tar xf x", "cp -r x y", "unzip x -d ~/y", "pkill -f vite", "cp x .claude.md", "ln -s a b"} {
		if v := w.check(t, w.real, setup{mode: Default, allow: []string{"shell(*)"}, defaults: true}, CommandRequest(w.real, "bash", command)); v.Effect != Allow {
			t.Errorf("%s: %s · %s (%s)", command, v.Effect, v.Cause, v.Reason)
		}
	}
	// To look at them is no harm.
	for _, command := range []string{"grep -rn 'blitz-approve mode' README.md", "ls ~/.gatehome", "cat " + home + "/settings.toml", "head -3 gatelink/settings.toml"} {
		if v := w.check(t, w.real, setup{mode: Default, defaults: true}, CommandRequest(w.real, "bash", command)); v.Effect != Allow {
			t.Errorf("%s: %s · %s (%s)", command, v.Effect, v.Cause, v.Reason)
		}
	}
}

// An allow rule that reaches what is protected only by a wildcard or by what
// it leaves open doesn't cover it, for a command as for an edit.
func TestCommandsOnProtectedFiles(t *testing.T) {
	w := newWorld(t)
	rows := []struct {
		command, rule string
		want          Effect
	}{
		{"cp x .git/hooks/pre-commit", "shell(cp *)", Ask},
		{"cp x .git/hooks/pre-commit", "shell(cp)", Ask},
		{"cp x .git/hooks/pre-commit", "shell(/cp .*/)", Ask},
		{"cp x .git/hooks/pre-commit", "shell(cp x .git/hooks/pre-commit)", Allow},
		{"cp x .git/hooks/pre-commit", `shell(/cp x \.git/hooks/pre-commit/)`, Allow},
		{"cp x .git/hooks/pre-commit", "shell(cp x *)", Ask},
		{"cp -t .git/hooks x", "shell(cp *)", Ask},
		{"cp --target-directory=.git/hooks x", "shell(cp *)", Ask},
		{"cp x hooks/pre-commit", "shell(cp *)", Ask},
		{"cp -r evil/.git .", "shell(cp *)", Ask},
		{"cp -r evil/.vscode src/", "shell(cp *)", Ask},
		{"mv .git x", "shell(mv *)", Ask},
		{"ln -sf x .envrc", "shell(ln *)", Ask},
		{"tee .mcp.json", "shell(tee *)", Ask},
		{"sed -i s/a/b/ .github/workflows/ci.yml", "shell(sed *)", Ask},
		{"rm -f .envrc", "shell(rm *)", Ask},
		{"install -m 755 x .husky/pre-commit", "shell(install *)", Ask},
		{"rsync -a x/ .claude/", "shell(rsync *)", Ask},
		{"cp x ~/.bashrc", "shell(cp *)", Ask},
		{"sh -c 'cp x .git/config'", "shell(*)", Ask},
		{"cd src && cp x ../.git/config", "shell(*)", Ask},
		{"curl -D .git/config u", "shell(curl *)", Ask},
		{"curl -c .envrc u", "shell(curl)", Ask},
		{"rsync --log-file=.git/config a b", "shell(rsync *)", Ask},
		{"tar cf .git/hooks/x y", "shell(tar *)", Ask},
		{"tar xf x --one-top-level=.git/hooks", "shell(tar *)", Ask},
		{"go test -coverprofile=.git/config", "shell(go test)", Ask},
		{"git bundle create .git/hooks/x HEAD", "shell(git *)", Ask},
		{"git mv x .github/workflows/ci.yml", "shell(git *)", Ask},
		{"git rm -q .gitattributes", "shell(git *)", Ask},
		{"pytest --junitxml=.git/hooks/x", "shell(pytest)", Ask},
		{"rm ~/.copilot/hooks/blitz-approve.json", "shell(rm *)", Ask},
		{"rm ~/.config/opencode/plugin/blitz-approve.js", "shell(rm *)", Ask},
		{"cp x opencode.json", "shell(cp *)", Ask},
		{"ln .git/config notes.txt", "shell(ln *)", Ask},
		{"ln -s .git/config notes.txt", "shell(ln *)", Allow},
		{"tar cf x.tar .git", "shell(tar *)", Allow},
		{"tar xf x.tar --exclude=.git/hooks", "shell(tar *)", Allow},
		{"tree --gitignore -I .git --ignore=.git/x", "shell(tree)", Allow},
		{"eslint --ext=.js .vscode", "shell(eslint)", Allow},
		{"git log --oneline .github/workflows/ci.yml", "shell(git *)", Allow},
		{"cp x src/y", "shell(cp *)", Allow},
		{"sed -n 1p .github/workflows/ci.yml", "shell(sed *)", Allow},
		{"git add .gitattributes", "shell(git add *)", Allow},
	}
	for _, row := range rows {
		s := setup{mode: Default, allow: []string{row.rule}, defaults: true}
		if v := w.check(t, w.real, s, CommandRequest(w.real, "bash", row.command)); v.Effect != row.want {
			t.Errorf("%s under %s: %s · %s (%s)", row.command, row.rule, v.Effect, v.Cause, v.Reason)
		}
	}
}
