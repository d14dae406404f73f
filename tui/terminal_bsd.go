//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package tui

import "golang.org/x/sys/unix"

const (
	getTermios      = unix.TIOCGETA
	setTermios      = unix.TIOCSETA
	setTermiosFlush = unix.TIOCSETAF
)

// flushOutput drops what was written and not sent yet.
func flushOutput(fd int) error {
	const fwrite = 2 // FWRITE of sys/file.h
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, fwrite)
}
