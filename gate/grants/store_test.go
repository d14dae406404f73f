package grants_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// TestLazy makes folder and file at the first grant, for their owner only;
// until then there are no grants (TAM-07).
func TestLazy(t *testing.T) {
	// Names that mean something in the URI under which SQLite opens a file.
	dir := filepath.Join(t.TempDir(), "a b+c%20?#&=ü")
	s := openStore(t, filepath.Join(dir, "approval-cache.db"))
	wantGrants(t, s)
	if n, err := s.Forget(); n != 0 || err != nil {
		t.Errorf("forget: %d, %v", n, err)
	}
	if found, err := s.Revoke(gate.GrantFile, "/w/a"); found || err != nil {
		t.Errorf("revoke: %v, %v", found, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made without a grant")
	}
	save(t, s, file("/w/a", gate.Read))
	wantGrants(t, s, file("/w/a", gate.Read))
	wantMode(t, dir, 0o700|os.ModeDir)
	wantMode(t, s.Path(), 0o600)
	if names := namesIn(t, dir); len(names) != 1 {
		t.Errorf("files %q, want the database alone", names)
	}
}

// TestTiers keeps the broadest tier that was granted, in whatever order, so
// that write covers read and not the reverse (TAM-08).
func TestTiers(t *testing.T) {
	for _, first := range []gate.Tier{gate.Exec, gate.Write, gate.Read} {
		for _, then := range []gate.Tier{gate.Exec, gate.Write, gate.Read} {
			s := openStore(t, filepath.Join(t.TempDir(), "g.db"))
			save(t, s, file("/w/a", first))
			save(t, s, file("/w/a", then), file("/w/a", gate.Read))
			wantGrants(t, s, file("/w/a", min(first, then)))
		}
	}
}

// TestAbout finds what may cover a target and nothing else: a folder covers
// the files directly in it, a tree its own root (TAM-07, TAM-08).
func TestAbout(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "g.db"))
	all := []gate.GrantTarget{
		file("/w/a/x", gate.Read), folder("/w/a", gate.Write), tree("/w/a", gate.Read), folder("/", gate.Read), address("https://a.local/", gate.Read),
	}
	save(t, s, all...)
	for _, c := range []struct {
		about []gate.GrantTarget
		want  []gate.GrantTarget
	}{
		{nil, nil},
		{[]gate.GrantTarget{file("/w/a/x", gate.Exec)}, all[:2]},
		{[]gate.GrantTarget{file("/w/a/y", gate.Read)}, all[1:2]},
		{[]gate.GrantTarget{file("/w/a/b/x", gate.Read)}, nil},
		{[]gate.GrantTarget{file("/w/a", gate.Read)}, nil},
		{[]gate.GrantTarget{folder("/w/a", gate.Read)}, all[1:2]},
		{[]gate.GrantTarget{tree("/w/a", gate.Read)}, all[2:3]},
		{[]gate.GrantTarget{tree("/w", gate.Read)}, nil},
		{[]gate.GrantTarget{file("/x", gate.Read)}, all[3:4]},
		{[]gate.GrantTarget{address("https://a.local/", gate.Read), tree("/w/a", gate.Read)}, []gate.GrantTarget{all[4], all[2]}},
		{[]gate.GrantTarget{address("https://a.local/x", gate.Read)}, nil},
	} {
		got, err := s.About(c.about...)
		if err != nil || !slices.Equal(targets(got), c.want) {
			t.Errorf("about %v: %v, %v; want %v", c.about, got, err, c.want)
		}
	}
}

// TestRefused saves nothing at all when one of several can't be granted.
func TestRefused(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "g.db"))
	for _, bad := range []gate.GrantTarget{
		{}, file("", gate.Read), file("a", gate.Read), file("./a", gate.Read), file("~/a", gate.Read), folder("/w/../etc", gate.Read),
		tree("/w/", gate.Read), file("/w\x00/a", gate.Read), address("", gate.Read), file("/w/a", gate.Read+1),
		{Kind: "everything", Path: "/", Tier: gate.Read},
	} {
		err := s.Grant(gate.Grant{GrantTarget: file("/w/ok", gate.Read), Saved: true}, gate.Grant{GrantTarget: bad, Saved: true})
		if err == nil {
			t.Errorf("%q was saved", bad)
		}
	}
	if err := s.Grant(gate.Grant{GrantTarget: file("/w/a", gate.Read)}); !errors.Is(err, grants.ErrSession) {
		t.Errorf("a session grant: %v (TAM-07)", err)
	}
	wantGrants(t, s)
	var zero grants.Store
	if list, err := zero.Grants(); len(list) > 0 || err == nil || zero.Grant(gate.Grant{GrantTarget: file("/w/a", gate.Read), Saved: true}) == nil {
		t.Errorf("the zero store has %v, %v", list, err)
	}
}

