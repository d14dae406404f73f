package main

import (
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/gate"
)

// asSaved is the path of a grant in the form in which a store holds it.
func asSaved(t gate.GrantTarget, workspace string) string {
	switch {
	case t.Kind == gate.GrantURL || t.Path == "":
		return t.Path
	case filepath.IsAbs(t.Path):
		return filepath.Clean(t.Path)
	}
	return filepath.Join(workspace, t.Path)
}
