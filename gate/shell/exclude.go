package shell

import "strings"

var rsyncOptions = options{values: "efTBM", longValues: "exclude include filter exclude-from include-from files-from rsh temp-dir block-size"}

// excludes has a walk pass over what --exclude, or the letter short, leaves out:
// for rsync and diff that is every name which fits. The options that may take a
// file back in, or say what is left out elsewhere, are among against.
func (c *Command) excludes(w *Walk, table *options, short, against string) {
	w.leaves, w.leavesFolder = "--exclude=", "--exclude="
	opts, _ := table.scan(c.Words, false)
	var names []string
	for _, o := range opts {
		switch {
		case listed(against, o.name):
			w.leaves, w.leavesFolder = "", "" // the order decides
			return
		case (o.name == "exclude" || o.short && o.name == short) && o.hasValue && c.Words[o.valueAt].Literal && sure(o.value):
			names = append(names, o.value)
		}
	}
	w.not, w.notBelow = append(w.not, names...), append(w.notBelow, names...)
}

// tarExcludes has a walk pass over what --exclude leaves out of an archive: what
// is named before that which is packed. Other options say how patterns are read.
func (c *Command) tarExcludes(w *Walk) {
	w.leaves, w.leavesFolder = "--exclude=", "--exclude="
	var names []string
	packing := false
	for i := 1; i < len(c.Words); i++ {
		word := c.Words[i]
		switch name, value, joined := strings.Cut(word.Text, "="); {
		case strings.HasPrefix(name, "--no-") || listed("--anchored --wildcards --ignore-case --wildcards-match-slash", name):
			return
		case name == "--exclude" && joined:
			if !packing && word.Literal && sure(value) {
				names = append(names, value)
			}
		case name == "--exclude":
			i++ // in two words it isn't told from others for sure
		case !startsOption(word.Text) && i > 1 && !tarValue(c.Words[i-1].Text, i-1):
			packing = true
		}
	}
	w.not, w.notBelow = append(w.not, names...), append(w.notBelow, names...)
}

// tarValue reports whether the word behind that at place at is the archive.
func tarValue(word string, at int) bool {
	return word == "--file" || !strings.HasPrefix(word, "--") && (startsOption(word) || at == 1) && strings.HasSuffix(word, "f")
}

// excluded are the indexes of the words by which tar, rsync, diff and zip name
// what they leave out.
func (c *Command) excluded() (at []int) {
	name := ownName(c.Program())
	if !listed("tar gtar bsdtar rsync diff zip", name) {
		return nil
	}
	for i := 1; i < len(c.Words); i++ {
		text := c.Words[i].Text
		switch {
		case name == "zip":
			for text == "-x" && i+1 < len(c.Words) && !startsOption(c.Words[i+1].Text) {
				i++
				at = append(at, i)
			}
		case strings.HasPrefix(text, "--exclude="):
			at = append(at, i)
		case listed("rsync diff", name) && text == "--exclude", name == "diff" && text == "-x":
			i++
			at = append(at, i)
		}
	}
	return at
}

// zipExcludes has a walk pass over what -x leaves out by patterns that begin with
// *, which in zip is any folder too.
func (c *Command) zipExcludes(w *Walk) {
	for i, word := range c.Words {
		if word.Text != "-x" {
			continue
		}
		for _, pattern := range c.Words[i+1:] {
			if startsOption(pattern.Text) || pattern.Text == "@" {
				break
			}
			if pattern.Literal && sure(pattern.Text) && strings.HasPrefix(pattern.Text, "*") {
				w.not = append(w.not, pattern.Text)
			}
		}
	}
}
