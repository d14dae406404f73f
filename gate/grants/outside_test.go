package grants_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// TestShell deletes and adds rows with the sqlite3 program, as a person does;
// it counts at once (TAM-12).
func TestShell(t *testing.T) {
	s := filled(t)
	shell(t, s, "SELECT kind, path, tier FROM grants ORDER BY path", "file|/w/a|write", "folder|/w/b|read")
	shell(t, s, "DELETE FROM grants")
	wantGrants(t, s)
	shell(t, s, "INSERT INTO grants VALUES ('file', '/w/c', 'read', 'by hand')")
	wantGrants(t, s, file("/w/c", gate.Read))
	save(t, s, file("/w/c", gate.Write))
	shell(t, s, "SELECT tier FROM grants", "write")
}

// TestShellWAL works also with a database that a person put into another
// journal mode, and leaves nothing behind that could bring rows back.
func TestShellWAL(t *testing.T) {
	s := filled(t)
	shell(t, s, "PRAGMA journal_mode = wal", "wal")
	save(t, s, file("/w/c", gate.Read))
	shell(t, s, "DELETE FROM grants WHERE path <> '/w/c'")
	wantGrants(t, s, file("/w/c", gate.Read))
	shell(t, s, "DROP TABLE grants")
	wantGrants(t, s)
	save(t, s, file("/w/d", gate.Read))
	wantGrants(t, s, file("/w/d", gate.Read))
}

// TestShellDump fills a new file from a dump, and from nothing at all.
func TestShellDump(t *testing.T) {
	s := filled(t)
	dump := run(t, "sqlite3", s.Path(), ".dump")
	remove(t, s, "")
	wantGrants(t, s)
	shell(t, s, dump)
	wantGrants(t, s, file("/w/a", gate.Write), folder("/w/b", gate.Read))
	remove(t, s, "")
	shell(t, s, "CREATE TABLE other (x); VACUUM")
	wantGrants(t, s)
	save(t, s, file("/w/c", gate.Read))
	wantGrants(t, s, file("/w/c", gate.Read))
}

// TestByHand takes rows that don't say exactly one of the things that can be
// granted for none at all; an unknown tier is not the zero one (TAM-08).
func TestByHand(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "g.db"))
	other := connect(t, s)
	execute(t, other, `CREATE TABLE grants (kind, path, tier, added, PRIMARY KEY (kind, path));
		INSERT INTO grants VALUES ('file', '/1', 'Exec', ''), ('file', '/2', '', ''), ('file', '/3', NULL, ''), ('file', '/4', 0, ''),
			('File', '/5', 'exec', ''), (NULL, '/6', 'exec', ''), ('file', 'rel', 'exec', ''), ('file', NULL, 'exec', ''),
			('folder', '/w/../etc', 'exec', ''), ('folder', '', 'exec', ''), ('tree', '~', 'exec', ''), ('url', '', 'exec', ''),
			('file', '/good', 'read', NULL)`)
	wantGrants(t, s, file("/good", gate.Read))
	if list, err := s.About(file("/1", gate.Read), file("/2", gate.Read), folder("/w/../etc", gate.Read)); len(list) > 0 || err != nil {
		t.Errorf("about: %v, %v", list, err)
	}
	save(t, s, file("/1", gate.Read))
	wantGrants(t, s, file("/1", gate.Read), file("/good", gate.Read))
}

// TestSecondConnection sees what another connection deletes while the store
// is in use, and waits for one that is at work (TAM-12).
func TestSecondConnection(t *testing.T) {
	s := filled(t)
	other := connect(t, s)
	execute(t, other, "DELETE FROM grants WHERE kind = 'file'")
	wantGrants(t, s, folder("/w/b", gate.Read))
	execute(t, other, "BEGIN IMMEDIATE; DELETE FROM grants")
	wantGrants(t, s, folder("/w/b", gate.Read))
	done := make(chan error)
	go func() { done <- grantAll(s, file("/w/c", gate.Read)) }()
	execute(t, other, "COMMIT")
	if err := <-done; err != nil {
		t.Error(err)
	}
	wantGrants(t, s, file("/w/c", gate.Read))
}

