package shell

import (
	"path"
	"slices"
	"strings"
)

// A gitPathspec is what git is told to look at, or to leave out.
type gitPathspec struct {
	path    string // from the top of the repository; . is all of it
	wild    bool   // * and ? stand for any text in it, slashes too
	exclude bool
	below   bool // a trailing slash: not a file of that name
}

// The gitPathspecs are those of one command. Without any that narrows it, all is
// looked at.
type gitPathspecs struct {
	specs []gitPathspec
	all   bool // one is not understood, and may be for anything
}

// add reads a pathspec of a command that runs in the folder dir below the top
// of the repository. Only one that is surely understood narrows anything.
func (p *gitPathspecs) add(text, dir string) {
	s := gitPathspec{}
	rest, sure := text, true
	if strings.HasPrefix(text, ":") {
		rest, sure = s.magic(text[1:], &dir)
	}
	s.wild = strings.ContainsAny(rest, "*?")
	sure = sure && rest != "" && !strings.HasPrefix(rest, "/") && !strings.ContainsAny(rest+dir, `[\`) &&
		!strings.ContainsAny(dir, "*?") && !(s.wild && strings.Contains(rest, ".."))
	s.path, s.below = path.Join(dir, rest), strings.HasSuffix(rest, "/")
	switch {
	case sure && s.path != ".." && !strings.HasPrefix(s.path, "../"):
		p.specs = append(p.specs, s)
	case !s.exclude:
		p.all = true
	}
}

// magic reads what follows the colon of a pathspec, in its long or short form.
func (s *gitPathspec) magic(text string, dir *string) (rest string, sure bool) {
	if long, ok := strings.CutPrefix(text, "("); ok {
		words, rest, closed := strings.Cut(long, ")")
		sure = closed
		for word := range strings.SplitSeq(words, ",") {
			switch word {
			case "top":
				*dir = ""
			case "exclude":
				s.exclude = true
			case "", "literal":
			default:
				sure = false
			}
		}
		// With literal a * is one, and what is left out by it is less.
		return rest, sure && !(s.exclude && strings.Contains(words, "literal") && strings.ContainsAny(rest, "*?"))
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '/':
			*dir = ""
		case c == '!' || c == '^':
			s.exclude = true
		case c == ':':
			return text[i+1:], true
		default:
			return text[i:], letter(c) || c >= '0' && c <= '9' || strings.IndexByte("._-*?", c) >= 0
		}
	}
	return "", false
}

// excludes reports whether a word of a git command is a pathspec that leaves
// something out.
func excludes(text string) bool {
	magic, ok := strings.CutPrefix(text, ":")
	s := gitPathspec{}
	if ok {
		s.magic(magic, new(string))
	}
	return s.exclude
}

// shows reports whether a file, or something below a folder, is looked at.
func (p *gitPathspecs) shows(file string) bool {
	in := p.all || !slices.ContainsFunc(p.specs, func(s gitPathspec) bool { return !s.exclude })
	for _, s := range p.specs {
		switch {
		case s.exclude && s.leavesOut(file):
			return false
		case !s.exclude:
			in = in || s.reaches(file)
		}
	}
	return in
}

// leavesOut reports whether what lies at file is surely meant, all of it.
func (s *gitPathspec) leavesOut(file string) bool {
	if s.wild {
		return !strings.HasSuffix(file, "/") && fits(s.path, file)
	}
	return s.path == "." || file == s.path && !s.below || strings.HasPrefix(file, s.path+"/")
}

// reaches reports whether what lies at file, or above it, may be meant.
func (s *gitPathspec) reaches(file string) bool {
	if !s.wild {
		return s.path == "." || file == s.path || strings.HasPrefix(file, s.path+"/") || strings.HasSuffix(file, "/") && strings.HasPrefix(s.path+"/", file)
	}
	pattern := strings.ReplaceAll(s.path, "**/", "*")
	for i := range len(file) {
		if file[i] == '/' && fits(pattern, file[:i]) {
			return true
		}
	}
	return strings.HasSuffix(file, "/") || fits(pattern, file)
}

// fits reports whether pattern, in which * stands for any text and ? for one
// character, is for all of s.
func fits(pattern, s string) bool {
	star, from := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, i
			p++
		case p < len(pattern) && (pattern[p] == s[i] || pattern[p] == '?'):
			p, i = p+1, i+1
		case star >= 0:
			from++
			p, i = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
