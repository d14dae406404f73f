package shell

import (
	"slices"
	"strings"
)

// Operands are the literal texts in c that could name a file it reads or
// writes: words that are no options, values of options in every spelling, and
// the files it takes input from. They are relative to c.Dir. More is listed
// than is a file; left out is what grep or rg search for, and the names by which
// they choose files, which [Line.Walk] is about.
func (c *Command) Operands() []string {
	return c.operands(func(w Word) bool { return w.Literal })
}

// Reads are the operands that c is known to read: all of those of a program
// that only reads, and of every program the files it takes input from.
func (c *Command) Reads() []string {
	if c.readsOperands() {
		return c.Operands()
	}
	input := Command{Redirects: c.Redirects}
	return input.Operands()
}

// readsOperands reports whether c is one of the programs whose operands are
// read and nothing else.
func (c *Command) readsOperands() bool {
	name := base(c.Program())
	if name != "git" {
		return readers[name] != nil
	}
	sub, _, _ := gitCommand(c.Words)
	return sub > 0 && listed(gitReaders, c.Words[sub].Text)
}

// Globs are the patterns in c that the shell replaces by the names of files,
// relative to c.Dir.
func (c *Command) Globs() []string {
	return c.operands(func(w Word) bool { return w.Glob })
}

func (c *Command) operands(want func(Word) bool) []string {
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	skip := append(c.filters(), c.patternAt())
	ended, only := false, c.readsOperands()
	for i := 1; i < len(c.Words); i++ {
		w := c.Words[i]
		if slices.Contains(skip, i) || !want(w) {
			continue
		}
		if !ended && w.Text == "--" {
			ended = true
			continue
		}
		values(w.path(), ended, c.revised(add))
		if !only {
			parted(w.Text, add)
		}
	}
	for _, name := range c.codeNames() {
		if want(name) {
			add(name.Text)
		}
	}
	if isSed(ownName(c.Program())) {
		_, script := c.sedScripts()
		for _, file := range script.reads {
			if want(literal(file)) {
				add(file)
			}
		}
	}
	for _, r := range c.Redirects {
		if r.Reads && want(r.Target) {
			add(r.Target.path())
		}
	}
	return out
}

// values adds what in a word could be a path: the word, what follows an =, a
// short option, a colon of a revision or a pathspec, or an @.
func values(s string, ended bool, add func(string)) {
	if !strings.HasPrefix(s, "-") || ended {
		add(s)
	} else if !strings.HasPrefix(s, "--") {
		for i := 2; i < len(s); i++ {
			add(s[i:])
		}
	}
	if _, after, ok := strings.Cut(s, "="); ok {
		add(after)
		literalTilde(after, add)
		s = after
	}
	colons(s, add)
	if after, ok := strings.CutPrefix(s, "@"); ok {
		add(after)
		literalTilde(after, add)
	}
}

// parted adds the parts of a word in which a program may see several, as in
// field=<file, name@file and type=bind,source=file,target=/x.
func parted(s string, add func(string)) {
	if !strings.ContainsAny(s, "=@<") || strings.ContainsAny(s, " \t\n") {
		return
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("=,;@<", r) })
	for i := 1; i < len(parts); i++ {
		add(parts[i])
		literalTilde(parts[i], add)
	}
}

// literalTilde adds a path whose ~ the shell leaves alone, where a program may
// still take it for the home.
func literalTilde(s string, add func(string)) {
	if strings.HasPrefix(s, "~") {
		add("./" + s)
	}
}

// colons adds what follows each colon, as in HEAD^{/a:b}:path and :0:path,
// and the path in a pathspec with magic. What a pathspec excludes is no path.
func colons(s string, add func(string)) {
	if magic, ok := strings.CutPrefix(s, ":("); ok {
		words, after, closed := strings.Cut(magic, ")")
		if closed && !strings.Contains(words, "exclude") {
			pathspec(after, add)
		}
	} else if strings.HasPrefix(s, ":!") || strings.HasPrefix(s, ":^") {
		return
	} else if after, ok := strings.CutPrefix(s, ":/"); ok {
		pathspec(after, add)
	}
	for _, after, ok := strings.Cut(s, ":"); ok; _, after, ok = strings.Cut(after, ":") {
		add(after)
		literalTilde(after, add)
	}
}