// TestLocked has no grants while another program keeps the file to itself, and
// gives up after two seconds, or five for a change.
func TestLocked(t *testing.T) {
	s := filled(t)
	execute(t, connect(t, s), "BEGIN EXCLUSIVE")
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if list, err := s.Grants(); len(list) > 0 || !errors.Is(err, sqlite3.BUSY) || errors.Is(err, grants.ErrDamaged) {
			t.Errorf("grants %v, %v", list, err)
		}
		if took := time.Since(start).Round(time.Second); took != 2*time.Second {
			t.Errorf("a question took %v", took)
		}
		start = time.Now()
		if n, err := s.Forget(); n > 0 || !errors.Is(err, sqlite3.BUSY) {
			t.Errorf("forget: %d, %v", n, err)
		}
		if took := time.Since(start).Round(time.Second); took != 5*time.Second {
			t.Errorf("a change took %v", took)
		}
	})
}

// TestRemoved counts a removed file as no grants, whatever stays beside it,
// and begins anew with the next one (TAM-12).
func TestRemoved(t *testing.T) {
	for _, mode := range []string{"delete", "wal"} {
		for _, leftover := range []string{"", "-journal", "-wal", "-shm"} {
			t.Run(mode+leftover, func(t *testing.T) {
				s := filled(t)
				other := connect(t, s)
				// A change that is left open keeps the files beside it there.
				execute(t, other, "PRAGMA journal_mode = "+mode+"; BEGIN IMMEDIATE; DELETE FROM grants; INSERT INTO grants VALUES ('file', '/w/z', 'exec', '')")
				kept := readFile(t, s.Path()+leftover)
				remove(t, s, "")
				for _, end := range []string{"-journal", "-wal", "-shm"} {
					if end != leftover {
						remove(t, s, end)
					}
				}
				wantGrants(t, s)
				if err := other.Close(); err != nil {
					t.Log("the other connection:", err)
				}
				if leftover != "" {
					if err := os.WriteFile(s.Path()+leftover, kept, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				wantGrants(t, s)
				save(t, s, file("/w/new", gate.Read))
				wantGrants(t, s, file("/w/new", gate.Read))
			})
		}
	}
}

// TestReplaced reads a file that was put in the place of another.
func TestReplaced(t *testing.T) {
	s := filled(t)
	next := openStore(t, s.Path()+".next")
	save(t, next, file("/w/next", gate.Read))
	if err := os.Rename(next.Path(), s.Path()); err != nil {
		t.Fatal(err)
	}
	wantGrants(t, s, file("/w/next", gate.Read))
	save(t, s, file("/w/more", gate.Read))
	wantGrants(t, s, file("/w/more", gate.Read), file("/w/next", gate.Read))
}

func filled(t *testing.T) *grants.Store {
	t.Helper()
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	save(t, s, folder("/w/b", gate.Read), file("/w/a", gate.Write))
	wantGrants(t, s, file("/w/a", gate.Write), folder("/w/b", gate.Read))
	return s
}

// shell gives a line to the sqlite3 program and compares what it prints.
func shell(t *testing.T, s *grants.Store, sql string, want ...string) {
	t.Helper()
	if got := strings.TrimSpace(run(t, "sqlite3", s.Path(), sql)); got != strings.Join(want, "\n") {
		t.Errorf("%s printed %q, want %q", sql, got, want)
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("SKIPPED: no %s program is installed, so what a person does with it is not shown; TestSecondConnection does the like", name)
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// connect opens the file as any other program would.
func connect(t *testing.T, s *grants.Store) *sqlite3.Conn {
	t.Helper()
	c, err := sqlite3.Open("file:" + filepath.ToSlash(s.Path()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.BusyTimeout(time.Minute); err != nil {
		t.Fatal(err)
	}
	return c
}

func execute(t *testing.T, c *sqlite3.Conn, sql string) {
	t.Helper()
	if err := c.Exec(sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func remove(t *testing.T, s *grants.Store, end string) {
	t.Helper()
	if err := os.Remove(s.Path() + end); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return data
}
