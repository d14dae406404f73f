package gate

import (
	"path"
	"slices"
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
// A path whose links lead nowhere or in circles has no key: ok is false.
func (t GrantTarget) key(p place, dir string) (key GrantTarget, ok bool) {
	if t.Tier > Read {
		t.Tier = Exec
	}
	if t.Kind == GrantURL {
		t.Path = normalURL(t.Path)
		return t, true
	}
	name := peelSelector(t.Path)
	// A search below a folder is that folder's tree.
	if folder, ok := strings.CutSuffix(name, "/**"); ok && t.Kind == GrantFile {
		t.Kind, name = GrantTree, folder
	}
	f := p.file(name, dir)
	t.Path = p.fold(f.forms[len(f.forms)-1])
	return t, f.end == linkNone
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
// not public (TAM-09). Without a tier of their own they need one for what the
// request may do.
func (e *evaluation) gatedTargets() []GrantTarget {
	var gated []GrantTarget
	for _, t := range e.verdict.Request.GrantTargets {
		if t.Kind != GrantURL || gatedURL(t.Path) {
			gated = append(gated, e.verdict.Request.tiered(t))
		}
	}
	return gated
}

func (r *Request) tiered(t GrantTarget) GrantTarget {
	if t.Tier == Exec {
		t.Tier = r.Declared.Tier
	}
	return t
}

// grantTargets approves a request's targets for the session, in the form that
// doesn't depend on the request's directory (TAM-08).
func (g *Gate) grantTargets(v *Verdict) {
	var granted []GrantTarget
	for _, t := range v.Request.GrantTargets {
		if key, ok := v.Request.tiered(t).key(g.state.Load().place, v.Request.Dir); ok {
			granted = append(granted, key)
		}
	}
	g.Grant(granted...)
}

// granted reports whether every target that needs a grant has one, and there
// is one to have (TAM-13).
func (e *evaluation) granted() bool {
	targets := e.gatedTargets()
	if len(targets) == 0 || e.verdict.Request.Unrevealed {
		return false
	}
	grants := e.allGrants()
	for _, t := range targets {
		key, ok := t.key(e.place, e.verdict.Request.Dir)
		if !ok || !slices.ContainsFunc(grants, func(g Grant) bool { return e.grantReaches(g, key) }) {
			return false
		}
	}
	return true
}

// grantReaches also keeps broad grants from changing protected files.
func (e *evaluation) grantReaches(g Grant, t GrantTarget) bool {
	if !g.covers(t) {
		return false
	}
	return t.Tier == Read || t.Kind == GrantURL || g.Kind == GrantFile || !e.place.protectedPath(t.Path)
}

// allGrants are the session's and the saved ones, in key form.
func (e *evaluation) allGrants() []Grant {
	all := append([]Grant(nil), e.session.grants...)
	if e.grants != nil {
		saved, err := e.grants.Grants()
		if err != nil {
			e.note("saved grants can't be read and so count as none: " + err.Error())
		}
		all = append(all, saved...)
	}
	grants := all[:0]
	for _, g := range all {
		if key, ok := g.key(e.place, ""); ok {
			g.GrantTarget = key
			grants = append(grants, g)
		}
	}
	return grants
}
