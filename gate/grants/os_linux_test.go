package grants_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TestReadOnly reads grants where nothing can be written, saves none, and
// reports what it may not even read.
func TestReadOnly(t *testing.T) {
	s := filled(t)
	save(t, s, file("/w/a", gate.Write))
	dir := filepath.Dir(s.Path())
	for path, mode := range map[string]fs.FileMode{filepath.Dir(dir): 0o755, dir: 0o555, s.Path(): 0o444} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(dir, 0o755)
	asNobody(t, func() {
		wantGrants(t, s, file("/w/a", gate.Write), folder("/w/b", gate.Read))
		if err := grantAll(s, file("/w/c", gate.Read)); err == nil {
			t.Error("a grant was saved in a read-only folder")
		}
		if n, err := s.Forget(); n > 0 || err == nil {
			t.Errorf("forget in a read-only folder: %d, %v", n, err)
		}
	})
	if err := os.Chmod(s.Path(), 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if list, err := s.Grants(); len(list) > 0 || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("a file that can't be read: %v, %v", list, err)
		}
	})
	if err := os.Chmod(s.Path(), 0o600); err != nil {
		t.Fatal(err)
	}
	wantGrants(t, s, file("/w/a", gate.Write), folder("/w/b", gate.Read))
}

// asNobody runs f without root's right to write anywhere. The right belongs
// to the thread, which ends with the goroutine.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread()
			if err := syscall.Setfsuid(65534); err != nil {
				t.Errorf("give up root's rights: %v", err)
				return
			}
		}
		f()
	}()
	<-done
}

// TestRemovedMeanwhile removes the file when a grant has opened it and waits
// for its lock: the grant is in the next file, not in the one that is gone
// (TAM-12).
func TestRemovedMeanwhile(t *testing.T) {
	s := filled(t)
	other := connect(t, s)
	execute(t, other, "BEGIN IMMEDIATE")
	done := make(chan error)
	go func() { done <- grantAll(s, file("/w/new", gate.Read)) }()
	for handles(t, s.Path()) < 2 {
		runtime.Gosched()
	}
	remove(t, s, "")
	execute(t, other, "COMMIT")
	if err := <-done; err != nil {
		t.Error(err)
	}
	wantGrants(t, s, file("/w/new", gate.Read))
}

// handles counts how often this process has a file open.
func handles(t *testing.T, path string) (n int) {
	const dir = "/proc/self/fd/"
	for _, name := range namesIn(t, dir) {
		if to, err := os.Readlink(dir + name); err == nil && to == path {
			n++
		}
	}
	return n
}
