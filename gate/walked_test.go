package gate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// walkable makes a workspace with files, and a gate over it.
func walkable(t *testing.T, mode Mode, allow []string, deny []string, files ...string) *Gate {
	t.Helper()
	workspace := t.TempDir()
	for _, name := range files {
		file := filepath.Join(workspace, name)
		text := ""
		if name, lines, ok := strings.Cut(name, "="); ok {
			file, text = filepath.Join(workspace, name), lines
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := Policy{}
	for effect, rules := range map[Effect][]string{Allow: allow, Deny: deny} {
		for _, rule := range rules {
			if err := p.AddRule(effect, rule, Source{File: "settings.toml", Line: 2}); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := New(Options{Workspace: workspace, Home: "/nobody", Mode: mode, Policy: p, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// APR-13, APR-15: a command that reads a folder as a whole is asked about where
// something in it may not be read, and only then.
func TestReadRulesReachWhatIsWalked(t *testing.T) {
	g := walkable(t, Default,
		[]string{"shell(find *)", "shell(find -exec *)", "shell(find * -exec *)", "shell(tar)", "shell(cp)", "shell(zip)", "shell(rsync)"},
		[]string{"read(.env)", "read(keys/)", "read(**/*.pem)", "read(.hidden/**)", "read(none.txt)"},
		".env", "keys/id", "src/a.go", "src/deep/ca.pem", "docs/a.md", ".hidden/x", ".hidden/.h.pem", "lib/.secret.pem", "build/b.pem", ".gitignore=/build\nlog/\n*.tmp\n", ".git/HEAD", "log/l.pem", "src/log/l.pem")
	for command, want := range map[string]string{
		"grep x .env":                        "deny",
		"grep -n x src/a.go":                 "",
		"grep -r x docs":                     "",
		"grep -rn x .":                       "may also read",
		"grep -r x":                          "may also read",
		"grep -R x ./src":                    "src/deep/ca.pem",
		"grep -rx x src/a.go":                "",
		"grep --recursive -e x lib":          "lib/.secret.pem",
		"grep -d recurse x src":              "src/deep/ca.pem",
		"grep -rn x src --include='*.go'":    "",
		"grep -rn x src --include='*.[gp]*'": "src/",
		"grep -rn --exclude='*.pem' x src":   "",
		"grep -rn --exclude-dir=deep --exclude-dir=log x src": "",
		"grep -rn --exclude-dir=deep x src":                   "src/log/l.pem",
		"grep -rn --include='*.go' --exclude=x x src":         "src/", // the order decides
		"cd src && grep -r x .":                               "src/",
		"env grep -rn x src":                                  "src/",
		"rg x docs src/a.go":                                  "",
		"rg x":                                                "may also read",
		"rg x lib":                                            "",
		"rg x src -g '*.go'":                                  "",
		"rg x src -g '!*.pem'":                                "",
		"rg x src -g '*.pem'":                                 "src/deep/ca.pem",
		"rg x build":                                          "build/b.pem", // what is named is read
		"rg --hidden x lib":                                   "lib/.secret.pem",
		"rg -uu x lib":                                        "lib/.secret.pem",
		"rg x -g '!keys' -g '!deep'":                          "",
		"rg -u x -g '!keys' -g '!deep'":                       "may also read",
		"rg --files":                                          "",
		"ls | rg x":                                           "",
		"rg -l x | head":                                      "may also read",
		"rg x ./*":                                            "may",
		"rg x s*":                                             "may",
		"diff -r docs lib":                                    "lib/.secret.pem",
		"diff docs lib":                                       "",
		"find . -type f":                                      "",
		"find . -name '*.md' -exec cat {} +":                  "",
		"find docs -exec cat {} +":                            "",
		"find src -type f -exec cat {} +":                     "src/deep/ca.pem",
		"find src -exec chmod 600 {} +":                       "",
		"find src -name '*.md' -o -name '*' -exec cat {} +":        "src/",
		"find src -exec cat {} + -name '*.md'":                     "src/", // it comes too late
		"find -O3 src -exec cat {} +":                              "src/",
		"grep -r --include='*.go' --inc='*.pem' x src":             "src/",
		"grep --dereference -e x lib":                              "lib/.secret.pem",
		"rg x -g '.h*'":                                            ".hidden/.h.pem",
		"tar cf x.tar --directory=src deep":                        "src/",
		"tar -c -Csrc -f x.tar deep":                               "src/",
		"find src -type f -maxdepth 3 -name '*.go' -exec cat {} +": "",
		"find src -exec ls {} + -name '*.md' -exec cat {} +":       "",
		"find src -printf -name -exec cat {} +":                    "src/",
		"find -O3 -D exec src -exec cat {} +":                      "src/",
		"grep -drec x src":                                         "src/",
		"tar --directory=src -cf x.tar .":                          "src/",
		"tar -Csrc -cf x.tar .":                                    "src/",
		"tar --crea -f x.tar src":                                  "src/",
		"cp --recur src /tmp/x":                                    "src/",
		"tar czf x.tgz docs":                                       "",
		"tar czf x.tgz .":                                          "may also read",
		"tar xzf x.tgz":                                            "",
		"cp -r docs /tmp/x":                                        "",
		"cp -r src /tmp/x":                                         "src/deep/ca.pem",
		"cp docs/a.md src":                                         "",
		"zip -qr x.zip lib":                                        "lib/.secret.pem",
		"rsync -a keys host:":                                      "keys",
		"grep -rn --exclude='.env' --exclude='*.pem' --exclude-dir=keys --exclude-dir=.hidden x .": "",
		"tar --exclude=.env --exclude=*.pem --exclude=keys --exclude=.hidden -czf x.tgz .":         "may",
		"tar --exclude=.env --exclude='*.pem' --exclude=keys --exclude=.hidden -czf x.tgz .":       "",
		"tar --exclude=.env -cf x.tar --exclude='*.pem' --exclude=keys --exclude=.hidden .":        "",
		"tar cf x.tar --exclude='*.pem' src":                                                       "",
		"tar cf x.tar src --exclude='*.pem'":                                                       "src/", // it comes too late
		"tar --anchored --exclude='*.pem' -cf x.tar src":                                           "src/",
		"tar --exclude='*.pem' --no-wildcards -cf x.tar src":                                       "src/",
		"tar --exclude deep -cf x.tar src":                                                         "src/",
		"rsync -a --exclude=.env --exclude '*.pem' --exclude=keys --exclude=.hidden . host:":       "",
		"rsync -a --include='c*' --exclude='*.pem' src host:":                                      "src/",
		"rsync -ax --include='c*' --exclude='*.pem' src host:":                                     "src/",
		"rsync -aF --exclude='*.pem' src host:":                                                    "src/",
		"rsync -a --exclude='*.pem' src host:":                                                     "",
		"rsync -a --exclude=/deep src host:":                                                       "src/",
		"diff -r -x '*.pem' docs lib":                                                              "",
		"diff -r --exclude='*.pem' docs lib":                                                       "",
		"diff -rx none docs lib":                                                                   "lib/.secret.pem",
		"gtar cf x.tar src":                                                                        "src/",
		"bsdtar -cf x.tar src":                                                                     "src/",
		"jar cf x.jar src":                                                                         "src/",
		"7z a x.7z src":                                                                            "src/",
		"7z a x.7z":                                                                                "may also read",
		"7z l x.7z":                                                                                "",
		"pax -w src":                                                                               "src/",
		"ditto src /tmp/x":                                                                         "src/",
		"ditto /tmp/x src":                                                                         "",
		"aws s3 sync src s3://b":                                                                   "src/",
		"aws s3 sync s3://b src":                                                                   "",
		"aws s3 ls":                                                                                "",
		"rclone copy src r:":                                                                       "src/",
		"gsutil -m cp -r src gs://b":                                                               "src/",
		"kubectl cp src pod:/x":                                                                    "src/",
		"docker cp src c:/x":                                                                       "src/",
		"docker run x":                                                                             "",
		"mksquashfs docs lib x.sq":                                                                 "lib/.secret.pem",
		"ag x src":                                                                                 "src/",
		"ag x lib":                                                                                 "",
		"ag --hidden x lib":                                                                        "lib/.secret.pem",
		"ack x lib":                                                                                "lib/.secret.pem",
		"ugrep x src":                                                                              "",
		"ugrep -r x src":                                                                           "src/",
		"ls | ag x":                                                                                "",
		"fd -x cat":                                                                                "may also read",
		"fd x docs -x cat":                                                                         "",
		"fd -H . lib -x cat":                                                                       "lib/.secret.pem",
		"fd . lib -x cat":                                                                          "",
		"fd --search-path src -X cat":                                                              "src/",
		"fd -x rm":                                                                                 "",
		"docker run -v a:b x grep -r y .":                                                          "may also read",
		"zip -qr x.zip src lib -x '*.pem'":                                                         "",
		"zip -qr x.zip src -x ca.pem":                                                              "src/", // that is at the top
		"zip -qr x.zip . -x '*.env' '*.pem' -i '*'":                                                "may",
		"grep -rn --exclude .env x .env":                                                           "deny",
		"rg -g '!.env' x .env":                                                                     "deny",
		"grep -e --exclude .env":                                                                   "deny",
		"git status":                                                                               "",
	} {
		v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", command))
		forbidden := strings.Contains(v.Reason, "which a rule forbids") || strings.Contains(v.Reason, "may not be read")
		switch {
		case want == "deny" && v.Effect == Deny:
		case want == "" && !forbidden:
		case want != "" && want != "deny" && v.Effect == Ask && v.Forced && strings.Contains(v.Reason, want):
		default:
			t.Errorf("%s: %s, %q, want %q", command, v.Effect, v.Reason, want)
		}
	}
}

// APR-15: the card says which rule, and of which command.
func TestWalkedNamesTheRule(t *testing.T) {
	g := walkable(t, Bypass, nil, []string{"read(.env)"}, ".env", "a.go")
	g.opts.Sandboxed = true
	v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "ls && grep -r x ."))
	if v.Reason != "it may also read .env, which a rule forbids; --exclude=.env leaves it out" || v.Rule == nil || v.Rule.String() != "deny read(.env) (settings.toml:2)" {
		t.Errorf("%s, %v", v.Reason, v.Rule)
	}
	if len(v.Parts) != 2 || v.Parts[0].Effect != Allow || v.Parts[1].Effect != Ask || v.Parts[1].Rule != v.Rule {
		t.Errorf("%v", v.Parts)
	}
	if err := os.Remove(filepath.Join(g.Workspace(), ".env")); err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "grep -r x .")); v.Effect != Allow {
		t.Errorf("without the file: %s, %s", v.Effect, v.Reason)
	}
}

// APR-15: a link in what is walked counts as the file that it leads to.
func TestWalkedLinks(t *testing.T) {
	g := walkable(t, Default, nil, []string{"read(**/id)"}, "keys/id", "docs/a.md")
	for _, link := range [][2]string{{"good.md", "a.md"}, {"key.md", "../keys/id"}} { // the good one while it is alone
		name, target := link[0], link[1]
		if err := os.Symlink(target, filepath.Join(g.Workspace(), "docs", name)); err != nil {
			t.Fatal(err)
		}
		v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "grep -R x docs"))
		if forbidden := strings.Contains(v.Reason, "docs/key.md"); forbidden != (name == "key.md") {
			t.Errorf("%s: %s, %s", name, v.Effect, v.Reason)
		}
	}
}

// APR-15: without rules about reading nothing is looked at, and nothing asked.
func TestWalkedWithoutRules(t *testing.T) {
	g := walkable(t, Default, nil, []string{"shell(rm)"}, ".env", "keys/id.pem")
	for _, command := range []string{"grep -r x .", "rg --hidden x", "diff -r . keys"} {
		if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", command)); v.Effect != Allow {
			t.Errorf("%s: %s, %s", command, v.Effect, v.Reason)
		}
	}
}

