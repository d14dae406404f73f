package gate

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// APR-13, APR-15: what a read rule denies can't be read by a command either:
// not by name, nor by a wildcard, another user's home or a program whose use of
// its words isn't known. Of these, what is only possible is asked about.
func TestReadRulesReachCommands(t *testing.T) {
	denied := []string{"read(.env)", "read(keys/)", "read(**/*.pem)", "read(~/.ssh/)"}
	tests := []struct {
		command string
		want    Effect
	}{
		{"cat .env", Deny},
		{"head -n 1 src/../.env", Deny},
		{"cat README.md", Allow},
		{"cat .e*", Ask},
		{"cat .*", Ask},
		{"cat *", Ask}, // a.pem may be there
		{"cat *.go", Allow},
		{"cat src/*.[ch]", Allow},
		{"wc -l */*.md", Ask}, // keys/a.md
		{"wc -l src/*/*.md", Allow},
		{"grep -n x src/*.go", Allow},
		{"cat */*.p?m", Ask},
		{"cat *.[p]em", Ask},
		{"cat ke?s/*", Ask},
		{"cat keys/id", Deny},
		{"cat */id", Ask},
		{"cat k*", Ask},      // the folder itself
		{"cat **/x.go", Ask}, // where ** is any depth, it is in keys too
		{"cat a.pem", Deny},
		{"cat *.pem", Ask},
		{"cat *.txt", Allow},
		{"cat ~/.ssh/id", Deny},
		{"cat ~u/.ssh/id", Ask},
		{"cat ~/notes", Allow},
		{"anything .env", Ask},
		{"anything README.md", Allow},
	}
	for _, tt := range tests {
		s := setup{mode: Default, deny: denied, allow: []string{"shell(anything)", "shell(cat)", "shell(wc)", "shell(grep)"}}
		if v := s.check(t, shellRun(tt.command)); v.Effect != tt.want {
			t.Errorf("%s: %s by %s (%s), want %s", tt.command, v.Effect, v.Step, v.Reason, tt.want)
		}
	}
}

