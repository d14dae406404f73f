package gate

import (
	"os"
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
// one works at once (TAM-12). Its errors mean no grants. What it returns is
// compared as it stands, with targets that are absolute, clean and without
// links (TAM-10), which is also how they are saved.
//
// One with many grants is a [GrantIndex] too, and one that more than one process
// may have emptied a [GrantEpochs].
type GrantStore interface {
	Grants() ([]Grant, error)
	Grant(...Grant) error
}

// A GrantIndex is a [GrantStore] that is asked about targets, instead of for all
// that it holds: it returns the grants of the same kind and path as a target, and
// those of the folder that a file lies in, whatever their tier.
type GrantIndex interface {
	About(targets ...GrantTarget) ([]Grant, error)
}

// A GrantEpochs is a [GrantStore] that tells when everything is forgotten, in
// whatever process a person says so: a session's own grants, which the gate
// keeps, end with that too (TAM-12).
type GrantEpochs interface {
	// Epoch names the time from now until everything is forgotten. With an error
	// a session is granted nothing.
	Epoch() (string, error)
	// Forgotten tells at each check whether everything was forgotten since that
	// epoch. While it returns an error, the session's grants let nothing pass.
	Forgotten(epoch string) (bool, error)
}

// key is the target in the one form that grants are compared in (TAM-10).
// A path whose links lead nowhere or in circles has no key: ok is false.
func (t GrantTarget) key(p place, dir string) (key GrantTarget, ok bool) {
	if t.Tier > Read {
		t.Tier = Exec
	}
	if t.Kind == GrantURL {
		t.Path = NormalURL(t.Path)
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

// keyedTargets are the targets that need a grant and can have one, each once
// and in key form. Some may have no key: whole is false.
func (e *evaluation) keyedTargets() (keys []GrantTarget, whole bool) {
	whole = true
	for _, t := range e.gatedTargets() {
		key, ok := t.key(e.place, e.verdict.Request.Dir)
		if !ok {
			whole = false
		} else if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys, whole
}

// granted reports whether every target that needs a grant has one, and there
// is one to have (TAM-13).
func (e *evaluation) granted() bool {
	if e.verdict.Request.Unrevealed {
		return false
	}
	keys, whole := e.keyedTargets()
	if len(keys) == 0 || !whole {
		return false
	}
	grants := e.grantsAbout(keys)
	for _, key := range keys {
		if !slices.ContainsFunc(grants, func(g Grant) bool { return e.grantReaches(g, key) }) {
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

// grantsAbout are the session's grants and the saved ones that may cover the
// targets. Both are in key form: a link that was made since then must not
// change what they cover.
func (e *evaluation) grantsAbout(targets []GrantTarget) []Grant {
	own := e.sessionGrants()
	if e.grants == nil {
		return own
	}
	var saved []Grant
	var err error
	if store, ok := e.grants.(GrantIndex); ok {
		saved, err = store.About(targets...)
	} else {
		saved, err = e.grants.Grants()
	}
	if err != nil {
		e.note("saved grants can't be read and so count as none: " + err.Error())
		return own
	}
	return slices.Concat(own, saved)
}

// eachRoot gives each root of a search in several folders, as in src;other, a
// target of its own (TAM-08). A folder that is really called so stays one too.
func (e *evaluation) eachRoot(targets []GrantTarget) []GrantTarget {
	if !slices.ContainsFunc(targets, GrantTarget.listsRoots) {
		return targets
	}
	var each []GrantTarget
	for _, t := range targets {
		if !t.listsRoots() {
			each = append(each, t)
			continue
		}
		if f := e.place.file(t.Path, e.verdict.Request.Dir); !e.place.dark && exists(f.written()) {
			each = append(each, t)
		}
		for root := range strings.SplitSeq(t.Path, ";") {
			if root = strings.TrimSpace(root); root != "" {
				each = append(each, GrantTarget{Kind: t.Kind, Path: root, Tier: t.Tier})
			}
		}
	}
	return each
}

func (t GrantTarget) listsRoots() bool {
	return t.Kind == GrantTree && strings.Trim(t.Path, "; ") != "" && strings.Contains(t.Path, ";")
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}
