package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// A machine is a home and a workspace with settings files in them.
type machine struct {
	settings.Sources
	global, workspace, project, local, overlay string
}

func newMachine(t testing.TB) machine {
	m := machine{Sources: settings.Sources{Home: filepath.Join(t.TempDir(), "home"), Workspace: t.TempDir()}}
	m.global = filepath.Join(m.Home, "settings.toml")
	m.workspace = filepath.Join(m.Home, "workspaces", settings.WorkspaceID(m.Workspace), "settings.toml")
	m.project = filepath.Join(m.Workspace, ".blitz", "settings.toml")
	m.local = filepath.Join(m.Workspace, ".blitz", "settings.local.toml")
	m.overlay = filepath.Join(m.Home, "overlay.toml")
	return m
}

func trustAll(string, []byte) bool { return true }

func load(t *testing.T, s settings.Sources) *settings.Settings {
	t.Helper()
	all, problems := settings.Load(s)
	for _, p := range problems {
		t.Errorf("unexpected problem: %v", p)
	}
	return all
}

func TestNoFiles(t *testing.T) { // APR-15
	s := load(t, newMachine(t).Sources)
	if got := describe(s.Values); got != "" || len(s.Untrusted)+len(s.Broken) > 0 {
		t.Errorf("got %s, %v, %v", got, s.Untrusted, s.Broken)
	}
	if got := s.UI.DiffLines.Or(settings.DefaultDiffLines); got != 120 { // APR-30
		t.Errorf("diff lines: %d", got)
	}
}

func TestPrecedence(t *testing.T) { // APR-14, APR-15, TAM-06, TAM-24
	m := newMachine(t)
	m.Trusted = trustAll
	m.Overlays = []string{m.overlay}
	layers := []struct {
		layer, file string
	}{{"global", m.global}, {"workspace", m.workspace}, {"project", m.project}, {"local", m.local}, {"overlay", m.overlay}}
	write(t, m.overlay, "")
	for i, l := range layers {
		write(t, l.file, fmt.Sprintf("[permissions]\nallow = [\"shell(l%d)\"]\n[bash]\nshell = %q\n[keys]\nk%d = \"x\"\nall = %q\n[tools.approval]\nbash = \"allow\"\n", i, l.layer, i, l.layer))
		s := load(t, m.Sources)
		if got := s.Shell; got.Value != l.layer || got.Source != (gate.Source{Layer: l.layer, File: l.file, Line: 4}) {
			t.Errorf("with %s: shell %v", l.layer, got)
		}
		if got := s.Keys["all"].Value; got != l.layer || len(s.Keys) != i+2 {
			t.Errorf("with %s: keys %v", l.layer, s.Keys)
		}
		if got := s.Tools["bash"].Source.Layer; got != l.layer {
			t.Errorf("with %s: tool of %s", l.layer, got)
		}
		if len(s.Rules) != i+1 || s.Rules[i].Source.Layer != l.layer {
			t.Errorf("with %s: rules %v", l.layer, s.Rules)
		}
	}
	m.Flags = settings.Flags{Deny: []string{"shell(rm)"}, Allow: []string{"web(go.dev)"}, Mode: "plan"}
	s := load(t, m.Sources)
	if got := s.Rules[len(s.Rules)-2:]; got[0].Effect != gate.Deny || got[1].Value != "web(go.dev)" || got[1].Source != (gate.Source{Layer: "flag"}) {
		t.Errorf("rules of flags: %v", got)
	}
}

const loosening = `
[permissions]
allow = ["shell(make)"]
ask = ["shell(git push)"]
deny = ["read(.env)"]
read_only_defaults = true
[tools]
auto_approve_commands = true
[tools.approval]
bash = "allow"
edit = "deny"
fetch = "prompt"
[bash]
shell = "/tmp/sh"
allow_compound_commands = true
[[bash.patterns]]
match = "make *"
approval = "allow"
[[bash.patterns]]
match = "git push *"
approval = "deny"
[blitz]
plan_review = "agent-decides"
[ui]
diff_lines = 1
[keys]
approve = "space"
`

