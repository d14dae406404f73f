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
	wantDamaged(t, s)
	wantMovedAway(t, s, nil)
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
	i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, filepath.Base(s.Path())+".damaged-") })
	if i < 0 {
		t.Fatalf("nothing was moved away: %q", names)
	}
	if data != nil && !bytes.Equal(readFile(t, filepath.Join(filepath.Dir(s.Path()), names[i])), data) {
		t.Error("what was moved away is not what was there")
	}
	save(t, s, file("/w/a", gate.Read))
	wantGrants(t, s, file("/w/a", gate.Read))
}
