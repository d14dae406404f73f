package shell

import "strings"

// ReadOnly says whether the built-in defaults let c pass: it is one of the
// programs that only read, in a spelling that writes, runs and hides nothing
// (APR-15). A guard that is not empty names the option that makes the
// defaults ask; it asks even under an allow rule of the user's.
//
// Whether the operands may be read, and whether c's directory lies in the
// workspace, is for the caller to check: see [Command.Operands] and
// [Command.Globs].
func ReadOnly(c *Command) (allowed bool, guard string) {
	return ReadOnlyIn(c, func(dir string) bool { return !escapes(dir) })
}

// ReadOnlyIn is ReadOnly for a caller who knows which directories, written as
// in [Command.Dir], lie in the workspace.
func ReadOnlyIn(c *Command, inside func(dir string) bool) (allowed bool, guard string) {
	if len(c.Words) == 0 {
		return len(c.Assigns) == 0 && len(c.Redirects) > 0 && !c.Writes() && len(c.Doubts) == 0, ""
	}
	name := c.Words[0].Text
	known := false
	switch p := readers[base(name)]; {
	case base(name) == "git":
		known, guard = c.gitReads(inside)
	case p != nil:
		known, guard = true, c.guard(name, p, c.Words)
	case name == "cd":
		dir, ok := c.ChangesTo()
		known = ok && inside(dir)
	}
	if !known || guard != "" || strings.Contains(name, "/") || len(c.Doubts) > 0 || c.Writes() || len(c.Via) > 0 {
		return false, guard
	}
	for _, a := range c.Assigns {
		if !a.Harmless {
			return false, ""
		}
	}
	for _, w := range c.Words {
		if !w.Literal && !w.inert && (!w.Glob || hiddenGlob(w.Text)) {
			return false, ""
		}
	}
	for _, r := range c.Redirects {
		if r.Reads && !r.Target.Literal && !r.Target.inert {
			return false, ""
		}
	}
	return true, ""
}

// guard names the guarded option that stands in words, if one does.
func (c *Command) guard(name string, p *program, words []Word) string {
	if p.guards == "" {
		return ""
	}
	opts, _ := p.scan(words, false)
	for _, o := range opts {
		if full := p.guarded(o.name, o.short); full != "" {
			return base(name) + " … " + full
		}
	}
	return ""
}

// guarded returns the guarded option that name is, or may be short for, with
// its dashes.
func (p *program) guarded(name string, short bool) string {
	switch {
	case name == "":
		return ""
	case listed(p.guards, name) && short == (len(name) == 1):
		return dashed(name)
	case short || !p.abbreviate || listed(p.longValues, name) || listed(p.longFlags, name):
		return ""
	}
	for full := range strings.FieldsSeq(p.guards) {
		if len(full) > 1 && strings.HasPrefix(full, name) {
			return dashed(full)
		}
	}
	return ""
}

func (c *Command) gitReads(inside func(dir string) bool) (known bool, guard string) {
	sub, global, sure := gitCommand(c.Words)
	if guard = gitGuard(global, inside(c.Dir)); guard != "" {
		return false, guard
	}
	if sub == 0 || !sure || !listed(gitReaders, c.Words[sub].Text) {
		return false, ""
	}
	for _, o := range global {
		if !listed(gitHarmless, o.name) && o.name != "C" {
			return false, ""
		}
	}
	words := gitArguments(c.Words[sub:])
	return true, c.gitOption(words)
}

// gitOption names the guarded option in the words of a subcommand. A value
// that looks like such an option counts as one: git takes some values only
// when they are attached, and which is not worth knowing.
func (c *Command) gitOption(words []Word) string {
	for _, w := range words[1:] {
		if signatureFormat(w.Text) {
			return "git … %G"
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "--"), "=")
		if !strings.HasPrefix(w.Text, "--") {
			continue
		}
		if full := gitReading.guarded(name, false); full != "" {
			return "git … " + full
		}
	}
	return ""
}

// signatureFormat reports whether a format may hold a placeholder that makes git
// verify signatures, for which it runs a program.
func signatureFormat(s string) bool {
	for at := strings.IndexByte(s, '%'); at >= 0; at = strings.IndexByte(s, '%') {
		s = s[at+1:]
		if strings.HasPrefix(strings.TrimLeft(s, "-+ "), "G") {
			return true
		}
	}
	return false
}

// hiddenGlob reports whether a pattern could match names that begin with a
// dot, which plain patterns never do.
func hiddenGlob(pattern string) bool {
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.HasPrefix(part, ".") && strings.ContainsAny(part, "*?[") {
			return true
		}
	}
	return false
}
