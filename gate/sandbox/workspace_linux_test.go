package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSeatbelt looks at the profile for macOS as text: nobody has run it.
func TestSeatbelt(t *testing.T) {
	p := Policy{
		Workspace: `/w/a "b"`, Write: []string{"/tmp"}, Protect: []string{".git/config", "/tmp/x/y", "/home/u/.blitz"},
		ReadDeny: []string{"/home/u/.ssh"}, NoNetwork: true,
	}
	profile := p.seatbelt()
	order := []string{
		"(version 1)", "(deny file-write*)", `(allow file-write* (subpath "/w/a \"b\""))`, `(allow file-write* (subpath "/tmp"))`,
		`(deny file-write* (subpath "/w/a \"b\"/.git/config"))`, `(deny file-write* (subpath "/home/u/.blitz"))`,
		`(deny file-write-unlink (literal "/w/a \"b\"/.git"))`, `(deny file-write-unlink (literal "/tmp/x"))`,
		`(deny file-read* (subpath "/home/u/.ssh"))`, "(deny network*)",
	}
	at := 0
	for _, rule := range order { // the last rule that fits wins
		i := strings.Index(profile[at:], rule)
		if i < 0 {
			t.Fatalf("%s is missing, or too early, in\n%s", rule, profile)
		}
		at += i
	}
	p.NoNetwork = false
	if strings.Contains(p.seatbelt(), "(deny network*)") {
		t.Error("the network is off without having been asked for")
	}
}

// TestWorktree: a worktree's commits need its repository elsewhere, which is
// only believed when it points back.
func TestWorktree(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-ec", `git init -q main; cd main; git -c user.name=T -c user.email=t commit -q --allow-empty -m one
		git worktree add -q ../tree; mkdir ../false; cp ../tree/.git ../false/.git`)
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	main := filepath.Join(top, "main/.git")
	write, protect := gitPaths(filepath.Join(top, "tree"))
	want := []string{main + "/worktrees/tree", main + "/objects", main + "/refs", main + "/logs"}
	if !slices.Equal(write, want) || !slices.Contains(protect, main+"/worktrees/tree/commondir") || !slices.Contains(protect, top+"/tree/.git") {
		t.Errorf("%q %q", write, protect)
	}
	if write, _ := gitPaths(filepath.Join(top, "false")); write != nil {
		t.Errorf("a foreign .git file opened %q", write)
	}
	if _, protect := gitPaths(filepath.Join(top, "main")); !slices.Contains(protect, main+"/worktrees/tree/commondir") {
		t.Errorf("%q", protect)
	}
	if !Available().Namespaces {
		return // what follows needs a real sandbox
	}
	g := &ground{work: filepath.Join(top, "tree"), out: top, home: top, mounts: true, policy: ForWorkspace(filepath.Join(top, "tree"), "", top+"/home")}
	g.policy.Write = write
	out, err := g.held(t, `echo x > a; git add a; git -c user.name=T -c user.email=t commit -qm two
		if git config a.b c 2>/dev/null; then echo config; fi; if (echo x > .git) 2>/dev/null; then echo pointer; fi
		if (echo .. > ../main/.git/worktrees/tree/commondir) 2>/dev/null; then echo commondir; fi`)
	if err != nil || out != "" {
		t.Errorf("%v %s", err, out)
	}
}

// TestModules: the configuration and hooks of submodules are protected.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{".git/modules/a/b/HEAD", ".git/modules/a/b/modules/c/HEAD"} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, protect := gitPaths(dir)
	for _, want := range []string{"a/b/config", "a/b/hooks", "a/b/modules/c/config"} {
		if !slices.Contains(protect, filepath.Join(dir, ".git/modules", want)) {
			t.Errorf("%s is missing in %q", want, protect)
		}
	}
}

// TestForWorkspace: the gate's home is protected, whatever may be written.
func TestForWorkspace(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	p := ForWorkspace("/w", "gemini", "/tmp/gate")
	if !slices.Contains(p.Protect, "/tmp/gate") || !slices.Contains(p.Write, filepath.Join(home, ".gemini")) {
		t.Errorf("%+v", p)
	}
	for _, path := range p.Write {
		if path == home || path == filepath.Join(home, ".config") {
			t.Errorf("%s may be written", path)
		}
	}
}