func TestProjectsLooseningWaitsForTrust(t *testing.T) { // APR-15a
	for _, layer := range []string{"project", "local"} {
		t.Run(layer, func(t *testing.T) {
			m := newMachine(t)
			name := map[string]string{"project": m.project, "local": m.local}[layer]
			write(t, name, loosening)
			s := load(t, m.Sources)
			got := strings.ReplaceAll(describe(s.Values), name, "S")
			want := "deny = read(.env) (S:5:9)\nask = shell(git push) (S:4:8)\nplan review = agent-decides (S:23:15)\n" +
				"tool edit = deny (S:11:8)\ntool fetch = prompt (S:12:9)\npattern git push * = deny (S:19:8)\n"
			if got != want {
				t.Errorf("holds at once:\n%s\nwant:\n%s", got, want)
			}
			if len(s.Untrusted) != 1 || s.Untrusted[0].Name != name {
				t.Fatalf("untrusted: %v", s.Untrusted)
			}
			got = strings.ReplaceAll(describe(s.Untrusted[0].Values), name, "S")
			want = "allow = shell(make) (S:3:10)\nread-only defaults = true (S:6:22)\nauto-approve commands = true (S:8:25)\n" +
				"tool bash = allow (S:10:8)\nshell = /tmp/sh (S:14:9)\ncompound commands = true (S:15:27)\n" +
				"pattern make * = allow (S:16:8)\ndiff lines = 1 (S:25:14)\nkey approve = space (S:27:11)\n"
			if got != want {
				t.Errorf("waits:\n%s\nwant:\n%s", got, want)
			}

			var asked string
			m.Trusted = func(file string, content []byte) bool {
				asked = file + ":" + string(content)
				return true
			}
			if s = load(t, m.Sources); len(s.Untrusted) > 0 || len(s.Rules) != 3 || !s.CompoundCommands.Value {
				t.Errorf("trusted: %s, %v", describe(s.Values), s.Untrusted)
			}
			if asked != name+":"+loosening {
				t.Errorf("asked about %q", asked)
			}
		})
	}
}

func TestTrustIsNotAskedForRestrictions(t *testing.T) { // APR-15a
	m := newMachine(t)
	write(t, m.project, "[permissions]\ndeny = [\"shell(rm)\"]\nread_only_defaults = false\n[bash]\nallow_compound_commands = false\n")
	m.Trusted = func(string, []byte) bool { t.Error("asked for trust"); return false }
	write(t, m.global, "[bash]\nallow_compound_commands = true\n")
	s := load(t, m.Sources)
	if len(s.Rules) != 1 || s.ReadOnlyDefaults.Or(true) || s.CompoundCommands.Value || len(s.Untrusted) > 0 {
		t.Errorf("got %s", describe(s.Values))
	}
}

func TestUsersFilesNeedNoTrust(t *testing.T) { // APR-15a
	m := newMachine(t)
	for _, name := range []string{m.global, m.workspace, m.overlay} {
		m.Overlays = []string{m.overlay}
		write(t, m.overlay, "")
		write(t, name, loosening)
		if s := load(t, m.Sources); len(s.Untrusted) > 0 || s.Tools["bash"].Value != gate.PolicyAllow {
			t.Errorf("%s: %s", name, describe(s.Values))
		}
	}
}

// What the user restricts for a tool stays, also against a trusted project
// (TAM-03, APR-15a).
func TestProjectsDoNotLiftWhatTheUserRestricts(t *testing.T) {
	m := newMachine(t)
	m.Trusted = trustAll
	write(t, m.global, "[tools.approval]\nbash = \"deny\"\nedit = \"prompt\"\nweb = \"allow\"\nmv = \"deny\"\n")
	write(t, m.project, "[tools.approval]\nbash = \"allow\"\nedit = \"deny\"\nweb = \"prompt\"\nmv = \"prompt\"\n")
	s, problems := settings.Load(m.Sources)
	got := fmt.Sprint(s.Tools["bash"].Value, s.Tools["edit"].Value, s.Tools["web"].Value, s.Tools["mv"].Value)
	if got != "denydenypromptdeny" {
		t.Errorf("got %s", got)
	}
	if len(problems) != 2 || problems[0].Severity != settings.Warning || !strings.Contains(problems[0].Error(), "settings.toml:2:8: allow for the tool bash has no effect") ||
		!strings.Contains(problems[1].Error(), "prompt for the tool mv has no effect") {
		t.Errorf("problems: %v", problems)
	}
}

