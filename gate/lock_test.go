package gate

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

// A process that keeps the log locked for ever costs a refusal, and soon: not a
// program that hangs, nor a hook that its agent has stopped waiting for (APR-11,
// APR-20).
func TestLockedForEver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := OpenAuditLog(path)
	if err != nil {
		t.Fatal(err)
	}
	other := flock.New(path + ".lock")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	defer other.Unlock()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if v := decideOne(t, Options{Mode: Yolo, Audit: log}, edit("a")); v.Cause != CauseAuditFailed {
			t.Errorf("it is %s by %s", v.Effect, v.Cause)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("it waited %v", d)
		}
	})
}
