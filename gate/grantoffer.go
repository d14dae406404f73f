package gate

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A GrantScope says how much a person grants beyond this call (TAM-07).
type GrantScope uint8

const (
	// NoGrant grants nothing.
	NoGrant GrantScope = iota
	// GrantExact grants what the call touches.
	GrantExact
	// GrantAround grants the files directly in the folder around it.
	GrantAround
)

// A GrantOffer is one grant that a person may give with a Once (TAM-07).
type GrantOffer struct {
	Scope GrantScope
	// Targets are recorded as they are: absolute, clean and without links.
	Targets []GrantTarget
	// Label says in words what they cover.
	Label string
	// Entries are the first of the folder that is granted, sorted, with a /
	// after directories; More is how many others there are. Both are empty
	// when no one folder is granted, or it can't be read.
	Entries []string
	More    int
}

// maxEntries is how many entries of a folder an offer names.
const maxEntries = 24

// Folder is the one folder whose files are granted, or empty.
func (o GrantOffer) Folder() string {
	folder := ""
	for _, t := range o.Targets {
		if t.Kind == GrantFolder {
			if folder != "" {
				return ""
			}
			folder = t.Path
		}
	}
	return folder
}

// grantOffers are the grants that would let the request pass next time, the
// broader one first. There are none where anything but the mode asks (TAM-11).
func (e *evaluation) grantOffers() []GrantOffer {
	if e.inMode != AlwaysAskCached || e.verdict.Forced || e.verdict.Request.Unrevealed || e.anyProtected() {
		return nil
	}
	keys, _ := e.keyedTargets()
	if len(keys) == 0 || slices.ContainsFunc(keys, e.mayNotGrant) {
		return nil
	}
	var offers []GrantOffer
	if folder, ok := folderAround(keys); ok {
		around := []GrantTarget{folder}
		offers = append(offers, GrantOffer{Scope: GrantAround, Targets: around, Label: coverage(around)})
	}
	exact := withFolders(keys)
	return append(offers, GrantOffer{Scope: GrantExact, Targets: exact, Label: coverage(exact)})
}

// mayNotGrant keeps changes of protected files a question each time.
func (e *evaluation) mayNotGrant(key GrantTarget) bool {
	return key.Kind != GrantURL && key.Tier != Read && e.place.protectedPath(key.Path)
}

// folderAround is the folder that all targets are files in, at the broadest
// of their tiers.
func folderAround(keys []GrantTarget) (folder GrantTarget, ok bool) {
	folder = GrantTarget{Kind: GrantFolder, Path: path.Dir(keys[0].Path), Tier: Read}
	for _, key := range keys {
		if key.Kind != GrantFile || path.Dir(key.Path) != folder.Path {
			return GrantTarget{}, false
		}
		folder.Tier = min(folder.Tier, key.Tier)
	}
	return folder, true
}

// withFolders adds to each tree the folder that it includes (TAM-08).
func withFolders(keys []GrantTarget) []GrantTarget {
	var all []GrantTarget
	for _, key := range keys {
		all = append(all, key)
		if key.Kind != GrantTree {
			continue
		}
		key.Kind = GrantFolder
		if !slices.Contains(keys, key) {
			all = append(all, key)
		}
	}
	return all
}

// coverage says in words what targets cover. A tree speaks for its folder.
func coverage(targets []GrantTarget) string {
	var what []string
	for _, t := range targets {
		tree := t
		tree.Kind = GrantTree
		switch {
		case t.Kind == GrantTree:
			what = append(what, "searches of "+t.Path+" and files directly in it "+t.Tier.purpose())
		case t.Kind == GrantFolder && slices.Contains(targets, tree):
		case t.Kind == GrantFolder:
			what = append(what, "files directly in "+t.Path+" "+t.Tier.purpose())
		default:
			what = append(what, t.Path+" "+t.Tier.purpose())
		}
	}
	return strings.Join(what, ", ")
}

func (t Tier) purpose() string {
	switch t {
	case Read:
		return "to read"
	case Write:
		return "to read and change"
	}
	return "for anything"
}

func offerOf(offers []GrantOffer, s GrantScope) (GrantOffer, bool) {
	i := slices.IndexFunc(offers, func(o GrantOffer) bool { return o.Scope == s })
	if i < 0 {
		return GrantOffer{}, false
	}
	return offers[i], true
}

// listed are the offers with the entries of their folders.
func listed(offers []GrantOffer) []GrantOffer {
	offers = slices.Clone(offers)
	for i := range offers {
		o := &offers[i]
		folder := o.Folder()
		if folder == "" {
			continue
		}
		entries, _ := os.ReadDir(filepath.FromSlash(folder))
		o.More = max(0, len(entries)-maxEntries)
		for _, entry := range entries[:len(entries)-o.More] {
			name := entry.Name()
			if entry.IsDir() {
				name += "/"
			}
			o.Entries = append(o.Entries, name)
		}
	}
	return offers
}