func TestTheUsersWorkspaceFileMayLiftTheirOwnDeny(t *testing.T) { // TAM-03
	m := newMachine(t)
	write(t, m.global, "[tools.approval]\nbash = \"deny\"\n")
	write(t, m.workspace, "[tools.approval]\nbash = \"allow\"\n")
	if s := load(t, m.Sources); s.Tools["bash"].Value != gate.PolicyAllow {
		t.Errorf("got %v", s.Tools)
	}
}

func TestPatternOrder(t *testing.T) { // TAM-16, APR-15a
	m := newMachine(t)
	pattern := func(approval, match string) string {
		return fmt.Sprintf("[[bash.patterns]]\nmatch = %q\napproval = %q\n", match, approval)
	}
	write(t, m.global, pattern("allow", "g1")+pattern("deny", "g2")+pattern("allow", "g3"))
	write(t, m.workspace, pattern("prompt", "w1"))
	write(t, m.project, pattern("prompt", "p1")+pattern("deny", "p2")+pattern("allow", "p3")+pattern("deny", "p4"))
	for _, tt := range []struct {
		trusted func(string, []byte) bool
		want    string
	}{
		{nil, "p2 p4 w1 g1 g2 p1 g3"},
		{trustAll, "p2 w1 g1 g2 p1 p3 p4 g3"},
	} {
		m.Trusted = tt.trusted
		var got []string
		for _, p := range load(t, m.Sources).Patterns {
			got = append(got, p.Match)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("got %v, want %s", got, tt.want)
		}
	}
}

func holds(s *settings.Settings) (n int) {
	for _, r := range s.Rules {
		if r.Err != nil && r.Effect != gate.Allow {
			n++
		}
	}
	return n
}

