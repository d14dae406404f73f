package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// APR-15: behind a cd the words of a rule may do something else. A rule for the
// cd as well lets the line pass, inside the workspace and no link out of it; the
// built-in default for cd alone doesn't.
func TestRulesBehindACd(t *testing.T) {
	dir := t.TempDir()
	workspace := filepath.Join(dir, "w")
	for _, d := range []string{"src/deep", ".git/hooks", "out"} {
		if err := os.MkdirAll(filepath.Join(workspace, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, filepath.Join(workspace, "link")); err != nil {
		t.Fatal(err)
	}
	tests := []string{"shell(go test)"}
	with := func(rules ...string) []string { return append(rules, tests...) }
	for _, row := range []struct {
		rules []string
		line  string
		want  Effect
		says  string // of the part that isn't allowed
	}{
		{tests, "cd src && go test ./...", Ask, "shell(go test) isn't enough: it runs behind cd src, which needs a rule as well"},
		{tests, "cd . && go test ./...", Ask, "behind cd ."},
		{tests, "cd src && go vet", Ask, "no rule matches"},
		{with("shell(cd src)"), "cd src && go test ./...", Allow, ""},
		{with("shell(cd *)"), "cd src && go test ./...", Allow, ""},
		{with("shell(cd *)"), "cd " + workspace + "/src && go test", Allow, ""},
		{with("shell(cd *)"), "cd src && cd deep && go test", Allow, ""},
		{with("shell(cd *)"), "cd src; go test", Allow, ""},
		{with("shell(cd *)"), "(cd src && go test) && go test", Allow, ""},
		{with("shell(cd src)"), "cd src && cd deep && go test", Ask, "behind cd deep"},
		{with("shell(cd *)"), "cd .. && go test", Ask, "outside of the workspace"},
		{with("shell(cd *)"), "cd .. && ls", Ask, ""},
		{with("shell(cd *)"), "cd && go test", Ask, "outside of the workspace"},
		{with("shell(cd *)"), "cd link && go test", Ask, "outside of the workspace"},
		{with("shell(cd *)"), "cd src/.. && go test", Allow, ""},
		{with("shell(cd *)"), "cd link/w && go test", Allow, ""}, // the link leads back
		{with("shell(cd *)"), "cd src && go test > out", Ask, "redirection"},
		{with("shell(cd *)"), "cd src && git -C deep fetch", Ask, "no rule matches"},
		{with("shell(cd *)", "shell(git *)"), "cd src && git -C deep fetch", Ask, "it runs in src/deep"},
		{with("shell(cd *)"), "cd .git/hooks && go test", Ask, "behind cd .git/hooks"},
		{with("shell(cd .git/hooks)"), "cd .git/hooks && go test", Allow, ""},
		{with("shell(cd *)"), "cd $X && go test", Ask, "may become an option"},
		{with("shell(cd *)", "shell(touch)"), "cd .git && touch hooks/x", Ask, ""},
	} {
		g, err := New(Options{Workspace: workspace, Home: dir, Mode: Default, Policy: allowing(t, row.rules...), Approver: always(Answer{})})
		if err != nil {
			t.Fatal(err)
		}
		v := g.Check(t.Context(), CommandRequest(workspace, "bash", row.line))
		said := ""
		for _, p := range v.Parts {
			if p.Effect != Allow {
				said += p.Reason + "\n"
			}
		}
		if v.Effect != row.want || !strings.Contains(said, row.says) {
			t.Errorf("%s under %s: %s (%s)\n%s", row.line, row.rules, v.Effect, v.Reason, said)
		}
	}
}

// What follows a cd in a list runs even if the cd failed, and so would run
// elsewhere: it is read as behind && only where the cd can't fail (APR-15).
func TestListBehindACd(t *testing.T) {
	workspace := t.TempDir()
	for _, d := range []string{"src", "a/b"} {
		if err := os.MkdirAll(filepath.Join(workspace, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(workspace, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := New(Options{Workspace: workspace, Mode: Default, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]Effect{
		"cd src; ls": Allow, "cd src\nls": Allow, "cd a/b; ls ; pwd": Allow, "cd " + workspace + "/src; ls": Allow,
		"cd missing; ls": Ask, "cd file; ls": Ask, "ls; cd src; ls": Ask, "cd src 2>/dev/null; ls": Ask, "! cd src; ls": Ask, "cd src & ls": Allow,
		"cd missing && ls": Allow, "cd src || ls": Ask, "cd ..; ls": Ask, "until cd src; do ls; done": Ask, "{ cd src; ls; }; ls": Ask,
		"cd src; cat ../.env": Allow, "cd src; cd ..; ls": Ask, "cd a/x/../b; ls": Ask, "cd src/..; ls": Ask,
	} {
		if v := g.Check(t.Context(), CommandRequest(workspace, "bash", line)); v.Effect != want {
			t.Errorf("%q: %s (%s)", line, v.Effect, v.Reason)
		}
	}
}

func allowing(t *testing.T, rules ...string) Policy {
	t.Helper()
	var p Policy
	for _, r := range rules {
		if err := p.AddRule(Allow, r, Source{Layer: "user", File: "settings.toml", Line: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
