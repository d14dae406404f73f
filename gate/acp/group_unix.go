//go:build unix && !linux

package acp

import "syscall"

// groupAlive reports whether a process of the group still runs.
func groupAlive(pid int) bool { return syscall.Kill(-pid, 0) == nil }
