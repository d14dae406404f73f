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
	if what, rule = e.searchNamed(); rule != nil {
		return what, rule
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

// readsForbidden says why one of the commands, or what one of them may run, may
// read a blocked file, or is empty.
func (e *evaluation) readsForbidden() string {
	for i := range e.commands {
		if why := e.readMayReach(e.commands[i].Command); why != "" {
			return why
		}
	}
	for _, line := range e.lines {
		for i := range line.Possible {
			if why := e.readMayReach(&line.Possible[i]); why != "" {
				return why
			}
		}
	}
	return ""
}

// readMayReach says why a command may read a blocked file: by a word of a program
// whose use of it isn't known, a wildcard, another user's home, or a name that
// isn't known yet. It is empty where it doesn't.
func (e *evaluation) readMayReach(c *shell.Command) (why string) {
	x := &e.index.read
	if x.empty() {
		return ""
	}
	mayBe := func(word string) string { return word + " may be a file that may not be read" }
	for _, operand := range c.Operands() {
		if x.restricting(e.commandFile(c, operand), false) != nil {
			return mayBe(operand)
		}
	}
	switch word, yes := c.Unnamed(); {
	case word != "":
		return mayBe(word)
	case yes:
		return "it takes files by names that aren't in it, and some files may not be read"
	}
	// Few commands hold a wildcard or another's home; for these the rules are
	// compared one by one.
	for _, glob := range c.Globs() {
		for _, form := range e.commandFile(c, glob).forms {
			if slices.ContainsFunc(x.patterns, func(p *filePattern) bool { return p.mayMeet(x.place.fold(form)) }) || !e.place.dark && x.linked(form) {
				return mayBe(glob)
			}
		}
	}
	for _, w := range c.Words[min(1, len(c.Words)):] {
		if len(w.Text) < 2 || w.Text[0] != '~' || w.Text[1] == '/' {
			continue
		}
		if slices.ContainsFunc(x.patterns, func(p *filePattern) bool { rel, ok := e.place.home.within(p.root); return ok && rel != "" }) {
			return mayBe(w.Text)
		}
	}
	return ""
}

// peelSelector takes a line selector such as :120-140 off a path (TAM-10).
func peelSelector(p string) string {
	i := strings.LastIndexByte(p, ':')
	if i <= 0 || i == len(p)-1 || strings.Trim(p[i+1:], "0123456789-,+") != "" {
		return p
	}
	return path.Clean(p[:i])
}
