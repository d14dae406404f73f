package gate

import (
	"path"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/bmatcuk/doublestar/v4"
)

// readBlocked reports whether the request touches what a read rule blocks,
// and names it: as a target, as something to grant, or as a command's operand.
func (e *evaluation) readBlocked(r *Rule) (string, bool) {
	m := r.matcher.(*pathMatcher)
	blocked := func(f filePath) bool {
		return m.restricts(e.place, f.written, false) || m.restricts(e.place, f.resolved, false)
	}
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
		for _, operand := range e.commands[i].Operands() {
			if blocked(e.commandFile(e.commands[i].Command, operand)) {
				return operand, true
			}
		}
	}
	return "", false
}

// readMayReach reports whether a wildcard or another user's home in a word
// could expand to a blocked file.
func (e *evaluation) readMayReach(c *shell.Command) bool {
	for _, r := range e.rules(ruleRead, Deny) {
		m := r.matcher.(*pathMatcher)
		root := m.literalRoot(e.place)
		for _, w := range c.Words[min(1, len(c.Words)):] {
			switch {
			case strings.HasPrefix(w.Text, "~") && !strings.HasPrefix(w.Text, "~/") && len(w.Text) > 1 && isBelow(root, e.place.home):
				return true
			case w.Glob && globReaches(e.commandFile(c, w.Text).written, root, m.glob || m.below):
				return true
			}
		}
	}
	return false
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
