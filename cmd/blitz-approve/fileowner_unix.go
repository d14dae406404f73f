//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// foreignOwner reports whether a file belongs neither to this user nor to the
// system.
func foreignOwner(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Uid != 0 && int(s.Uid) != os.Getuid()
}