func TestBrokenFilesHoldEverything(t *testing.T) { // APR-15
	broken := "[permissions]\nallow = [\"shell(ls)\"]\ndeny = [\"shell(rm)\"]\n[tools]\nauto_approve_commands = true\n["
	for _, tt := range []struct {
		name  string
		spoil func(*testing.T, *machine)
		want  string
	}{
		{"global", func(t *testing.T, m *machine) { write(t, m.global, broken) }, "settings.toml:6:1: this is not valid TOML"},
		{"local", func(t *testing.T, m *machine) { write(t, m.local, broken) }, "settings.local.toml:6:1: this is not valid TOML"},
		{"a folder", func(t *testing.T, m *machine) { write(t, filepath.Join(m.project, "x"), "") }, "can't be read: not a regular file"},
		{"an endless device", func(t *testing.T, m *machine) { link(t, "/dev/zero", m.project) }, "can't be read: not a regular file"},
		{"a link to itself", func(t *testing.T, m *machine) { link(t, m.project, m.project) }, "can't be read: too many levels"},
		{"too large", func(t *testing.T, m *machine) { write(t, m.global, strings.Repeat("#", settings.MaxFileSize+1)) }, "larger than 8 MB"},
		{"a missing overlay", func(t *testing.T, m *machine) { m.Overlays = []string{m.overlay} }, "there is no such settings file: everything asks until there is"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(t)
			m.Trusted = trustAll
			write(t, m.workspace, "[permissions]\nask = [\"shell(git push)\"]\n")
			tt.spoil(t, &m)
			s, problems := settings.Load(m.Sources)
			if len(problems) != 1 || !strings.Contains(problems[0].Error(), tt.want) {
				t.Errorf("problems: %v", problems)
			}
			if len(s.Broken) != 1 || holds(s) != 1 {
				t.Errorf("broken %v, rules %v", s.Broken, s.Rules)
			}
			asks := 0
			for _, r := range s.Rules {
				if r.Effect == gate.Allow {
					t.Errorf("%s loosens from a broken file", r.Value)
				}
				if r.Effect == gate.Ask {
					asks++
				}
			}
			if asks != 1 || s.AutoApproveCommands.Value {
				t.Errorf("the other file should apply, and nothing loose of this one: %s", describe(s.Values))
			}
		})
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

func TestABrokenFileKeepsItsDenies(t *testing.T) { // APR-15
	m := newMachine(t)
	write(t, m.project, "[permissions]\ndeny = [\"shell(rm)\"]\n[tools.approval]\nbash = \"prompt\"\nedit = \"allow\"\n[")
	s, _ := settings.Load(m.Sources)
	if s.Rules[0].Value != "shell(rm)" || s.Tools["bash"].Value != gate.PolicyPrompt || len(s.Tools) != 1 {
		t.Errorf("got %s", describe(s.Values))
	}
}

// .blitz may be a file of some other program; then there are no settings.
func TestBlitzIsAFile(t *testing.T) {
	m := newMachine(t)
	write(t, filepath.Join(m.Workspace, ".blitz"), "something else")
	load(t, m.Sources)
}

// In the home directory the user's file is also where a project's would be.
func TestHomeAsWorkspace(t *testing.T) {
	home := t.TempDir()
	name := filepath.Join(home, ".blitz", "settings.toml")
	write(t, name, "[blitz]\npermission_mode = \"plan\"\n[permissions]\nallow = [\"shell(make)\"]\n")
	t.Setenv("HOME", home)
	t.Setenv("BLITZ_HOME", "")
	s := load(t, settings.Sources{Workspace: home})
	if s.Mode.Source.Layer != "global" || len(s.Rules) != 1 || len(s.Untrusted) > 0 {
		t.Errorf("got %s", describe(s.Values))
	}
}

func TestHomeFromTheEnvironment(t *testing.T) {
	home := t.TempDir()
	t.Setenv("BLITZ_HOME", home)
	write(t, filepath.Join(home, "settings.toml"), "[ui]\nplain = true\n")
	if s := load(t, settings.Sources{}); !s.UI.Plain.Value {
		t.Error("BLITZ_HOME was not read")
	}
	t.Setenv("BLITZ_HOME", "")
	t.Setenv("HOME", "")
	s, problems := settings.Load(settings.Sources{})
	if len(problems) != 1 || holds(s) != 1 || len(s.Broken) != 1 {
		t.Errorf("without a home: %v, %s", problems, describe(s.Values))
	}
	// One that depends on where the program runs is none: rules would be lost.
	for name, value := range map[string]string{"BLITZ_HOME": "gate", "HOME": "here"} {
		t.Setenv("BLITZ_HOME", "")
		t.Setenv("HOME", home)
		t.Setenv(name, value)
		if dir, err := settings.DefaultHome(); err == nil {
			t.Errorf("%s=%s: %s", name, value, dir)
		}
	}
}

func TestWorkspaceID(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "my näme.d")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	alias := filepath.Join(dir, "alias")
	link(t, real, alias)
	id := settings.WorkspaceID(real)
	if id != settings.WorkspaceID(alias) || id != settings.WorkspaceID(real+"/.") {
		t.Error("one directory has several ids")
	}
	if !strings.HasPrefix(id, "my-n-me-d-") || len(id) != len("my-n-me-d-")+10 {
		t.Errorf("got %s", id)
	}
	if a, b := settings.WorkspaceID("/a/x"), settings.WorkspaceID("/b/x"); a == b {
		t.Errorf("two directories share %s", a)
	}
	if got := settings.WorkspaceID("/"); strings.ContainsAny(got, "/.") || got == "" {
		t.Errorf("the root is %q", got)
	}
}
