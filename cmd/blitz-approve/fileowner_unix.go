//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// othersMay reports whether a file has some of the rights that only others than
// its owner need.
func othersMay(info fs.FileInfo, rights fs.FileMode) bool { return info.Mode().Perm()&rights != 0 }

// foreignOwner reports whether a file belongs neither to this user nor to the
// system.
func foreignOwner(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Uid != 0 && int(s.Uid) != os.Getuid()
}
