//go:build unix

package gate

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// APR-11: a record that the disk has no room for is an error, and leaves nothing
// of itself behind.
func TestRecordWithoutRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	log, err := OpenAuditLog(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Record(Record{ID: "first"}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	atMost(t, len(before)+100, func() {
		if err := log.Record(Record{ID: "long", Reason: strings.Repeat("long ", 1000)}); err == nil {
			t.Error("a record that doesn't fit is written")
		}
	})
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("%d bytes are left of it", len(after)-len(before))
	}
	if err := log.Record(Record{ID: "next"}); err != nil || recorded(t, path) != "next first" {
		t.Errorf("the log holds %q (%v)", recorded(t, path), err)
	}
}

// atMost runs f while no file of this process may become longer than size bytes.
func atMost(t *testing.T, size int, f func()) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	now := was
	limit(&now.Cur, size)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &now); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Error(err)
		}
	}()
	f()
}

// limit sets what has another type on each system.
func limit[T int64 | uint64](at *T, n int) { *at = T(n) }
