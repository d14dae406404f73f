//go:build unix

package tui

import (
	"io"

	"golang.org/x/sys/unix"
)

// cook gives the terminal r the modes that programs expect at their start, and
// returns what takes them back. [OpenTerminal] keeps it raw for as long as the
// screen has it, also while an editor runs.
func cook(r io.Reader) (restore func()) {
	f, ok := r.(interface{ Fd() uintptr })
	if !ok {
		return func() {}
	}
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return func() {}
	}
	cooked := *was
	cooked.Iflag |= unix.BRKINT | unix.ICRNL | unix.IXON
	cooked.Oflag |= unix.OPOST | unix.ONLCR
	cooked.Lflag |= unix.ECHO | unix.ICANON | unix.ISIG | unix.IEXTEN
	if unix.IoctlSetTermios(fd, setTermios, &cooked) != nil {
		return func() {}
	}
	// What was typed ahead in the editor must not answer the question.
	return func() { _ = unix.IoctlSetTermios(fd, setTermiosFlush, was) }
}