// APR-13: nor by a wildcard that matches a link to it.
func TestReadRulesReachLinks(t *testing.T) {
	workspace := t.TempDir()
	for _, folder := range []string{"keys", "src", "docs"} {
		if err := os.Mkdir(filepath.Join(workspace, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"src/a.txt": "../keys/id", "docs/more": "../keys", "docs/b.md": "a.md", "ring": "ring"} {
		if err := os.Symlink(to, filepath.Join(workspace, link)); err != nil {
			t.Fatal(err)
		}
	}
	p := Policy{}
	if err := p.AddRule(Deny, "read(keys/**)", Source{}); err != nil {
		t.Fatal(err)
	}
	g, err := New(Options{Workspace: workspace, Mode: Default, Policy: p, Approver: always(Answer{})})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]Effect{
		"cat src/*": Ask, "cat src/?.txt": Ask, "cat src/*.go": Allow, "cat */a.txt": Ask, "cat docs/*/id": Ask, "cat docs/[!a]*": Ask, "cat docs/*.md": Allow,
		"ls *": Allow, "cat ./r*": Allow, "cat none/*": Allow,
	} {
		if v := g.Check(t.Context(), shellRun(command)); v.Effect != want {
			t.Errorf("%s: %s by %s (%s), want %s", command, v.Effect, v.Step, v.Reason, want)
		}
	}
}

// TAM-07: what would be granted is looked at as what is asked is; an address
// isn't a file.
func TestReadRulesReachGrantTargets(t *testing.T) {
	s := setup{mode: AlwaysAskCached, deny: []string{"read(.env)"}}
	req := tool("look", Declaration{Tier: Read})
	for path, want := range map[string]Effect{".env": Deny, ".env:1-3": Deny, "a": Ask} {
		req.GrantTargets = []GrantTarget{{Kind: GrantFile, Path: path, Tier: Read}}
		if v := s.check(t, req); v.Effect != want {
			t.Errorf("%s: %s, want %s", path, v.Effect, want)
		}
	}
	req.GrantTargets = []GrantTarget{{Kind: GrantURL, Path: ".env", Tier: Read}}
	if v := s.check(t, req); v.Effect == Deny {
		t.Errorf("an address is taken for a file: %s", v.Reason)
	}
}

// Without a rule for any depth, a * that takes everything reaches no folder.
func TestGlobsMeetRules(t *testing.T) {
	tests := []struct {
		rule, glob string
		want       bool
	}{
		{"/w/.env", "/w/*", false}, {"/w/.env", "/w/.*", true}, {"/w/.env", "/*/.env", true}, {"/w/.env", "/w/.e?v", true}, {"/w/.env", "/w/?env", false},
		{"/w/keys/", "/w/*", false}, {"/w/keys/", "/w/*/*", true}, {"/w/keys/", "/w/k*", true}, {"/w/keys/", "/w/src/*", false}, {"/w/keys/", "/w/keys/a*", true},
		{"/w/keys", "/w/*", true}, {"/w/keys", "/w/*/id", true}, {"/w/keys", "/w/src/*", false},
		{"/w/**/*.pem", "/w/*.txt", false}, {"/w/**/*.pem", "/w/a/b/*.p*", true}, {"/w/**/*.pem", "/v/*.pem", false}, {"/w/**/*.pem", "/w/*", true},
		{"/w/secret/**", "/w/*", false}, {"/w/secret/**", "/w/s*", true}, {"/w/secret/**", "/w/*/x", true}, {"/w/s*t/**", "/w/[a-t]*/x", true},
		{"/w/a?c", "/w/*b*", true}, {"/w/a?c", "/w/abcd*", false}, {"/w/[id].ts", "/w/*.ts", true}, {"/w/[id].ts", "/w/*.go", false},
		{"/w/a*b", "/w/*a", false}, {"/w/a*b", "/w/*ab", true}, {"/w/a*b*c", "/w/*c*", true}, {"/w/\u00e4*", "/w/\u00e4?", true},
		{"/w/x", "/w/\\x*", true}, {"/w/x", "/w/\\**", false},
	}
	for _, tt := range tests {
		m, err := newPathMatcher(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		f := newFilePattern(&Rule{}, m, m.pattern)
		if got := f.mayMeet(tt.glob); got != tt.want {
			t.Errorf("%s may meet %s: %t, want %t", tt.glob, tt.rule, got, tt.want)
		}
	}
}

// Whatever a wildcard of a command may name, and a rule restricts, is asked
// about: no pair is missed (APR-13).
func TestGlobsThatMeetAreFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	name := func(parts ...string) (s string) {
		for range 1 + rng.IntN(3) {
			s += pick(parts...)
		}
		return s
	}
	path := func(component func() string) (s string) {
		for range 1 + rng.IntN(3) {
			s += "/" + component()
		}
		return s
	}
	met := 0
	for range 200_000 {
		file := path(func() string { return name("a", "b", ".") })
		glob := path(func() string { return name("a", "b", ".", "*", "?", "[ab]", "[!a]") })
		rule := path(func() string { return pick("**", name("a", "b", ".", "*", "?"), name("a", "b", ".")) }) + pick("", "", "/", "/**")
		m, err := newPathMatcher(rule)
		if err != nil {
			continue
		}
		f := newFilePattern(&Rule{}, m, m.pattern)
		ok, err := doublestar.Match(glob, file)
		if err != nil || !ok || !f.restricts(file) || hidesDot(glob, file) {
			continue
		}
		if !strings.Contains(glob, "**") && len(parts(glob)) != len(parts(file)) {
			continue // the library lets [!a] be a slash
		}
		met++
		last := glob[strings.LastIndexByte(glob, '/')+1:]
		if !f.mayMeet(glob) && strings.Trim(last, "*") != "" {
			t.Fatalf("%s names %s, which read(%s) restricts, and isn't asked about", glob, file, rule)
		}
	}
	if met < 1000 {
		t.Errorf("only %d pairs met", met)
	}
}

// hidesDot reports whether a shell keeps file from glob for a leading dot.
func hidesDot(glob, file string) bool {
	gs, fs := parts(glob), parts(file)
	for i := range min(len(gs), len(fs)) {
		if strings.HasPrefix(fs[i], ".") && !strings.HasPrefix(gs[i], ".") {
			return true
		}
	}
	return false
}
