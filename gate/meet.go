package gate

import "strings"

// mayMeet reports whether pattern, an absolute path with a shell's wildcards,
// may expand to something that the rule restricts. As in a shell, a wildcard at
// the start of a component takes no leading dot. A last * that takes everything
// names a folder no more than a search of the folder above it does.
func (f *filePattern) mayMeet(pattern string) bool {
	ps, rs := parts(pattern), parts(f.text)
	folder := f.below
	if n := len(rs); f.glob && n > 0 && rs[n-1] == "**" {
		folder, rs = true, rs[:n-1]
	}
	if folder && len(ps) > 0 && strings.Trim(ps[len(ps)-1], "*") == "" {
		// It has to reach into the folder.
		return pathsMeet(ps, append(rs[:len(rs):len(rs)], "*"), f.glob, true)
	}
	return pathsMeet(ps, rs, f.glob, folder || !f.glob)
}

// pathsMeet compares the components of a pattern with those of a rule, in
// which ** stands for any number of them if it is a glob. With below set, what
// lies under the rule's path counts too.
func pathsMeet(ps, rs []string, glob, below bool) bool {
	for len(rs) > 0 {
		if len(ps) > 0 && ps[0] == "**" { // where a shell takes it so
			for i := range len(rs) + 1 {
				if pathsMeet(ps[1:], rs[i:], glob, below) {
					return true
				}
			}
			return false
		}
		if glob && rs[0] == "**" {
			for i := range len(ps) + 1 {
				if pathsMeet(ps[i:], rs[1:], glob, below) {
					return true
				}
			}
			return false
		}
		if len(ps) == 0 || !namesMeet(ps[0], rs[0], glob) {
			return false
		}
		ps, rs = ps[1:], rs[1:]
	}
	return below || len(ps) == 0
}

// namesMeet reports whether a name may fit both a pattern and the component of
// a rule. What stands in brackets or braces
// counts as any text.
func namesMeet(pattern, rule string, glob bool) bool {
	p := wildcards(pattern, true, true)
	r := wildcards(rule, glob || strings.ContainsAny(rule, `[{\`), false)
	if len(p) > 0 && p[0] < 0 && strings.HasPrefix(rule, ".") {
		return false
	}
	// meets[j] says whether the rest of p meets the rest of r from j on.
	meets := make([]bool, len(r)+1)
	for i := len(p); i >= 0; i-- {
		after := meets[len(r)] // of p[i+1:] and r[j+1:]
		for j := len(r); j >= 0; j-- {
			below := meets[j] // of p[i+1:] and r[j:]
			switch {
			case i == len(p) && j == len(r):
				meets[j] = true
			case i < len(p) && p[i] == anyName:
				meets[j] = below || j < len(r) && meets[j+1]
			case j < len(r) && r[j] == anyName:
				meets[j] = meets[j+1] || i < len(p) && below
			default:
				meets[j] = i < len(p) && j < len(r) && (p[i] == r[j] || p[i] == anyRune || r[j] == anyRune) && after
			}
			after = below
		}
	}
	return meets[0]
}

const (
	anyRune rune = -1 - iota // one character
	anyName                  // any number of them
)

// wildcards reads a name with * and ?, classes and escaped characters; without
// glob everything stands for itself. In a rule brackets may stand for
// themselves too.
func wildcards(name string, glob, shell bool) []rune {
	var out []rune
	text := []rune(name)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case !glob:
			out = append(out, c)
		case c == '*':
			out = append(out, anyName)
		case c == '?':
			out = append(out, anyRune)
		case c == '\\' && i+1 < len(text):
			i++
			out = append(out, text[i])
		case c == '[' && shell && simpleClass(text[i+1:]) > 0:
			out = append(out, anyRune)
			i += simpleClass(text[i+1:])
		case c == '[' || c == '{':
			// Where a class ends differs among shells: take the widest.
			out = append(out, anyName)
			for end := len(text) - 1; end > i; end-- {
				if text[end] == ']' || text[end] == '}' {
					i = end
				}
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

// simpleClass is the length of a class of plain characters that begins behind
// its bracket, the closing one included; 0 for all others.
func simpleClass(text []rune) int {
	for i, c := range text {
		switch {
		case c == ']' && i > 0 && (i > 1 || text[0] != '!' && text[0] != '^'):
			return i + 1
		case strings.ContainsRune(`[]\/`, c):
			return 0
		}
	}
	return 0
}
