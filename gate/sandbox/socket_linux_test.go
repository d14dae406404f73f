package sandbox

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNamedSockets: what the environment names as a socket is out of reach,
// however it is written: it acts for the person (APR-13).
func TestNamedSockets(t *testing.T) {
	needNamespaces(t)
	dir, err := os.MkdirTemp("/tmp", "sk") // sockets have short names
	mustDo(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	at := func(name string) string { return filepath.Join(dir, name) }
	for variable, value := range map[string]string{
		"SSH_AUTH_SOCK": at("a"), "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + at("b") + ",guid=1;unix:path=" + at("c"), "DOCKER_HOST": "unix://" + at("d"),
		"KITTY_LISTEN_ON": "unix:" + at("e"), "ANY_EDITOR": at("link"), "PLAIN": at("file"), "GONE": at("gone"), "PATH_LIST": "x:" + at("file"),
	} {
		t.Setenv(variable, value)
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		l, err := net.Listen("unix", at(name))
		mustDo(t, err)
		t.Cleanup(func() { _ = l.Close() })
	}
	mustDo(t, os.Symlink(at("f"), at("link")))
	mustDo(t, os.WriteFile(at("file"), []byte("x"), 0o600))
	found := ControlSockets()
	for _, name := range []string{"a", "b", "c", "d", "e", "link"} {
		if !slices.Contains(found, at(name)) {
			t.Errorf("%s is not found", name)
		}
	}
	if slices.Contains(found, at("file")) {
		t.Error("a file is taken for a socket")
	}

	g := newGround(t, true)
	g.policy.ReadDeny = slices.DeleteFunc(found, func(path string) bool { return !strings.HasPrefix(path, dir) })
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "link"} {
		if out, err := g.self(t, "dial", "unix", at(name)); err == nil {
			t.Errorf("%s is reached: %s", name, out)
		}
	}
}

// TestSharedMemory of System V belongs to the agent alone.
func TestSharedMemory(t *testing.T) {
	g := newGround(t, true)
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o666)
	if err != nil {
		t.Skip("this kernel has no shared memory of System V:", err)
	}
	defer func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) }()
	if out, err := g.self(t, "attach", strconv.Itoa(id)); err == nil {
		t.Errorf("memory from outside can be changed: %s", out)
	}
}

// TestWorktreeConfigIsToldOf: git may read a file that the agent can make.
func TestWorktreeConfigIsToldOf(t *testing.T) {
	g := newGround(t, true)
	cmd := exec.Command("sh", "-c", "printf '[core]\\nfsmonitor = ./evil\\n' > .git/config.worktree")
	cmd.Dir = g.work
	release, err := g.policy.Wrap(cmd)
	mustDo(t, err)
	mustDo(t, cmd.Run())
	if err := release(); err == nil || !strings.Contains(err.Error(), "config.worktree") {
		t.Error(err)
	}
}
