package settings

import (
	"fmt"
	"slices"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A Start is the mode in which a workspace begins, and why.
type Start struct {
	Mode   gate.Mode
	Source gate.Source
	// Note tells the user what they may not expect; may be empty.
	Note string
}

// StartingMode says in which mode a workspace begins (APR-14, TAM-06): that of
// the flags, else of the user's settings, else bypass for auto_approve, else
// auto. nil settings are those of an embedder who loaded none, and get
// fallback. A word that names no mode is an error that lists the modes, and
// the mode then asks for everything; while a file of the user is broken the
// mode is default, since it may have named a stricter one than auto.
//
// Whether bypass has the sandbox that it needs is for the gate to see.
func StartingMode(s *Settings, fallback gate.Mode) (Start, error) {
	builtIn := gate.Source{Layer: "built-in"}
	if s == nil {
		return Start{Mode: fallback, Source: builtIn}, nil
	}
	broken := slices.IndexFunc(s.Broken, func(p Path) bool { return p.Layer.users() })
	if broken >= 0 && s.Mode.Source.Layer != Flag.String() {
		return Start{Mode: gate.Default, Source: builtIn, Note: "starting in mode default, since " + s.Broken[broken].Name + " can't be read"}, nil
	}
	if s.Mode.Set() {
		mode, err := gate.ParseMode(s.Mode.Value)
		if err != nil {
			return Start{Source: s.Mode.Source}, fmt.Errorf("%s: %w", s.Mode.Source, err)
		}
		return Start{Mode: mode, Source: s.Mode.Source}, nil
	}
	if s.AutoApprove.Value {
		return Start{Mode: gate.Bypass, Source: s.AutoApprove.Source}, nil
	}
	return Start{Mode: gate.Auto, Source: builtIn}, nil
}
