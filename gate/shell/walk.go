package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// A Walk is what a command reads without naming it: all that lies below its
// operands, such as what grep -r searches or tar packs (APR-13).
type Walk struct {
	// Roots are the operands, relative to the command's Dir. Below one that is no
	// folder there is nothing.
	Roots []string
	// Patterns are operands that the shell replaces by names, as in [Command.Globs].
	Patterns []string
	// Ignores says that what git ignores is passed over.
	Ignores bool
	// Git is what a git command shows of what is tracked, or nil.
	Git *GitWalk

	visible  bool     // passes over names that begin with a dot
	only     []string // reads only files with such a name
	not      []string // passes over files with such a name
	notBelow []string // does not enter folders with such a name

	leaves, leavesFolder string // what stands before a name that is left out, with = or !
}

// LeavingOut are the words that keep the command from reading files, or folders,
// with such a name; they are empty where there is no way.
func (w *Walk) LeavingOut(name string, folder bool) string {
	option := w.leaves
	if folder {
		option = w.leavesFolder
	}
	if option == "" || !sure(name) {
		return ""
	}
	at := strings.LastIndexByte(option, ' ') + 1
	return quotedAfter(option[:at], option[at:], name)
}

// quotedAfter is option and name as one word for a shell, behind what stands
// before it; it is empty for a word that can't stand in single quotes.
func quotedAfter(before, option, name string) string {
	if strings.HasSuffix(option, "=") {
		before, option = before+option, ""
	}
	word := option + name
	special := func(r rune) bool {
		return (r >= 0x80 || !letter(byte(r))) && !strings.ContainsRune("0123456789._/-", r)
	}
	switch {
	case !strings.ContainsFunc(word, special):
		return before + word
	case strings.ContainsFunc(word, func(r rune) bool { return r == '\'' || unseen.Rune(r) }):
		return ""
	}
	return before + "'" + word + "'"
}

// Skips reports whether the walk surely passes over a file, or a folder with
// all below it, of that name.
func (w *Walk) Skips(name string, folder bool) bool {
	fits := func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	}
	hidden := w.visible && strings.HasPrefix(name, ".")
	switch {
	case slices.ContainsFunc(w.only, fits): // also what is hidden
		return false
	case folder:
		return hidden || slices.ContainsFunc(w.notBelow, fits)
	}
	return hidden || len(w.only) > 0 || slices.ContainsFunc(w.not, fits)
}

// Walk says what c, a command of the line, reads as a whole; ok is false for
// one that isn't known to read folders.
func (l *Line) Walk(c *Command) (w Walk, ok bool) {
	switch name := base(c.Program()); name {
	case "grep", "egrep", "fgrep", "rgrep":
		return c.grepWalk()
	case "rg":
		return c.rgWalk(l.piped(c))
	case "git":
		return c.gitWalk()
	case "find":
		return c.findWalk()
	case "fd", "fdfind":
		return c.fdWalk()
	case "tar", "gtar", "bsdtar":
		w, ok = c.packs("cru", "create append update catenate concatenate", 1, 0)
		c.tarExcludes(&w)
	case "diff":
		w, ok = c.packs("r", "recursive", 1, 0)
		c.excludes(&w, &readers["diff"].options, "x", "")
	case "zip":
		w, ok = c.packs("r", "recurse-paths", 1, 0)
		c.zipExcludes(&w)
	case "rsync":
		w, ok = c.packs("rRa", "recursive archive", 2, 1)
		c.excludes(&w, &rsyncOptions, "", "include include-from exclude-from filter f F C cvs-exclude files-from")
	case "cp", "scp":
		return c.packs("rRa", "recursive archive", 2, 1)
	case "jar":
		return c.packs("cu", "create update", 1, 0)
	case "ag", "ack", "ugrep", "ug":
		return c.searchWalk(l.piped(c))
	default:
		return c.copyWalk(name)
	}
	return w, ok
}

// piped reports whether c reads what another command of its pipeline writes.
func (l *Line) piped(c *Command) bool {
	for i := range l.Commands {
		o := &l.Commands[i]
		if o == c {
			return false
		}
		if c.pipeline != 0 && o.pipeline == c.pipeline && o.parent == c.parent {
			return true
		}
	}
	return false
}

