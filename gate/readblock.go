package gate

import (
	"path"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate/shell"
)

// readBlocked finds a read rule that blocks what the request touches, and
// names it: a target, something to grant, or what a command is known to read
// (APR-13, APR-15).
func (e *evaluation) readBlocked() (what string, rule *Rule) {
	if e.index.read.empty() {
		return "", nil
	}
	req := &e.verdict.Request
	blocks := func(name string, f filePath) bool {
		what, rule = name, e.index.read.restricting(f, false)
		return rule != nil
	}
	for i := range e.files {
		if blocks(e.files[i].target, e.files[i].filePath) {
			return what, rule
		}
	}
	for _, g := range req.GrantTargets {
		if g.Kind == GrantURL {
			continue
		}
		if blocks(g.Path, e.place.file(g.Path, req.Dir)) || blocks(g.Path, e.place.file(peelSelector(g.Path), req.Dir)) {
			return what, rule
		}
	}
	for i := range e.commands {
		for _, operand := range e.commands[i].Reads() {
			if blocks(operand, e.commandFile(e.commands[i].Command, operand)) {
				return what, rule
			}
		}
	}
	return "", nil
}

// readMayReach says what in a command may turn out to be a blocked file: a
// word of a program whose use of it isn't known, a wildcard, or another
// user's home.
func (e *evaluation) readMayReach(c *shell.Command) (string, bool) {
	x := &e.index.read
	if x.empty() {
		return "", false
	}
	for _, operand := range c.Operands() {
		if x.restricting(e.commandFile(c, operand), false) != nil {
			return operand, true
		}
	}
	if what := c.Unnamed(); what != "" {
		return what, true
	}
	// Few commands hold a wildcard or another's home; for these the rules are
	// compared one by one.
	for _, glob := range c.Globs() {
		for _, form := range e.commandFile(c, glob).forms {
			if slices.ContainsFunc(x.patterns, func(p *filePattern) bool { return p.mayMeet(x.place.fold(form)) }) || !e.place.dark && x.linked(form) {
				return glob, true
			}
		}
	}
	for _, w := range c.Words[min(1, len(c.Words)):] {
		if len(w.Text) < 2 || w.Text[0] != '~' || w.Text[1] == '/' {
			continue
		}
		if slices.ContainsFunc(x.patterns, func(p *filePattern) bool { rel, ok := e.place.home.within(p.root); return ok && rel != "" }) {
			return w.Text, true
		}
	}
	return "", false
}

// peelSelector takes a line selector such as :120-140 off a path (TAM-10).
func peelSelector(p string) string {
	i := strings.LastIndexByte(p, ':')
	if i <= 0 || i == len(p)-1 || strings.Trim(p[i+1:], "0123456789-,+") != "" {
		return p
	}
	return path.Clean(p[:i])
}
