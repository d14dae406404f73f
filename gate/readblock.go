package gate

import (
	"path"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/bmatcuk/doublestar/v4"
)

// readBlocked reports whether the request touches what a read rule blocks,
// and names it: as a target, as something to grant, or as what a command is
// known to read.
func (e *evaluation) readBlocked(r *Rule) (string, bool) {
	m := r.matcher.(*pathMatcher)
	blocked := func(f filePath) bool { return m.blocks(e.place, f) }
	req := &e.verdict.Request
	for i, f := range e.files {
		if blocked(f) {
			return req.Targets[i], true
		}
	}
	for _, g := range req.GrantTargets {
		if g.Kind != GrantURL && blocked(e.place.file(peelSelector(g.Path), req.Dir)) {
			return g.Path, true
		}
	}
	for i := range e.commands {
		for _, operand := range e.commands[i].Reads() {
			if blocked(e.commandFile(e.commands[i].Command, operand)) {
				return operand, true
			}
		}
	}
	return "", false
}

// readMayReach says what in a command may turn out to be a blocked file: a
// word of a program whose use of it isn't known, a wildcard, or another
// user's home.
func (e *evaluation) readMayReach(c *shell.Command) (string, bool) {
	for _, r := range e.rules(ruleRead, Deny) {
		m := r.matcher.(*pathMatcher)
		for _, operand := range c.Operands() {
			if m.blocks(e.place, e.commandFile(c, operand)) {
				return operand, true
			}
		}
		root := m.literalRoot(e.place)
		for _, glob := range c.Globs() {
			if globReaches(e.commandFile(c, glob).written, root, m.glob || m.below) {
				return glob, true
			}
		}
		for _, w := range c.Words[min(1, len(c.Words)):] {
			if strings.HasPrefix(w.Text, "~") && !strings.HasPrefix(w.Text, "~/") && len(w.Text) > 1 && isBelow(root, e.place.home) {
				return w.Text, true
			}
		}
	}
	return "", false
}

// blocks reports whether a read rule stands against a file.
func (m *pathMatcher) blocks(p place, f filePath) bool {
	return m.restricts(p, f.written, false) || m.restricts(p, f.resolved, false)
}

// globReaches reports whether pattern, an absolute path with wildcards, may
// expand to root or to something below it. As in a shell, a wildcard at the
// start of a component takes no leading dot. A last * that takes everything
// names a folder no more than a search of the folder above it does.
func globReaches(pattern, root string, folder bool) bool {
	ps, rs := strings.Split(pattern, "/"), strings.Split(root, "/")
	for i := range min(len(ps), len(rs)) {
		if strings.HasPrefix(rs[i], ".") && !strings.HasPrefix(ps[i], ".") {
			return false
		}
		if ok, err := doublestar.Match(ps[i], rs[i]); err == nil && !ok {
			return false
		}
	}
	if len(ps) == len(rs) && folder && strings.Trim(ps[len(ps)-1], "*") == "" {
		return false
	}
	return len(ps) >= len(rs)
}

// peelSelector takes a line selector such as :120-140 off a path (TAM-10).
func peelSelector(p string) string {
	i := strings.LastIndexByte(p, ':')
	if i <= 0 || i == len(p)-1 || strings.Trim(p[i+1:], "0123456789-,+") != "" {
		return p
	}
	return path.Clean(p[:i])
}
