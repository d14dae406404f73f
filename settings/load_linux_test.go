package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/blitz-approve/blitz-approve/settings"
)

// A file that may not be read could hold restrictions (APR-15). Root may read
// everything, so the files are read as another user.
func TestUnreadableFileHoldsEverything(t *testing.T) {
	m := newMachine(t)
	write(t, m.project, "[permissions]\ndeny = [\"shell(rm)\"]\n")
	for _, dir := range []string{filepath.Dir(m.project), filepath.Dir(m.Workspace)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(m.project, 0); err != nil {
		t.Fatal(err)
	}
	var s *settings.Settings
	var problems []settings.Problem
	done := make(chan struct{})
	go func() {
		defer close(done)
		// The thread isn't unlocked: it ends with the goroutine, and its
		// identity with it.
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				t.Error("changing the user that opens files:", err)
			}
		}
		s, problems = settings.Load(m.Sources)
	}()
	<-done
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), m.project+": these settings can't be read: permission denied") {
		t.Fatalf("problems: %v", problems)
	}
	if len(s.Broken) != 1 || s.Broken[0].Layer != settings.Project || holds(s) != 1 {
		t.Errorf("broken %v, rules %v", s.Broken, s.Rules)
	}
}

// Opening a pipe would wait for ever.
func TestPipeAsSettings(t *testing.T) {
	m := newMachine(t)
	write(t, m.local, "")
	if err := os.Remove(m.local); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(m.local, 0o600); err != nil {
		t.Fatal(err)
	}
	s, problems := settings.Load(m.Sources)
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "not a regular file") || holds(s) != 1 {
		t.Errorf("got %v, %v", problems, s.Rules)
	}
}
