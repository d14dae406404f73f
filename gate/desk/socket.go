package desk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// A Socket is one of its own beside the desk's, by which a process reaches
// another of the same user: in a folder that only that user can enter, and both
// ends ask the system who the other is.
type Socket struct {
	listener *net.UnixListener
	path     string
}

// Listen opens a socket in a folder, which it makes. Its name begins with
// prefix; the rest nobody can guess. What processes that were killed left
// behind under that prefix is removed. Errors are [ErrUnsafe] and those of the
// file system. Call [Socket.Close] when done.
func Listen(folder, prefix string) (*Socket, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if err := private(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, prefix+strings.ToLower(rand.Text())[:10]+".sock")
	if len(path) > maxPath {
		return nil, fmt.Errorf("%s: longer than %d bytes, which no socket can be; choose a shorter BLITZ_HOME", path, maxPath)
	}
	// Between its making and its first listening a socket looks like one that
	// was left behind.
	lock := flock.New(filepath.Join(folder, prefix+"lock"), flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return nil, err
	}
	defer lock.Unlock()
	sweep(folder, prefix)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, err
	}
	return &Socket{l, path}, nil
}

// sweep removes the sockets at which nobody listens any more.
func sweep(folder, prefix string) {
	left, _ := filepath.Glob(filepath.Join(folder, prefix+"*.sock"))
	for _, path := range left {
		conn, err := net.Dial("unix", path)
		switch {
		case err == nil:
			_ = conn.Close()
		case errors.Is(err, syscall.ECONNREFUSED):
			_ = os.Remove(path)
		}
	}
}

// Path is where [Connect] finds it.
func (s *Socket) Path() string { return s.path }

// Accept waits for the next process of the same user; others are sent away.
// The error is [net.ErrClosed] after [Socket.Close].
func (s *Socket) Accept() (*net.UnixConn, error) {
	for {
		conn, err := s.listener.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if samePerson(conn) == nil {
			return conn, nil
		}
		_ = conn.Close()
	}
}

// acceptPause is how long nobody is let in after that has failed, as where too
// many files are open.
const acceptPause = time.Second

// Serve has each connection served in a goroutine of its own, and closed after it,
// until [Socket.Close]. At most limit are served at a time: one more is closed at
// once. dropped is told why the first one was.
func (s *Socket) Serve(limit int, serve func(*net.UnixConn), dropped func(error)) {
	free := make(chan struct{}, limit)
	var told sync.Once
	for {
		conn, err := s.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			told.Do(func() { dropped(err) })
			time.Sleep(acceptPause)
			continue
		}
		select {
		case free <- struct{}{}:
		default:
			_ = conn.Close()
			told.Do(func() { dropped(fmt.Errorf("more than %d connections at a time", limit)) })
			continue
		}
		go func() {
			defer func() { <-free }()
			defer conn.Close() //nolint:errcheck // what was said is said
			serve(conn)
		}()
	}
}

// Close ends the listening and removes the socket. Connections stay.
func (s *Socket) Close() error { return s.listener.Close() }

// PeerProcess is the process at the other end, as the system tells it: the one
// that connected, or that listens. The error is [errors.ErrUnsupported] where
// that isn't known, which is everywhere but on Linux.
func PeerProcess(conn *net.UnixConn) (int, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var pid int
	var asked error
	if err := raw.Control(func(fd uintptr) { pid, asked = peerProcess(int(fd)) }); err != nil {
		return 0, err
	}
	return pid, asked
}

// Connect reaches a [Socket]. Errors are [ErrUnsafe] where the folder or the
// other end isn't this user's own, and those of the system.
func Connect(ctx context.Context, path string) (*net.UnixConn, error) {
	if err := private(filepath.Dir(path)); err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	own := conn.(*net.UnixConn)
	if err := samePerson(own); err != nil {
		_ = own.Close()
		return nil, err
	}
	return own, nil
}
