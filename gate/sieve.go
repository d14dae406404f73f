package gate

import "strings"

// A sieve tells in a moment that no rule can be for a file. Of the thousands of
// files in a folder few are left, and only these are held against the rules.
type sieve struct {
	meshes []mesh
	open   bool // it lets all through
}

// A mesh is what the path of a file holds, in this order, where a pattern fits.
type mesh struct{ root, text string }

// maxMeshes is from how many patterns on the tree of the rules is quicker.
const maxMeshes = 64

func (x *pathIndex) sieve() (s sieve) {
	s.open = len(x.patterns) > maxMeshes
	for _, p := range x.patterns {
		if strings.ContainsAny(p.text, `[{\`) {
			s.open = true // they are read in two ways
		}
		m := mesh{root: p.root}
		if p.glob {
			literal := strings.FieldsFunc(p.text[min(len(p.root), len(p.text)):], func(r rune) bool { return r == '*' || r == '?' })
			for _, text := range literal {
				if text = strings.Trim(text, "/"); len(text) > len(m.text) {
					m.text = text // slashes beside ** may be none
				}
			}
		}
		s.meshes = append(s.meshes, m)
	}
	return s
}

func (s *sieve) lets(file string) bool {
	for _, m := range s.meshes {
		if strings.HasPrefix(file, m.root) && strings.Contains(file[len(m.root):], m.text) {
			return true
		}
	}
	return s.open
}
