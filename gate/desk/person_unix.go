//go:build unix

package desk

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// private refuses a folder that others can enter or that isn't ours.
func private(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s: %w: it is not a folder", folder, ErrUnsafe)
	case !ok || int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("%s: %w: it belongs to another user", folder, ErrUnsafe)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s: %w: other users may enter it; chmod 700 it", folder, ErrUnsafe)
	}
	return nil
}

// samePerson asks the system who the other end is.
func samePerson(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var uid int
	var asked error
	if err := raw.Control(func(fd uintptr) { uid, asked = peerUser(int(fd)) }); err != nil {
		return err
	}
	switch {
	case asked != nil:
		return fmt.Errorf("%w: the system doesn't say who connects: %w", ErrUnsafe, asked)
	case uid != os.Geteuid():
		return fmt.Errorf("%w: the other end belongs to user %d", ErrUnsafe, uid)
	}
	return nil
}
