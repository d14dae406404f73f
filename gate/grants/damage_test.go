package grants_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// TestDamaged has no grants and an error that says so; saving changes nothing,
// and only Forget moves what is there away (TAM-07, TAM-12).
func TestDamaged(t *testing.T) {
	whole := readFile(t, filled(t).Path())
	newer := filled(t)
	execute(t, connect(t, newer), "PRAGMA user_version = 2")
	other := filled(t)
	execute(t, connect(t, other), "DROP TABLE grants; CREATE TABLE grants (what, who)")
	for name, data := range map[string][]byte{
		"text":           []byte(strings.Repeat("these are no grants\n", 1000)),
		"short text":     []byte("x"),
		"zeros":          make([]byte, 8192),
		"a header":       whole[:100],
		"one page":       whole[:4096],
		"half a page":    whole[:6000],
		"no last byte":   whole[:len(whole)-1],
		"a torn page":    append(bytes.Clone(whole[:4096]), bytes.Repeat([]byte{0xff}, 4096)...),
		"a newer form":   readFile(t, newer.Path()),
		"another's rows": readFile(t, other.Path()),
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
			if err := os.WriteFile(s.Path(), data, 0o600); err != nil {
				t.Fatal(err)
			}
			wantDamaged(t, s)
			if got := readFile(t, s.Path()); !bytes.Equal(got, data) {
				t.Error("the file was changed")
			}
			wantMovedAway(t, s, data)
		})
	}
}

// TestDirectory is damage too, and a pipe is not waited for.
func TestDirectory(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	if err := os.MkdirAll(filepath.Join(s.Path(), "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Path()+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantDamaged(t, s)
	wantMovedAway(t, s, nil)
}

// TestDamagedElsewhere saves nothing into a database that is damaged anywhere
// at all, also where the new row would not go.
func TestDamagedElsewhere(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	save(t, s, batch("elsewhere")...)
	whole := readFile(t, s.Path())
	for at := 8192; at < len(whole); at += 4096 {
		data := bytes.Clone(whole)
		copy(data[at:], bytes.Repeat([]byte{0xff}, 4096))
		if err := os.WriteFile(s.Path(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/a", "/z"} {
			if err := grantAll(s, file(path, gate.Read)); !errors.Is(err, grants.ErrDamaged) {
				t.Errorf("page at %d: %v", at, err)
			}
		}
		if !bytes.Equal(readFile(t, s.Path()), data) {
			t.Errorf("page at %d: the file was changed", at)
		}
	}
}

// TestHalfWritten finds a file as a writer left it that was cut off when part
// of its change was in the file already, and undoes that part (TAM-12).
func TestHalfWritten(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	granted := batch("granted")
	save(t, s, granted...)
	before := readFile(t, s.Path())
	writer := connect(t, s)
	// With so small a cache pages are written before the change is done.
	execute(t, writer, "PRAGMA cache_size = 1; BEGIN; UPDATE grants SET tier = 'exec'")
	cut := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	for _, end := range []string{"", "-journal"} {
		data := readFile(t, s.Path()+end)
		if end == "" && bytes.Equal(data, before) || len(data) == 0 {
			t.Fatalf("nothing was written to the file%s yet", end)
		}
		if err := os.WriteFile(cut.Path()+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wantGrants(t, cut, granted...)
	if !bytes.Equal(readFile(t, cut.Path()), before) {
		t.Error("the file is not as it was before")
	}
}

// TestEmptyFile has no grants, and is filled by the first one.
func TestEmptyFile(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	if err := os.WriteFile(s.Path(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantGrants(t, s)
	save(t, s, file("/w/a", gate.Read))
	wantGrants(t, s, file("/w/a", gate.Read))
}

// TestFlipped overwrites bytes of a file at random: whatever is read back, it
// is no broader than what was granted, and nothing panics (TAM-08).
func TestFlipped(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "approval-cache.db"))
	granted := batch("flipped")
	save(t, s, granted...)
	whole := readFile(t, s.Path())
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for range rounds {
		data := bytes.Clone(whole)
		start, length := rng.IntN(len(data)), 1+rng.IntN(64)
		for i := start; i < min(start+length, len(data)); i++ {
			data[i] = byte(rng.Uint32())
		}
		if err := os.WriteFile(s.Path(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := s.Grants()
		if err != nil && len(list) > 0 {
			t.Fatalf("%d grants with the error %v", len(list), err)
		}
		about, _ := s.About(granted[:10]...)
		for _, g := range append(list, about...) {
			// A path that was overwritten is another path; a tier can't be.
			if g.Tier != gate.Read {
				t.Fatalf("bytes %d to %d: %v was never granted", start, start+length, g)
			}
		}
		_ = grantAll(s, file("/w/a", gate.Read))
	}
}

func wantDamaged(t *testing.T, s *grants.Store) {
	t.Helper()
	list, err := s.Grants()
	if len(list) > 0 || !errors.Is(err, grants.ErrDamaged) || !strings.Contains(err.Error(), s.Path()) {
		t.Errorf("grants %v, %v", list, err)
	}
	if list, err := s.About(file("/w/a", gate.Read)); len(list) > 0 || !errors.Is(err, grants.ErrDamaged) {
		t.Errorf("about %v, %v", list, err)
	}
	if err := grantAll(s, file("/w/c", gate.Read)); !errors.Is(err, grants.ErrDamaged) {
		t.Errorf("save: %v", err)
	}
	if found, err := s.Revoke(gate.GrantFile, "/w/a"); found || !errors.Is(err, grants.ErrDamaged) {
		t.Errorf("revoke: %v, %v", found, err)
	}
}

func wantMovedAway(t *testing.T, s *grants.Store, data []byte) {
	t.Helper()
	if n, err := s.Forget(); n != 0 || err != nil {
		t.Errorf("forget: %d, %v", n, err)
	}
	wantGrants(t, s)
	names := namesIn(t, filepath.Dir(s.Path()))
	names = slices.DeleteFunc(names, func(n string) bool { return n == filepath.Base(s.ForgottenPath()) })
	i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, filepath.Base(s.Path())+".damaged-") })
	if i < 0 || slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(n, ".damaged-") }) {
		t.Fatalf("not all was moved away: %q", names)
	}
	if data != nil && !bytes.Equal(readFile(t, filepath.Join(filepath.Dir(s.Path()), names[i])), data) {
		t.Error("what was moved away is not what was there")
	}
	save(t, s, file("/w/a", gate.Read))
	wantGrants(t, s, file("/w/a", gate.Read))
}
