package cases

import (
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/gate"
)

type grantTarget struct {
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Tier     string `json:"tier"`
	Lifetime string `json:"lifetime,omitempty"`
}

func (g grantTarget) target() gate.GrantTarget {
	t, _ := gate.ParseTier(g.Tier)
	return gate.GrantTarget{Kind: gate.GrantKind(g.Kind), Path: g.Path, Tier: t}
}

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
