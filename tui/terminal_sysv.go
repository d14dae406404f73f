//go:build linux || solaris || aix

package tui

import (
	"errors"

	"golang.org/x/sys/unix"
)

const (
	getTermios      = unix.TCGETS
	setTermios      = unix.TCSETS
	setTermiosFlush = unix.TCSETSF
)

// flushOutput drops what was written and not sent yet. Who waits to write more
// isn't told of the room by that on Linux, but by output that goes on.
func flushOutput(fd int) error {
	const tcooff, tcoon = 0, 1
	return errors.Join(
		unix.IoctlSetInt(fd, unix.TCXONC, tcooff),
		unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH),
		unix.IoctlSetInt(fd, unix.TCXONC, tcoon))
}