// root adds an operand.
func (w *Walk) root(word Word) {
	switch {
	case word.Glob:
		w.Patterns = append(w.Patterns, word.path())
	case word.Literal:
		w.Roots = append(w.Roots, word.path())
	}
}

// sure reports whether a pattern for names means the same to everyone.
func sure(pattern string) bool { return pattern != "" && !strings.ContainsAny(pattern, `/[]{}\`) }

func (c *Command) grepWalk() (w Walk, ok bool) {
	w.leaves, w.leavesFolder = "--exclude=", "--exclude-dir="
	p := readers["grep"]
	opts, operands := p.scan(c.Words, false)
	ok = base(c.Program()) == "rgrep"
	patterned, narrow := false, true
	for _, o := range opts {
		switch {
		case listed("r R recursive dereference-recursive", o.name), listed("d directories", o.name) && begins("recurse", o.value):
			ok = true
		case o.name == "exclude" && sure(o.value):
			w.not = append(w.not, o.value)
		case o.name == "exclude-dir" && sure(o.value):
			w.notBelow = append(w.notBelow, o.value)
		case o.name == "include":
			narrow, w.leaves = narrow && sure(o.value), "" // the order decides
			w.only = append(w.only, o.value)
		}
		patterned = patterned || listed(p.pattern, o.name)
	}
	if len(w.not) > 0 && len(w.only) > 0 {
		w.not, narrow = nil, false
	}
	if !narrow {
		w.only = nil
	}
	w.operands(c, operands, patterned, false)
	return w, ok
}

// operands adds the words that are searched, those behind the pattern; without
// any it is the current folder, or the input.
func (w *Walk) operands(c *Command, at []int, patterned, input bool) {
	if !patterned && len(at) > 0 {
		at = at[1:]
	}
	for _, i := range at {
		w.root(c.Words[i])
	}
	if len(at) == 0 && !input {
		w.Roots = []string{"."}
	}
}

// rgWalk passes over hidden files and those that git ignores, as rg does
// without its options, and without a configuration of its own.
func (c *Command) rgWalk(piped bool) (w Walk, ok bool) {
	p := readers["rg"]
	opts, operands := p.scan(c.Words, false)
	w.visible, w.Ignores = true, true
	w.leaves, w.leavesFolder = "-g !", "-g !"
	patterned, narrow, unrestricted := false, true, 0
	for _, o := range opts {
		switch name := o.name; {
		case name == "files", name == "type-list":
			return Walk{}, false // only names are told
		case name == ".", name == "hidden":
			w.visible = false
		case name == "u", name == "unrestricted":
			unrestricted++
		case strings.HasPrefix(name, "no-ignore"):
			w.Ignores = false
		case name == "g", name == "glob":
			not, negated := strings.CutPrefix(o.value, "!")
			switch {
			case negated && sure(not):
				w.not, w.notBelow = append(w.not, not), append(w.notBelow, not)
			case !negated:
				narrow, w.Ignores = narrow && sure(o.value), false
				w.leaves, w.leavesFolder = "", "" // the order decides
				w.only = append(w.only, o.value)
			}
		case name == "iglob" && !strings.HasPrefix(o.value, "!"), name == "ignore-file":
			w.visible, w.Ignores = false, false
			w.leaves, w.leavesFolder = "", ""
		}
		patterned = patterned || listed(p.pattern, o.name)
	}
	w.Ignores = w.Ignores && unrestricted == 0
	w.visible = w.visible && unrestricted < 2
	if len(w.not) > 0 && len(w.only) > 0 {
		w.not, w.notBelow, narrow = nil, nil, false
	}
	if !narrow {
		w.only, w.visible = nil, false
	}
	w.operands(c, operands, patterned, piped)
	return w, true
}

// namesOnly are programs that find runs on files whose content they leave alone.
const namesOnly = "basename chgrp chmod chown dirname du echo ls mkdir mv printf realpath readlink rm rmdir stat test touch"

// findWalk is that of a find which has a program read what it finds.
func (c *Command) findWalk() (w Walk, ok bool) {
	i := 1
	for ; i < len(c.Words); i++ {
		text := c.Words[i].Text
		if text == "-D" { // what follows says what to debug
			i++
			continue
		}
		if listed("-H -L -P", text) || strings.HasPrefix(text, "-O") {
			continue
		}
		if strings.HasPrefix(text, "-") || text == "(" || text == "!" {
			break
		}
		w.root(c.Words[i])
	}
	if len(w.Roots)+len(w.Patterns) == 0 {
		w.Roots = []string{"."}
	}
	narrow := true
	for ; i+1 < len(c.Words); i++ {
		next := c.Words[i+1]
		switch text := c.Words[i].Text; {
		case listed("-exec -execdir -ok -okdir", text):
			ok = ok || !listed(namesOnly, base(next.Text))
		case text == "-name" && !ok && w.only == nil && next.Literal && sure(next.Text): // behind the program it chooses nothing
			w.only = []string{next.Text}
		case text == "-printf", text == "-fprintf":
			i++ // its format may read as anything
		case listed("-o -or , ! -not ( )", text):
			narrow = false
		}
	}
	if !narrow {
		w.only = nil
	}
	return w, ok
}

var fdOptions = options{
	values: "tdeEcSjo", longValues: "type max-depth min-depth exact-depth extension exclude color size threads owner search-path base-directory " +
		"changed-within changed-before max-results format strip-cwd-prefix ignore-file",
}

// fdWalk is that of an fd which has a program read what it finds. Which names it
// looks for isn't held against them.
func (c *Command) fdWalk() (w Walk, ok bool) {
	end := slices.IndexFunc(c.Words, func(w Word) bool { return listed("-x -X --exec --exec-batch", w.Text) })
	if end < 0 || end+1 >= len(c.Words) || listed(namesOnly, base(c.Words[end+1].Text)) {
		return Walk{}, false
	}
	w.visible, w.Ignores = true, true
	opts, operands := fdOptions.scan(c.Words[:end], false)
	for _, o := range opts {
		switch {
		case listed("H hidden", o.name):
			w.visible = false
		case listed("I no-ignore no-ignore-vcs no-ignore-parent", o.name):
			w.Ignores = false
		case listed("u unrestricted", o.name):
			w.visible, w.Ignores = false, false
		case listed("search-path base-directory", o.name):
			w.Roots = append(w.Roots, o.value)
		}
	}
	if len(w.Roots) == 0 || len(operands) > 1 {
		w.operands(c, operands, false, false)
	}
	return w, true
}

// packs is the walk of a program that takes whole folders with some option: one
// of the letters short, also without a dash in the first word of tar, or one of
// the words long. Of at least min operands the last ones, which are written,
// are left out; a folder that an option changes to counts as one.
func (c *Command) packs(short, long string, min, written int) (w Walk, ok bool) {
	var operands []Word
	for i, word := range c.Words[1:] {
		text := word.Text
		switch {
		case strings.HasPrefix(text, "--"):
			name, value, _ := strings.Cut(text[2:], "=")
			ok = ok || begins(long, name)
			switch {
			case begins("target-directory", name):
				written = 0
			case value != "" && begins("directory", name):
				operands = append(operands, literal(value))
			}
		case strings.HasPrefix(text, "-C") && len(text) > 2:
			operands = append(operands, literal(text[2:]))
		case strings.HasPrefix(text, "-") && len(text) > 1:
			ok = ok || strings.ContainsAny(text[1:], short)
			if strings.Contains(text, "t") {
				written = 0
			}
		default:
			if i == 0 && listed("tar gtar bsdtar jar", base(c.Program())) && strings.ContainsAny(text, short) {
				ok = true
			}
			operands = append(operands, word)
		}
	}
	if len(operands) < min {
		return w, false
	}
	for _, word := range operands[:len(operands)-written] {
		w.root(word)
	}
	return w, ok
}

// begins reports whether name is one of the words of list, or what it may be
// short for.
func begins(list, name string) bool {
	for full := range strings.FieldsSeq(list) {
		if len(name) > 1 && strings.HasPrefix(full, name) {
			return true
		}
	}
	return false
}
