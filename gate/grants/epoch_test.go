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
			_ = g.Grant(file(path, gate.Read))
			row.change(t, s)
			v := g.Decide(t.Context(), gate.ReadRequest("read", path))
			if v.Allowed() == row.forgotten {
				t.Errorf("%s: %s", v.Cause, v.Reason)
			}
			// What is granted from then on holds.
			_ = os.Remove(s.Path())
			_ = g.Grant(file(path, gate.Read))
			if v := g.Decide(t.Context(), gate.ReadRequest("read", path)); !v.Allowed() {
				t.Errorf("granted anew: %s", v.Reason)
			}
		})
	}
}

// TAM-12: what a session was granted outlasts a database that can't be read for
// a moment, also when more is granted in it; what is forgotten ends all the same.
func TestGrantsWhileTheDatabaseCannotBeRead(t *testing.T) {
	for _, row := range []struct {
		name   string
		after  func(*testing.T, *grants.Store)
		lasted bool
	}{
		{"it can be read again", func(*testing.T, *grants.Store) {}, true},
		{"all is forgotten", func(t *testing.T, s *grants.Store) {
			if _, err := s.Forget(); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, filepath.Join(dir, "approval-cache.db"))
			save(t, s, file("/w/saved", gate.Read))
			g, err := gate.New(gate.Options{Workspace: dir, Mode: gate.AlwaysAskCached, Grants: s})
			if err != nil {
				t.Fatal(err)
			}
			a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
			_ = g.Grant(file(a, gate.Read))
			whole, _ := os.ReadFile(s.Path())
			_ = os.WriteFile(s.Path(), []byte("no database"), 0o600)
			_ = g.Grant(file(b, gate.Read))
			if v := g.Check(t.Context(), gate.ReadRequest("read", a)); v.Allowed() {
				t.Error("what can't be told to hold lets a request pass")
			}
			_ = os.WriteFile(s.Path(), whole, 0o600)
			row.after(t, s)
			for _, path := range []string{a, b} {
				if v := g.Check(t.Context(), gate.ReadRequest("read", path)); v.Allowed() != row.lasted {
					t.Errorf("%s: %s by %s", filepath.Base(path), v.Effect, v.Cause)
				}
			}
		})
	}
}
