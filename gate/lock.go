package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

// lockTime is how long another process may keep one of the gate's files. It is
// short, since an agent's own hook that answers too late lets the call happen,
// and long for what is done under a lock: to write one line or a small file.
const lockTime = 2 * time.Second

// errLocked is wrapped by the error for a file that another process keeps.
var errLocked = errors.New("another process keeps it locked")

// lock keeps other processes from a file, by a file beside it, since the file
// itself may be replaced meanwhile. It is ended by the function it returns.
func lock(path string) (unlock func(), err error) {
	l := flock.New(path + ".lock")
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	ok, err := l.TryLockContext(ctx, 5*time.Millisecond)
	switch {
	case ok:
		return func() { _ = l.Unlock() }, nil
	case err == nil, errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("lock %s: %w", path, errLocked)
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}
