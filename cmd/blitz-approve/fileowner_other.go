//go:build !unix

package main

import "io/fs"

// othersMay can't be told here by the bits of a mode.
func othersMay(fs.FileInfo, fs.FileMode) bool { return false }

// foreignOwner can't be told here.
func foreignOwner(fs.FileInfo) bool { return false }
