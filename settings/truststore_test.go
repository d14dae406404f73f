package settings_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/settings"
)

func TestTrustIsForOneContent(t *testing.T) { // APR-15a
	m := newMachine(t)
	trust := settings.NewTrustStore(m.Home)
	m.Trusted = trust.Trusted
	write(t, m.project, loosening)
	s := load(t, m.Sources)
	if len(s.Untrusted) != 1 || string(s.Untrusted[0].Content) != loosening {
		t.Fatalf("untrusted: %v", s.Untrusted)
	}
	if _, ok := trust.Before(m.project); ok {
		t.Error("something was trusted before")
	}
	if err := trust.Trust(m.project, s.Untrusted[0].Content); err != nil {
		t.Fatal(err)
	}
	if s = load(t, m.Sources); len(s.Untrusted) > 0 || !s.CompoundCommands.Value {
		t.Errorf("not trusted: %v", s.Untrusted)
	}
	if settings.NewTrustStore(m.Home).Trusted(m.local, []byte(loosening)) {
		t.Error("trusted under another name")
	}

	changed := strings.Replace(loosening, "shell(make)", "shell(make install)", 1)
	write(t, m.project, changed)
	if s = load(t, m.Sources); len(s.Untrusted) != 1 {
		t.Fatal("changed content is trusted")
	}
	before, ok := trust.Before(m.project)
	if !ok || string(before) != loosening {
		t.Errorf("before: %q", before)
	}
	added, same, gone := settings.LooseningSince(s.Untrusted[0], before)
	if !slices.Equal(added, []string{"permissions.allow = shell(make install)"}) || !slices.Contains(same, "bash.shell = /tmp/sh") ||
		!slices.Equal(gone, []string{"permissions.allow = shell(make)"}) {
		t.Errorf("added %q, the same %q, gone %q", added, same, gone)
	}
	if err := trust.Trust(m.project, []byte(changed)); err != nil {
		t.Fatal(err)
	}
	if trust.Trusted(m.project, []byte(loosening)) {
		t.Error("what was trusted before still is")
	}
	if list, err := trust.List(); err != nil || len(list) != 1 || list[0].File != m.project {
		t.Errorf("listed: %v, %v", list, err)
	}
	if found, err := trust.Revoke(m.project); !found || err != nil || trust.Trusted(m.project, []byte(changed)) {
		t.Errorf("revoked: %t, %v", found, err)
	}
	if found, err := trust.Revoke(m.project); found || err != nil {
		t.Errorf("revoked twice: %t, %v", found, err)
	}
}

func TestTrustFileIsTheUsersAlone(t *testing.T) { // APR-15a
	m := newMachine(t)
	trust := settings.NewTrustStore(m.Home)
	if err := trust.Trust(m.project, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{m.Home: 0o700, trust.Path(): 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestCorruptTrustIsNoTrust(t *testing.T) { // APR-15a
	good := `{"version":1,"files":[{"file":"/w/.blitz/settings.toml","sha256":"` + // of "x"
		`2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","added":"2026-01-02T03:04:05Z"}]}`
	m := newMachine(t)
	trust := settings.NewTrustStore(m.Home)
	write(t, trust.Path(), good)
	if !trust.Trusted("/w/.blitz/settings.toml", []byte("x")) {
		t.Fatal("the good file isn't read")
	}
	for _, text := range []string{
		"", "{", good + good, strings.Replace(good, `"version":1`, `"version":2`, 1), strings.Replace(good, `"added"`, `"until"`, 1), good[:len(good)-1],
	} {
		write(t, trust.Path(), text)
		if trust.Trusted("/w/.blitz/settings.toml", []byte("x")) {
			t.Errorf("%q trusts", text)
		}
		_, listErr := trust.List()
		_, revokeErr := trust.Revoke("/w/.blitz/settings.toml")
		for _, err := range []error{listErr, revokeErr, trust.Trust("/y", nil)} {
			if err == nil || !strings.Contains(err.Error(), trust.Path()) {
				t.Errorf("%q: error %v", text, err)
			}
		}
		if got, _ := os.ReadFile(trust.Path()); string(got) != text {
			t.Errorf("%q was overwritten by %q", text, got)
		}
	}
}

func TestLargeContentIsTrustedByItsHash(t *testing.T) { // APR-15a
	trust := settings.NewTrustStore(t.TempDir())
	large := []byte(strings.Repeat("#", settings.MaxTrustedContent+1))
	if err := trust.Trust("/w/s", large); err != nil {
		t.Fatal(err)
	}
	if _, ok := trust.Before("/w/s"); ok || !trust.Trusted("/w/s", large) {
		t.Error("kept, or not trusted")
	}
}

func TestTrustFollowsLinksToTheFolder(t *testing.T) { // APR-15a
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	write(t, filepath.Join(real, "s"), "x")
	link(t, real, filepath.Join(dir, "link"))
	trust := settings.NewTrustStore(dir)
	if err := trust.Trust(filepath.Join(dir, "link", "s"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if !trust.Trusted(filepath.Join(real, "s"), []byte("x")) {
		t.Error("the same file by another way isn't trusted")
	}
}

func TestLoosening(t *testing.T) { // APR-15a
	f, problems := settings.Parse("s", []byte(loosening+"answer_all = \"x\"\n"), settings.Project)
	if problems != nil {
		t.Fatal(problems)
	}
	want := []string{
		"permissions.allow = shell(make)", "permissions.read_only_defaults = true", "tools.auto_approve_commands = true",
		"tools.approval.bash = allow", "bash.shell = /tmp/sh", "bash.allow_compound_commands = true", "bash.patterns = allow make *",
		"ui.diff_lines = 1", "keys.answer_all = x", "keys.approve = space",
	}
	if got := settings.Loosening(f); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
