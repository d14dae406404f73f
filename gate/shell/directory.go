package shell

import (
	"path"
	"strings"
)

// ChangesTo says to which directory a literal cd goes, joined to the one in
// force as written; ok is false for every other command and for a cd whose
// goal is known only when it runs, as after -P. A directory that starts with ~ is below
// the home.
func (c *Command) ChangesTo() (dir string, ok bool) {
	if c.Program() != "cd" || len(c.Assigns) > 0 || len(c.Via) > 0 {
		return "", false
	}
	words := c.Words[1:]
	// After -P the directory is where links lead, and .. is above that.
	for len(words) > 0 && (words[0].Text == "-L" || words[0].Text == "-e" || words[0].Text == "--") {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return "~", true
	case len(words) > 1 || !words[0].Literal || startsOption(words[0].Text) || words[0].tilde:
		return "", false
	}
	return joinDir(c.Dir, words[0].Text), true
}

// climbs reports whether a .. stands behind a name: only the file system knows
// what is above a name that may be a link.
func climbs(dir string) bool {
	named := false
	for part := range strings.SplitSeq(dir, "/") {
		if part == ".." && named {
			return true
		}
		named = named || part != "" && part != "." && part != ".."
	}
	return false
}

func joinDir(dir, to string) string {
	if dir == "" || strings.HasPrefix(to, "/") || to == "~" || strings.HasPrefix(to, "~/") {
		return path.Clean(to)
	}
	return path.Join(dir, to)
}

// escapes reports whether a directory or path, as written, leads out of the
// start directory or may do so.
func escapes(dir string) bool {
	return strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~") || dir == ".." || strings.HasPrefix(dir, "../")
}

// maxDir is how long a directory is followed, in bytes: nobody works in a longer
// one, and a line of nothing but cd would fill the memory with them.
const maxDir = 1024

// move follows a change of directory.
func (r *reader) move(index int) {
	c := &r.line.Commands[index]
	switch c.Program() {
	case "git":
		_, global, _ := gitCommand(c.Words)
		for _, o := range global {
			if o.name == "C" && o.value != "" {
				if climbs(c.Dir + "/" + o.value) {
					c.doubt("a .. behind a name that may be a link")
				}
				if c.Dir = joinDir(c.Dir, o.value); len(c.Dir) > maxDir {
					c.doubt(uncertainDir)
					return
				}
			}
		}
	case "cd":
		switch dir, ok := c.ChangesTo(); {
		case !ok:
			c.doubt("the directory it changes to is known only when it runs")
			r.where.unsure = true
		case len(dir) > maxDir:
			c.doubt(uncertainDir)
			r.where.unsure = true
		default:
			r.where.dir = dir
		}
	case "pushd", "popd":
		r.where.unsure = true
	}
}
