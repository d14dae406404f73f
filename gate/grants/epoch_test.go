package grants_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// TestForgetReachesSessions ends what a session was granted when another
// process forgets, and when the database goes; other changes leave it (TAM-12).
func TestForgetReachesSessions(t *testing.T) {
	otherProcess := func(t *testing.T, s *grants.Store) {
		if out, err := process(t, "forget", s.Path()).Output(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	remove := func(t *testing.T, s *grants.Store) {
		if err := os.Remove(s.Path()); err != nil {
			t.Fatal(err)
		}
	}
	rows := []struct {
		name      string
		saved     bool // something is saved before
		change    func(t *testing.T, s *grants.Store)
		forgotten bool
	}{
		{"another process forgets all", true, otherProcess, true},
		{"another process forgets, and nothing is saved", false, otherProcess, true},
		{"the database is removed", true, remove, true},
		{"the last row is deleted", true, func(t *testing.T, s *grants.Store) { _, _ = s.Revoke(gate.GrantFile, "/w/saved") }, true},
		{"the database is damaged", true, func(t *testing.T, s *grants.Store) { _ = os.WriteFile(s.Path(), []byte("no database"), 0o600) }, true},
		{"something is saved", false, func(t *testing.T, s *grants.Store) { save(t, s, file("/w/saved", gate.Read)) }, false},
		{"more is saved", true, func(t *testing.T, s *grants.Store) { save(t, s, file("/w/more", gate.Read)) }, false},
		{"nothing happens", false, func(*testing.T, *grants.Store) {}, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, filepath.Join(dir, "home", "approval-cache.db"))
			if err := os.Mkdir(filepath.Join(dir, "home"), 0o700); err != nil {
				t.Fatal(err)
			}
			if row.saved {
				save(t, s, file("/w/saved", gate.Read))
			}
			g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.AlwaysAskCached, Grants: s})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "a.txt")
			g.Grant(file(path, gate.Read))
			row.change(t, s)
			v := g.Decide(t.Context(), gate.ReadRequest("read", path))
			if v.Allowed() == row.forgotten {
				t.Errorf("%s: %s", v.Cause, v.Reason)
			}
			// What is granted from then on holds.
			_ = os.Remove(s.Path())
			g.Grant(file(path, gate.Read))
			if v := g.Decide(t.Context(), gate.ReadRequest("read", path)); !v.Allowed() {
				t.Errorf("granted anew: %s", v.Reason)
			}
		})
	}
}