// TestRevoke removes one grant, and Forget the rest (TAM-12).
func TestRevoke(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "g.db"))
	save(t, s, file("/w/b", gate.Write), file("/w/a", gate.Read), folder("/w/a", gate.Read))
	list, err := s.List()
	if err != nil || len(list) != 3 || list[0].Path != "/w/a" || list[2].Path != "/w/b" || list[0].Added.IsZero() {
		t.Errorf("list %v, %v", list, err)
	}
	for i, want := range []bool{true, false} {
		if found, err := s.Revoke(gate.GrantFile, "/w/a"); found != want || err != nil {
			t.Errorf("revoke %d: %v, %v", i, found, err)
		}
	}
	wantGrants(t, s, folder("/w/a", gate.Read), file("/w/b", gate.Write))
	if n, err := s.Forget(); n != 2 || err != nil {
		t.Errorf("forget: %d, %v", n, err)
	}
	wantGrants(t, s)
	if bytes.Contains(readFile(t, s.Path()), []byte("/w/")) {
		t.Error("what was forgotten is still in the file")
	}
}

// TestSecondGate lets a read pass in the gates of later sessions, until the
// grants are forgotten; none is restarted (TAM-07, TAM-12).
func TestSecondGate(t *testing.T) {
	dir := t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := openStore(t, filepath.Join(dir, "home", "approval-cache.db"))
	g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.AlwaysAskCached, Grants: openStore(t, s.Path())})
	if err != nil {
		t.Fatal(err)
	}
	read := gate.Request{
		Tool: "read", Targets: []string{"a"}, Declared: gate.Declaration{Tier: gate.Read},
		GrantTargets: []gate.GrantTarget{{Kind: gate.GrantFile, Path: "a", Tier: gate.Read}},
	}
	decide := func(want bool) {
		t.Helper()
		if v := g.Decide(context.Background(), read); v.Allowed() != want {
			t.Errorf("%s: %s, want allowed %v", v.Effect, v.Reason, want)
		}
	}
	decide(false)
	save(t, s, folder(filepath.ToSlash(real), gate.Read))
	decide(true)
	if _, err := s.Forget(); err != nil {
		t.Fatal(err)
	}
	decide(false)
}

func file(path string, tier gate.Tier) gate.GrantTarget {
	return gate.GrantTarget{Kind: gate.GrantFile, Path: path, Tier: tier}
}

func folder(path string, tier gate.Tier) gate.GrantTarget {
	return gate.GrantTarget{Kind: gate.GrantFolder, Path: path, Tier: tier}
}

func tree(path string, tier gate.Tier) gate.GrantTarget {
	return gate.GrantTarget{Kind: gate.GrantTree, Path: path, Tier: tier}
}

func address(url string, tier gate.Tier) gate.GrantTarget {
	return gate.GrantTarget{Kind: gate.GrantURL, Path: url, Tier: tier}
}

func openStore(t testing.TB, path string) *grants.Store {
	t.Helper()
	s, err := grants.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func save(t testing.TB, s *grants.Store, targets ...gate.GrantTarget) {
	t.Helper()
	if err := grantAll(s, targets...); err != nil {
		t.Fatal(err)
	}
}

func grantAll(s *grants.Store, targets ...gate.GrantTarget) error {
	list := make([]gate.Grant, len(targets))
	for i, target := range targets {
		list[i] = gate.Grant{GrantTarget: target, Saved: true}
	}
	return s.Grant(list...)
}

// wantGrants compares with all grants, in the order of their paths.
func wantGrants(t testing.TB, s *grants.Store, want ...gate.GrantTarget) {
	t.Helper()
	got, err := s.Grants()
	if err != nil || !slices.Equal(targets(got), want) {
		t.Errorf("grants %v, %v; want %v", got, err, want)
	}
}

func targets(list []gate.Grant) []gate.GrantTarget {
	var targets []gate.GrantTarget
	for _, g := range list {
		if !g.Saved {
			panic(fmt.Sprintf("%v is not marked as saved", g))
		}
		targets = append(targets, g.GrantTarget)
	}
	return targets
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != want && os.PathSeparator == '/' {
		t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
