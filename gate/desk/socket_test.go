//go:build unix

package desk_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate/desk"
)

// TestSocketIsBounded: one connection more than may be is closed at once, which is
// told; when one has gone the next is served.
func TestSocketIsBounded(t *testing.T) {
	s, err := desk.Listen(filepath.Join(t.TempDir(), "run"), "tools-")
	if err != nil {
		t.Fatal(err)
	}
	let, told, ended := make(chan struct{}), make(chan error, 10), make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(2, func(conn *net.UnixConn) {
			_, _ = conn.Write([]byte("here"))
			<-let
		}, func(why error) { told <- why })
	}()
	connect := func() (*net.UnixConn, string) {
		conn, err := desk.Connect(t.Context(), s.Path())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		said := make([]byte, 4)
		n, _ := io.ReadFull(conn, said)
		return conn, string(said[:n])
	}
	for range 2 {
		if _, said := connect(); said != "here" {
			t.Fatalf("it said %q", said)
		}
	}
	for range 2 {
		if _, said := connect(); said != "" {
			t.Errorf("one too many heard %q", said)
		}
	}
	if why := <-told; why.Error() != "more than 2 connections at a time" || len(told) > 0 {
		t.Errorf("%v, and %d more", why, len(told))
	}
	let <- struct{}{}
	for said := ""; said == "" && t.Context().Err() == nil; {
		_, said = connect() // its place is free a moment later
	}
	close(let)
	_ = s.Close()
	<-ended
}

// TestSocket: a socket is reached by its path, and gone when it is closed; what
// a killed process left is removed, and what another one uses isn't.
func TestSocket(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run")
	one, err := desk.Listen(folder, "tools-")
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	left := filepath.Join(folder, "tools-left.sock")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: left, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	_ = dead.Close()
	two, err := desk.Listen(folder, "tools-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("what was left behind is still there")
	}
	if one.Path() == two.Path() {
		t.Errorf("both are %s", one.Path())
	}
	go func() {
		for {
			conn, err := one.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("here"))
			_ = conn.Close()
		}
	}()
	conn, err := desk.Connect(t.Context(), one.Path())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(conn); string(text) != "here" {
		t.Errorf("%q, %v", text, err)
	}
	_ = conn.Close()
	_ = two.Close()
	if _, err := two.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept after the end: %v", err)
	}
	if _, err := desk.Connect(t.Context(), two.Path()); err == nil {
		t.Error("a closed socket is reached")
	}
}

// TestSocketOfOthers: nothing is opened or reached where others may enter.
func TestSocketOfOthers(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := desk.Listen(folder, "tools-"); !errors.Is(err, desk.ErrUnsafe) {
		t.Errorf("listen: %v", err)
	}
	if _, err := desk.Connect(t.Context(), filepath.Join(folder, "x.sock")); !errors.Is(err, desk.ErrUnsafe) {
		t.Errorf("connect: %v", err)
	}
}
