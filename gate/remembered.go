package gate

import (
	"cmp"
	"maps"
	"slices"
)

// A Remembered is one thing that was approved until the process ends, whether
// by an answer, by [Gate.Remember], [Gate.RememberTool] or [Gate.Grant]. It can
// be taken back with [Gate.ForgetOne].
type Remembered struct {
	// Key is what [Gate.Remember] was given; else it is empty.
	Key string
	// Tool, Server and Tier say which tool's calls pass; Tool is empty else.
	Tool, Server string
	Tier         Tier
	// Grant is a file, a folder, a tree or a URL; its zero value else.
	Grant GrantTarget

	kind Kind // of the tool
}

// Remembered lists what was approved until the process ends, in a fixed order.
// What holds for a turn or until a time is not among it: see [Gate.Approved].
func (g *Gate) Remembered() []Remembered {
	s := g.state.Load()
	var list []Remembered
	for _, key := range slices.Sorted(maps.Keys(s.session.keys)) {
		list = append(list, Remembered{Key: key})
	}
	tools := slices.SortedFunc(maps.Keys(s.session.tools), func(a, b toolAtTier) int {
		return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.tool, b.tool), cmp.Compare(a.kind, b.kind), cmp.Compare(a.tier, b.tier))
	})
	for _, t := range tools {
		list = append(list, Remembered{Tool: t.tool, Server: t.server, Tier: t.tier, kind: t.kind})
	}
	for _, grant := range s.sessionGrants() {
		list = append(list, Remembered{Grant: grant.GrantTarget})
	}
	return list
}

// ForgetOne takes back one thing that [Gate.Remembered] listed, from the next
// decision on, and reports whether it still held.
func (g *Gate) ForgetOne(r Remembered) (found bool) {
	tool := toolAtTier{kind: r.kind, server: r.Server, tool: r.Tool, tier: r.Tier}
	g.change(func(s *state) {
		switch {
		case r.Key != "":
			found = s.session.keys[r.Key]
			s.session.keys = without(s.session.keys, r.Key)
		case r.Tool != "":
			found = s.session.tools[tool]
			s.session.tools = without(s.session.tools, tool)
		default:
			kept := slices.DeleteFunc(slices.Clone(s.session.grants), func(g sessionGrant) bool { return g.target == r.Grant })
			found = len(kept) < len(s.session.grants)
			s.session.grants = kept
		}
	})
	return found
}

// RevokeOne ends one thing that [Gate.Approved] listed, and reports whether it
// still held.
func (g *Gate) RevokeOne(a Approved) (found bool) {
	g.change(func(s *state) {
		kept := slices.DeleteFunc(slices.Clone(s.session.timed), func(b Approved) bool { return b == a })
		found = len(kept) < len(s.session.timed)
		s.session.timed = kept
	})
	return found
}

// without removes from a copy, since decisions read the old map at the same
// time.
func without[K comparable](m map[K]bool, k K) map[K]bool {
	next := maps.Clone(m)
	delete(next, k)
	return next
}
