package cases

import (
	"fmt"
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

// faults are what is wrong with what the case says was granted, and with what its
// request touches. The gate takes an unknown tier for exec, which is the strictest
// of a request, but the widest of a grant.
func (c *Case) faults() error {
	for i, g := range c.Grants {
		switch _, known := gate.ParseTier(g.Tier); {
		case !known:
			return noTier(fmt.Sprintf("grants[%d]", i), g.Tier)
		case g.Lifetime != "" && g.Lifetime != "session" && g.Lifetime != "saved":
			return fmt.Errorf("grants[%d]: %q is no lifetime: write session or saved", i, g.Lifetime)
		}
	}
	for i, t := range c.SessionTools {
		if _, known := gate.ParseTier(t.Tier); !known {
			return noTier(fmt.Sprintf("session_tools[%d]", i), t.Tier)
		}
	}
	for i, g := range c.Request.GrantTargets {
		if _, known := gate.ParseTier(g.Tier); !known && g.Tier != "" {
			return noTier(fmt.Sprintf("request.grant_targets[%d]", i), g.Tier)
		}
	}
	return nil
}

func noTier(where, tier string) error {
	if tier == "" {
		return fmt.Errorf("%s has no tier: write read, write or exec", where)
	}
	return fmt.Errorf("%s: %q is no tier: write read, write or exec", where, tier)
}

// asSaved is the path of a grant in the form in which a store holds it.
func asSaved(t gate.GrantTarget, workspace string) string {
	switch {
	case t.Kind == gate.GrantURL:
		return gate.NormalURL(t.Path)
	case t.Path == "":
		return t.Path
	case filepath.IsAbs(t.Path):
		return filepath.Clean(t.Path)
	}
	return filepath.Join(workspace, t.Path)
}