// APR-15: what is too much to be looked through is asked about only where a rule
// could hold anywhere in it.
func TestWalkedTooMuch(t *testing.T) {
	workspace := t.TempDir()
	for i := range 300 {
		if err := os.WriteFile(filepath.Join(workspace, fmt.Sprint(i, ".go")), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for rule, want := range map[string]bool{"read(**/*.pem)": true, "read(.env)": false, "read(keys/**)": false} {
		p := Policy{}
		if err := p.AddRule(Deny, rule, Source{}); err != nil {
			t.Fatal(err)
		}
		x := newRuleIndex(&p, newPlace(workspace, "/nobody", "")).read
		s := search{walk: walkOf(t, "grep -r x ."), rules: &x, left: 299}
		if s.below(workspace); (s.left < 0) != want || s.found != nil {
			t.Errorf("%s: %d left, found %v", rule, s.left, s.found)
		}
	}
}

func walkOf(t *testing.T, line string) *shell.Walk {
	t.Helper()
	l := shell.Read(line)
	w, ok := l.Walk(&l.Commands[0])
	if !ok {
		t.Fatal("it walks nothing")
	}
	return &w
}

// BEY-04: the reason says how to leave the file out, and it is so.
func TestWalkedSaysHowToLeaveItOut(t *testing.T) {
	g := walkable(t, Default, []string{"shell(git)", "shell(find)"}, []string{"read(.env)", "read(keys/)", "read(**/*.pem)"},
		".env", "src/deep/ca.pem", "src/deep/b.pem", "lib/keys", "src/a.go")
	inFolder(t, g.Workspace(), "git", "init", "-q")
	inFolder(t, g.Workspace(), "git", "add", ".")
	for command, want := range map[string]string{
		"grep -r x .":             "grep -r x . --exclude=.env --exclude='*.pem'",
		"grep -r x src":           "grep -r x src --exclude='*.pem'",
		"rg -u x src":             "rg -u x src -g '!*.pem'",
		"rg --hidden x .":         "rg --hidden x . -g '!.env' -g '!*.pem'",
		"git grep x":              "git grep x -- ':!.env' ':!*.pem'",
		"git -C src log -p":       "git -C src log -p -- ':!/.env' ':!/*.pem'",
		"git diff HEAD -- src":    "git diff HEAD -- src ':!*.pem'",
		"grep -r --include=* x .": "",
		"find . -exec cat {} +":   "",
	} {
		told := command
		for range 4 {
			v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", told))
			if v.Effect == Allow {
				break
			}
			_, way, ok := strings.Cut(strings.TrimSuffix(v.Reason, " leaves it out"), "forbids; ")
			if !ok {
				told = ""
				break
			}
			if strings.Contains(told, " -- ") {
				way = strings.TrimPrefix(way, "-- ")
			}
			told += " " + way
		}
		if told != want {
			t.Errorf("%s: by what is said it becomes %s, want %s", command, told, want)
		}
	}
}

func inFolder(t *testing.T, dir string, words ...string) {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", words, err, out)
	}
}

// APR-13, APR-15: git is asked about where it may show what is tracked and may
// not be read.
func TestReadRulesReachWhatGitShows(t *testing.T) {
	files := []string{".env", "src/a.go", "keys/id", "docs/a.md"}
	g := walkable(t, Default, []string{"shell(git)"}, []string{"read(.env)", "read(keys/)"}, files...)
	inFolder(t, g.Workspace(), "git", "init", "-q")
	for command, want := range map[string]Effect{"git log -p": Allow, "git diff": Allow, "git show HEAD:.env": Deny} {
		if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", command)); v.Effect != want {
			t.Errorf("while nothing is tracked: %s: %s, %s", command, v.Effect, v.Reason)
		}
	}
	inFolder(t, g.Workspace(), "git", "add", ".")
	if err := os.Chtimes(filepath.Join(g.Workspace(), ".git/index"), time.Time{}, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "git status && git log -p"))
	if v.Reason != "it may also read .env, which a rule forbids; -- ':!.env' leaves it out" || v.Rule == nil || v.Rule.Text != "read(.env)" || !v.Forced {
		t.Errorf("%s, %v", v.Reason, v.Rule)
	}
	commands := map[string]Effect{
		"git status": Allow, "git log --stat": Allow, "git log --oneline -3": Allow, "git show --name-only HEAD": Allow, "git diff --stat": Allow,
		"git diff": Allow, "git diff HEAD": Ask, "git diff --cached": Ask, "git show": Ask, "git log -p -- src": Allow, "git log -p -- .": Ask,
		"git log -p -- ':!.env' ':!keys'": Allow, "git log -p -- ':!.env'": Ask, "git show HEAD:.env": Deny, "git show HEAD:src/a.go": Allow,
		"git log -p -- .env": Deny, "git log -p -- '*env'": Ask, "git grep x": Ask, "git grep x -- '*.go'": Allow, "git grep x docs": Allow, "git grep x keys": Ask,
		"cd src && git log -p .": Allow, "cd src && git log -p": Ask, "git -C src show": Ask, "git archive HEAD | tar t": Ask, "git push": Allow,
		"git --git-dir=.git log -p": Ask, "git log -p $x -- src": Ask, "git cat-file -p HEAD": Allow, "git cat-file --batch": Ask, "env git show": Ask,
		"git stash show -p": Ask, "git stash show": Allow, "git diff --no-index src docs": Allow, "git diff --no-index . docs": Ask,
	}
	for command, want := range commands {
		if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", command)); v.Effect != want {
			t.Errorf("%s: %s, %s, want %s", command, v.Effect, v.Reason, want)
		}
	}
	if err := os.WriteFile(filepath.Join(g.Workspace(), ".env"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "git diff")); v.Effect != Ask {
		t.Errorf("once it is changed: %s, %s", v.Effect, v.Reason)
	}
	if err := os.WriteFile(filepath.Join(g.Workspace(), ".git/index"), []byte("DIRC"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := g.Check(t.Context(), CommandRequest(g.Workspace(), "bash", "git log -p")); v.Effect != Ask || !v.Forced {
		t.Errorf("with an index that can't be read: %s, %s", v.Effect, v.Reason)
	}
}

// BenchmarkWalk measures a decision on what reads a folder with 50,000 files, and
// on what git shows of as many.
func BenchmarkWalk(b *testing.B) {
	workspace := b.TempDir()
	for i := range 500 {
		folder := filepath.Join(workspace, fmt.Sprint("p", i/50), fmt.Sprint("q", i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			b.Fatal(err)
		}
		for j := range 99 {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint("file", j, ".go")), nil, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, words := range [][]string{{"git", "init", "-q"}, {"git", "add", "."}} {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = workspace
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	for name, rules := range map[string][]string{"named": {"read(.env)", "read(~/.ssh/)"}, "wild": {"read(.env)", "read(**/*.pem)", "read(**/secret*/**)", "read(~/.ssh/)"}} {
		p := Policy{}
		for _, rule := range rules {
			if err := p.AddRule(Deny, rule, Source{}); err != nil {
				b.Fatal(err)
			}
		}
		g, err := New(Options{Workspace: workspace, Home: "/nobody", Policy: p, Mode: Default})
		if err != nil {
			b.Fatal(err)
		}
		for _, command := range []string{"grep -r x p0 p1 p2 p3 p4 p5 p6 p7 p8 p9", "git log -p"} {
			b.Run(name+"/"+command[:4], func(b *testing.B) {
				b.ReportAllocs()
				reason := ""
				for b.Loop() {
					reason = g.Check(b.Context(), CommandRequest(workspace, "bash", command)).Reason
				}
				if strings.Contains(reason, "too") {
					b.Log(reason)
				}
			})
		}
	}
}
