package gate

import (
	"path"
	"strings"
)

// A Grant is one thing that a person approved in ask-and-remember (TAM-07).
type Grant struct {
	GrantTarget
	// Saved grants outlive the process; the others end with the session.
	Saved bool
}

// A GrantStore holds saved grants. It is read at each check, so that removing
// one works at once (TAM-12). Its errors mean no grants.
type GrantStore interface {
	Grants() ([]Grant, error)
	Grant(...Grant) error
}

// key is the target in the one form that grants are compared in (TAM-10).
func (t GrantTarget) key(p place, dir string) GrantTarget {
	if t.Kind == GrantURL {
		t.Path = normalURL(t.Path)
		return t
	}
	name := peelSelector(t.Path)
	// A search below a folder is that folder's tree.
	if folder, ok := strings.CutSuffix(name, "/**"); ok && t.Kind == GrantFile {
		t.Kind, name = GrantTree, folder
	}
	t.Path = p.file(name, dir).resolved
	return t
}

// covers reports whether g allows target; both in key form (TAM-07, TAM-08).
// A folder covers the files directly in it; a tree a search from its root.
func (g Grant) covers(target GrantTarget) bool {
	if !g.Tier.Covers(target.Tier) {
		return false
	}
	if g.Kind == target.Kind && g.Path == target.Path {
		return true
	}
	return g.Kind == GrantFolder && target.Kind == GrantFile && path.Dir(target.Path) == g.Path
}

// gatedTargets are the targets that need a grant: files, and URLs that are
// not public (TAM-09).
func (e *evaluation) gatedTargets() []GrantTarget {
	var gated []GrantTarget
	req := &e.verdict.Request
	for _, t := range req.GrantTargets {
		if t.Kind == GrantURL && !gatedURL(t.Path) {
			continue
		}
		gated = append(gated, t.key(e.place, req.Dir))
	}
	return gated
}

// granted reports whether every target that needs a grant has one, and there
// is one to have (TAM-13).
func (e *evaluation) granted() bool {
	targets := e.gatedTargets()
	if len(targets) == 0 {
		return false
	}
	grants := e.allGrants()
	for _, t := range targets {
		if !anyGrant(grants, t) {
			return false
		}
	}
	return true
}

func anyGrant(grants []Grant, t GrantTarget) bool {
	for _, g := range grants {
		if g.covers(t) {
			return true
		}
	}
	return false
}

// allGrants are the session's and the saved ones, in key form.
func (e *evaluation) allGrants() []Grant {
	grants := append([]Grant(nil), e.session.grants...)
	if e.grants != nil {
		saved, err := e.grants.Grants()
		if err != nil {
			e.note("saved grants can't be read and so count as none: " + err.Error())
		}
		grants = append(grants, saved...)
	}
	for i := range grants {
		grants[i].GrantTarget = grants[i].key(e.place, "")
	}
	return grants
}
