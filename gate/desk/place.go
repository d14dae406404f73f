package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/blitz-approve/blitz-approve/gate"
)

var (
	// ErrTaken is returned by [Open] while another desk is open.
	ErrTaken = errors.New("another desk is open already")
	// ErrNoDesk is returned where no desk is open. It is a [gate.ErrNoApprover].
	ErrNoDesk = fmt.Errorf("%w: no desk is open", gate.ErrNoApprover)
	// ErrUnsafe is returned for a folder or a peer that isn't the user's own.
	ErrUnsafe = errors.New("not safe to use")
)

const (
	socketName = "desk.sock"
	lockName   = "desk.lock"
)

// maxPath is the longest path of a socket, in bytes; systems differ, and this
// fits on all of them.
const maxPath = 103

func socketPath(folder string) (string, error) {
	path := filepath.Join(folder, socketName)
	if len(path) > maxPath {
		return "", fmt.Errorf("%s: longer than %d bytes, which no socket can be; choose a shorter BLITZ_HOME", path, maxPath)
	}
	return path, nil
}

// take makes the folder, and holds it for one desk until release is called. A
// socket that a desk left behind when it was killed is removed: who has the
// lock is the only one that may.
func take(folder string) (l *net.UnixListener, release func(), err error) {
	path, err := socketPath(folder)
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, err
	}
	if err := private(folder); err != nil {
		return nil, nil, err
	}
	lock := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, ErrTaken
	}
	defer func() {
		if err != nil {
			_ = lock.Unlock()
		}
	}()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("remove what an earlier desk left behind: %w", err)
	}
	l, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, nil, err
	}
	// Nobody else can reach it before this either: the folder is private.
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, nil, err
	}
	return l, func() {
		_ = l.Close() // removes the socket
		_ = lock.Unlock()
	}, nil
}

// reach connects with the desk of a folder.
func reach(ctx context.Context, folder string) (net.Conn, error) {
	path, err := socketPath(folder)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoDesk
	}
	if err := private(folder); err != nil {
		return nil, err
	}
	conn, err := Connect(ctx, path)
	switch {
	case err == nil:
		return conn, nil
	case errors.Is(err, ErrUnsafe):
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("%w: %w", ErrNoDesk, err)
}
