//go:build unix

package tui

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stopTime is how long a stop may take. A process that still runs after it
// wasn't stopped, since time stands still for one that was.
const stopTime = 200 * time.Millisecond

// Suspend gives the terminal back and stops this process and its group, as
// Ctrl+Z does elsewhere, until a shell resumes it. An agent in a group of its
// own goes on; what it asks waits. The error is [ErrNotResumable] when the
// system doesn't stop the group, because nobody could resume it.
func (t *Terminal) Suspend() error {
	return t.Lend(func() error {
		resumed := make(chan os.Signal, 1)
		signal.Notify(resumed, syscall.SIGCONT)
		defer signal.Stop(resumed)
		start := time.Now()
		if err := unix.Kill(0, unix.SIGTSTP); err != nil {
			return fmt.Errorf("suspend: %w", err)
		}
		select {
		case <-resumed:
		case <-time.After(stopTime):
			// After a stop the timer may come before the signal.
			if time.Since(start) < 2*stopTime {
				return ErrNotResumable
			}
		}
		return nil
	})
}