// pathspec adds a path from the top of the repository, also without the folders
// of any name before it.
func pathspec(s string, add func(string)) {
	s = strings.TrimLeft(s, "/")
	add(s)
	for after, ok := strings.CutPrefix(s, "**/"); ok; after, ok = strings.CutPrefix(after, "**/") {
		add(after)
	}
}

// revised also adds each operand of git as seen from the folders above, for
// the paths that git reads from the top of the repository.
func (c *Command) revised(add func(string)) func(string) {
	if base(c.Program()) != "git" || c.Dir == "" {
		return add
	}
	return func(s string) {
		add(s)
		if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") {
			return
		}
		for up := "../"; strings.Count(up, "/") <= strings.Count(c.Dir, "/")+1; up += "../" {
			add(up + s)
		}
	}
}

// patternAt is the index of the word that grep or rg searches for, or 0.
func (c *Command) patternAt() int {
	p := readers[base(c.Program())]
	if p == nil || p.pattern == "" {
		return 0
	}
	opts, operands := p.scan(c.Words, false)
	for _, o := range opts {
		if listed(p.pattern, o.name) || p.abbreviate && len(o.name) > 1 && !o.known {
			return 0
		}
	}
	if len(operands) == 0 {
		return 0
	}
	return operands[0]
}

// filters are the indexes of the words by which grep, rg, git, tar and the like
// choose among files: they open nothing by that name, least of all what they leave out.
func (c *Command) filters() (at []int) {
	if base(c.Program()) == "git" {
		for i, w := range c.Words {
			if excludes(w.Text) {
				at = append(at, i)
			}
		}
		return at
	}
	p := readers[base(c.Program())]
	if p == nil || p.filters == "" {
		return c.excluded()
	}
	opts, _ := p.scan(c.Words, false)
	for _, o := range opts {
		if o.hasValue && listed(p.filters, o.name) {
			at = append(at, o.valueAt)
		}
	}
	return at
}

// optionWords are the words among which options may stand: all of them, but for
// a program that only reads those up to where its options surely end.
func (c *Command) optionWords() []Word {
	name := c.Program()
	if name == "git" {
		if sub, _, sure := gitCommand(c.Words); sub > 0 && sure && listed(gitReaders, c.Words[sub].Text) {
			return c.Words[:sub+len(gitArguments(c.Words[sub:]))]
		}
		return c.Words
	}
	p := readers[name]
	for i := 1; p != nil && i < len(c.Words); i++ {
		before := c.Words[i-1]
		if c.Words[i].Text == "--" && (i == 1 || before.Literal && !startsOption(before.Text) || p.valueless(before)) {
			return c.Words[:i]
		}
	}
	return c.Words
}

// valueless reports whether w is a cluster of short options none of which takes
// a value.
func (p *program) valueless(w Word) bool {
	s := w.Text
	return w.Literal && len(s) > 1 && s[0] == '-' && s[1] != '-' && !strings.ContainsAny(s[1:], p.values+p.attached)
}

// Forms are the ways to name c that a deny or ask rule should see: its words
// as they are, with the bare name of its program in small letters, and without
// git's options before the subcommand. Allow rules look at the first only.
func (c *Command) Forms() [][]string {
	forms := [][]string{c.Args()}
	if len(c.Words) == 0 {
		return forms
	}
	words := c.Words
	if name := strings.TrimSuffix(strings.ToLower(base(words[0].Text)), ".exe"); name != words[0].Text && name != "" {
		words = append([]Word{{Text: name, Literal: words[0].Literal}}, words[1:]...)
		forms = append(forms, texts(words))
	}
	if words[0].Text == "git" {
		if short := gitWithout(words); short != nil {
			forms = append(forms, texts(short))
		}
	}
	return forms
}

func texts(words []Word) []string {
	c := Command{Words: words}
	return c.Args()
}
