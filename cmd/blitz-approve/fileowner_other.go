//go:build !unix

package main

import "io/fs"

// foreignOwner can't be told here.
func foreignOwner(fs.FileInfo) bool { return false }
