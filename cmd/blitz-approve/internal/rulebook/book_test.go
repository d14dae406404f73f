//go:build unix

package rulebook

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// bookOf is the book of a session without an agent, whose files hold some
// rules.
func bookOf(t *testing.T) *Book {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	sources := settings.Sources{Home: filepath.Join(home, ".blitz"), Workspace: filepath.Join(home, "src", "shop")}
	for path, text := range map[string]string{
		filepath.Join(sources.Home, "settings.toml"):                "[permissions]\n# CI builds what is pushed.\nask = [\"shell(git push)\"]\n",
		filepath.Join(sources.Workspace, ".blitz", "settings.toml"): "[permissions]\ndeny = [\"write(vendor/**)\"]\nallow = [\"shell(make)\", \"shell(npm *)\"]\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	b := &Book{
		Workspace: sources.Workspace, Trust: settings.NewTrustStore(sources.Home),
		AuditPath: filepath.Join(sources.Home, "audit.jsonl"), ApprovalsPath: filepath.Join(sources.Home, "approvals.json"),
	}
	sources.Trusted = b.Trust.Trusted
	b.Sources = sources
	b.Apply = func() { b.Gate.SetPolicy(policyIn(sources)) }
	var errs [3]error
	b.Approvals, errs[0] = gate.OpenApprovals(b.ApprovalsPath)
	b.Grants, errs[1] = grants.Open(filepath.Join(sources.Home, "approval-cache.db"))
	b.Gate, errs[2] = gate.New(gate.Options{
		Workspace: b.Workspace, GateHome: sources.Home, Policy: policyIn(sources), Mode: gate.Default,
		Approvals: b.Approvals, Grants: b.Grants,
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return b
}

func policyIn(sources settings.Sources) gate.Policy {
	now, _ := settings.Load(sources)
	p, _ := policy.Of(&now.Values)
	return p
}

// itemOf finds an item by what it shows.
func itemOf(t *testing.T, page tui.RulePage, text string) (tui.RuleGroup, tui.RuleItem) {
	t.Helper()
	for _, g := range page.Groups {
		for _, it := range g.Items {
			if it.Text == text {
				return g, it
			}
		}
	}
	t.Fatalf("no %q in %+v", text, page)
	return tui.RuleGroup{}, tui.RuleItem{}
}

// APR-15: only the person's own files are changed in place, and what is changed
// holds from the next decision on.
func TestRulesOfFiles(t *testing.T) {
	d := bookOf(t)
	page := d.pages()[0]
	if _, it := itemOf(t, page, "write(vendor/**)"); it.Change != nil || it.Remove != nil {
		t.Error("a project's rule can be changed as if it were one's own")
	}
	for _, g := range page.Groups {
		for _, it := range g.Items {
			if it.Text == "shell(make)" {
				t.Error("what waits for trust is among the rules in force")
			}
		}
	}
	_, it := itemOf(t, page, "shell(git push)")
	if err := it.Change("shell(git push"); !errors.Is(err, gate.ErrRule) {
		t.Errorf("a rule that can't be read is saved: %v", err)
	}
	if err := it.Change("shell(git fetch)"); err != nil {
		t.Fatal(err)
	}
	v, err := d.sample("git fetch")
	if err != nil || v.Rule == nil || v.Rule.Text != "shell(git fetch)" {
		t.Errorf("%+v, %v", v.Rule, err)
	}
	text, err := os.ReadFile(filepath.Join(d.Sources.Home, "settings.toml"))
	if err != nil || !strings.Contains(string(text), "# CI builds what is pushed.") {
		t.Errorf("the comment is lost: %s %v", text, err)
	}
	if err := it.Remove(); !errors.Is(err, errGone) {
		t.Errorf("what is gone is removed: %v", err)
	}
}

// A broken file says where, and nothing of it is changed in place; what is
// wrong can be mended in the editor.
func TestBrokenFileOnTheScreen(t *testing.T) {
	d := bookOf(t)
	path := filepath.Join(d.Sources.Home, "settings.toml")
	if err := os.WriteFile(path, []byte("[permissions]\ndeny = [\"shell(rm *)\"]\nallow = [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pages := d.pages()
	i := slices.IndexFunc(pages[0].Groups, func(g tui.RuleGroup) bool { return g.Problem != "" })
	if i < 0 {
		t.Fatalf("no problem is shown: %+v", pages[0].Groups)
	}
	g := pages[0].Groups[i]
	if !strings.Contains(g.Problem, "settings.toml:") {
		t.Errorf("no place in %q", g.Problem)
	}
	for _, it := range g.Items {
		if it.Change != nil || it.Remove != nil {
			t.Errorf("%q can be changed", it.Text)
		}
	}
	before, err := g.File.Content()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.File.Save(before, before+"]]\n"); err == nil {
		t.Error("a file with a mistake is saved")
	}
	if err := g.File.Save(before, "[permissions]\ndeny = [\"shell(rm *)\"]\n"); err != nil {
		t.Error(err)
	}
	// Somebody else was faster: what was written is kept beside.
	err = g.File.Save(before, "[ui]\nplain = true\n")
	if !errors.Is(err, settings.ErrChanged) || !errors.Is(err, tui.ErrRuleFileChanged) || !strings.Contains(err.Error(), "what you wrote is in ") {
		t.Fatalf("%v", err)
	}
	_, kept, _ := strings.Cut(err.Error(), "what you wrote is in ")
	if text, err := os.ReadFile(kept); err != nil || string(text) != "[ui]\nplain = true\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// A value is checked as validate checks it, before it is saved; a built-in one
// goes into the person's global file.
func TestSettingsOnTheScreen(t *testing.T) {
	d := bookOf(t)
	_, it := itemOf(t, d.pages()[2], "ui.diff_lines = 120")
	if _, err := it.Check("none"); err == nil || !strings.Contains(err.Error(), "a whole number from 1") {
		t.Errorf("%v", err)
	}
	if it.Change("none") == nil {
		t.Error("what validate refuses is saved")
	}
	note, err := it.Check("60")
	if err != nil || !strings.Contains(note, "from the next start") {
		t.Errorf("%q, %v", note, err)
	}
	if err := it.Change("60"); err != nil {
		t.Fatal(err)
	}
	g, it := itemOf(t, d.pages()[2], "ui.diff_lines = 60")
	if !strings.Contains(g.Title, "settings.toml") {
		t.Errorf("it stands under %s", g.Title)
	}
	if err := it.Remove(); err != nil {
		t.Fatal(err)
	}
	itemOf(t, d.pages()[2], "ui.diff_lines = 120")
	// One that holds at once does.
	_, it = itemOf(t, d.pages()[2], "tools.auto_approve_commands = false")
	if err := it.Change("true"); err != nil {
		t.Fatal(err)
	}
	if v, err := d.sample("make deploy"); err != nil || !v.Allowed() {
		t.Errorf("%v, %v", v, err)
	}
}

// APR-15a: exactly what was shown is trusted.
func TestTrustOnTheScreen(t *testing.T) {
	d := bookOf(t)
	offer := d.pages()[3].Offer
	if offer == nil || !slices.Contains(offer.Lines, "+ permissions.allow = shell(npm *)") {
		t.Fatalf("%+v", offer)
	}
	file := filepath.Join(d.Workspace, ".blitz", "settings.toml")
	if err := os.WriteFile(file, []byte("[permissions]\nallow = [\"shell(*)\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := offer.Accept(); !errors.Is(err, settings.ErrChanged) {
		t.Errorf("what wasn't shown is trusted: %v", err)
	}
	if v, err := d.sample("make deploy"); err != nil || v.Allowed() {
		t.Errorf("%v, %v", v.Effect, err)
	}
	again := d.pages()[3].Offer
	if again == nil || again.Digest == offer.Digest {
		t.Fatalf("the same offer: %+v", again)
	}
	if err := again.Accept(); err != nil {
		t.Fatal(err)
	}
	page := d.pages()[3]
	if page.Offer != nil || len(page.Groups) != 1 {
		t.Fatalf("%+v", page)
	}
	if v, err := d.sample("make deploy"); err != nil || !v.Allowed() {
		t.Errorf("%v, %v", v.Effect, err)
	}
	if err := page.Groups[0].Items[0].Remove(); err != nil {
		t.Fatal(err)
	}
	if d.pages()[3].Offer == nil {
		t.Error("what is trusted no longer doesn't wait")
	}
}

// APR-21, TAM-12: a saved approval that is taken back is asked again in this
// session too; a grant is revoked alone.
func TestRememberedOnTheScreen(t *testing.T) {
	d := bookOf(t)
	req := gate.CommandRequest(d.Workspace, "bash", "make deploy")
	d.Gate.Remember(req.Key)
	if err := d.Approvals.Save(req.Key, req.KeyLabel, time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/srv/a", "/srv/b"} {
		if err := d.Grants.Grant(gate.Grant{GrantTarget: gate.GrantTarget{Kind: gate.GrantFile, Path: name, Tier: gate.Read}, Saved: true}); err != nil {
			t.Fatal(err)
		}
	}
	if v, _ := d.sample("make deploy"); !v.Allowed() {
		t.Fatal(v)
	}
	page := d.pages()[1]
	_, it := itemOf(t, page, "cmd: make deploy · in ~/src/shop")
	if err := it.Remove(); err != nil {
		t.Fatal(err)
	}
	if v, _ := d.sample("make deploy"); v.Allowed() {
		t.Error("it still passes in this session")
	}
	_, it = itemOf(t, page, "file /srv/a to read")
	if err := it.Remove(); err != nil {
		t.Fatal(err)
	}
	if list, err := d.Grants.List(); err != nil || len(list) != 1 || list[0].GrantTarget.Path != "/srv/b" {
		t.Errorf("%+v, %v", list, err)
	}
}

// What is written is a request of the form kind(target), or a command line.
func TestSamples(t *testing.T) {
	d := bookOf(t)
	for text, want := range map[string]gate.Kind{"write(docs/a.md)": gate.WriteFile, "git log": gate.RunCommand, "f() { ls; }": gate.RunCommand, "echo $(ls)": gate.RunCommand, "mcp(github:issue)": gate.MCPTool} {
		if v, err := d.sample(text); err != nil || v.Request.Kind != want {
			t.Errorf("%s: %q, %v", text, v.Request.Kind, err)
		}
	}
	if _, err := d.sample("fetch(x)"); err == nil || !strings.Contains(err.Error(), "unknown kind") {
		t.Errorf("%v", err)
	}
}

// APR-15: a path in a rule that restricts holds for what lies below it too, and
// the screen says so.
func TestRuleWordsSayWhatLiesBelow(t *testing.T) {
	for _, row := range []struct {
		effect gate.Effect
		rule   string
		want   string
	}{
		{gate.Deny, "read(src)", "reading files: the path src and what lies below it"},
		{gate.Ask, "write(src)", "writing to files: the path src and what lies below it"},
		{gate.Allow, "write(src)", "writing to files: the path src"},
		{gate.Allow, "write(src/)", "writing to files: the path src/ and what lies below it"},
		{gate.Deny, "delete(*.go)", "deleting files whose path matches *.go: * stands for a name, ** for any folders"},
		{gate.Deny, "shell(rm)", `commands that begin with the words "rm"`},
	} {
		if got, err := readRule(row.effect, row.rule); got != row.want || err != nil {
			t.Errorf("%s %s: %q, %v", row.effect, row.rule, got, err)
		}
	}
}
