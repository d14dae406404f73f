package gate

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

// A process that keeps a lock for ever costs a refusal, not a program that
// hangs (APR-11, APR-20).
func TestLockedForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	other := flock.New(path + ".lock")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	defer other.Unlock()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if _, err := lock(path); !errors.Is(err, ErrLocked) {
			t.Errorf("got %v, want %v", err, ErrLocked)
		}
		if d := time.Since(start); d != lockTime {
			t.Errorf("it waited %v, want %v", d, lockTime)
		}
	})
}
