//go:build unix

package acp

import (
	"os"
	"syscall"
)

// openNonblocking doesn't wait where a pipe has taken a file's place.
func openNonblocking(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
