//go:build unix

package main

import (
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// answerTime is how long a terminal may take to answer.
const answerTime = 300 * time.Millisecond

// ask sends the question and reads until the last answer. In the background
// it asks nothing: changing the terminal would stop the process.
func ask(tty *os.File) string {
	fd := int(tty.Fd())
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		return ""
	}
	state, err := term.MakeRaw(tty.Fd())
	if err != nil {
		return ""
	}
	defer func() { _ = term.Restore(tty.Fd(), state) }()
	if _, err := tty.WriteString(question); err != nil {
		return ""
	}
	var answer strings.Builder
	buffer := make([]byte, 256)
	for until := time.Now().Add(answerTime); ; {
		left := time.Until(until).Milliseconds()
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(max(left, 0)))
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return answer.String()
		}
		if n, err = unix.Read(fd, buffer); err != nil || n == 0 {
			return answer.String()
		}
		answer.Write(buffer[:n])
		if i := strings.LastIndex(answer.String(), "\x1b[?"); i >= 0 && strings.HasSuffix(answer.String(), "c") {
			return answer.String()
		}
	}
}
