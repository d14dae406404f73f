package shell

import (
	"slices"
	"strings"
)

// takesIn are programs that show, send or copy the files that their words name,
// beside those that only read.
const takesIn = "less more most nl tac rev sort uniq cut paste join comm fold fmt pr expand unexpand column od xxd hexdump strings " +
	"base64 base32 basenc cmp sdiff diff3 iconv envsubst shuf split csplit look bat batcat jq yq xq sed gsed awk gawk mawk nawk " +
	"egrep fgrep rgrep ag ack cp mv ln install rsync scp sftp tar gtar bsdtar zip 7z gzip gunzip zcat bzip2 bzcat xz xzcat zstd zstdcat lz4 brotli " +
	"openssl gpg dd tee pbcopy xclip wl-copy enscript lpr mail pandoc"

// Unnamed reports whether c reads files, or takes them along, without naming
// them: by word, which is known only when it runs, or, where that is empty, by
// names that it reads from elsewhere. Of programs whose words aren't known to
// name files it isn't (APR-13).
func (c *Command) Unnamed() (word string, yes bool) {
	for _, r := range c.Redirects {
		if r.Reads && !r.Target.Literal && !r.Target.inert && !r.Target.Glob {
			return r.Target.Text, true
		}
	}
	if c.readsNames() {
		return "", true
	}
	name := ownName(c.Program())
	if isAwk(name) && slices.ContainsFunc(c.awkPrograms(), awkUnnamed().MatchString) {
		return "", true
	}
	if name == "" || readers[name] == nil && name != "git" && !listed(senders, name) && !listed(takesIn, name) {
		return "", false
	}
	skip := append(c.otherValues(), c.patternAt())
	inGit := name == "git" && !slices.ContainsFunc(c.Words, func(w Word) bool { return w.Text == "--no-index" })
	for i := 1; i < len(c.Words); i++ {
		w := c.Words[i]
		if w.Literal || w.Glob && !strings.ContainsAny(w.Text, "$`") || w.inert || slices.Contains(skip, i) {
			continue
		}
		if inGit && !(strings.Contains(w.Text, ":") && listed("show cat-file diff blame log archive", c.gitSubcommand())) {
			continue // a revision, a message or a pathspec
		}
		if mayName(name, w.Text) {
			return w.Text, true
		}
	}
	return "", false
}

// otherValues are the indexes of the words that are values of options, but for
// those that name a file, of a program that only reads.
func (c *Command) otherValues() (at []int) {
	p := readers[base(c.Program())]
	if p == nil {
		return c.filters()
	}
	opts, _ := p.scan(c.Words, false)
	for _, o := range opts {
		if o.hasValue && !listed(p.files, o.name) {
			at = append(at, o.valueAt)
		}
	}
	return at
}

// known is what stands in a word before the part that isn't known yet.
func known(text string) string { return text[:max(strings.IndexAny(text, "$`"), 0)] }

// senders take a file only where a word says so by a sign of its own.
const senders = "curl wget http https xh gh glab"

// namingOptions are the long options whose value names a file.
const namingOptions = "file files-from from-file input in input-file data env-file config upload-file post-file body-file"

// mayName reports whether a word may come to name a file, by what stands before
// the part that isn't known yet. An option may where its name says so.
func mayName(program, text string) bool {
	before := known(text)
	address := strings.Contains(before, "://") && !strings.HasPrefix(before, "file:")
	switch {
	case address:
		return false
	case listed(senders, program):
		return strings.HasPrefix(before, "file:") || strings.ContainsAny(before, "@<")
	case strings.HasPrefix(text, "--"):
		name, _, joined := strings.Cut(before[2:], "=")
		return joined && listed(namingOptions, name)
	}
	return !startsOption(text) || text == before
}

// readsNames reports a program that takes the names of the files which it packs
// or sorts from its input, or from another file.
func (c *Command) readsNames() bool {
	name := ownName(c.Program())
	listing := false
	for i, w := range c.Words[min(1, len(c.Words)):] {
		text := w.Text
		long, _, _ := strings.Cut(strings.TrimPrefix(text, "--"), "=")
		isLong := strings.HasPrefix(text, "--") && len(long) > 2
		short := strings.HasPrefix(text, "-") && !isLong
		switch name {
		case "tar", "gtar", "bsdtar":
			if i == 0 && !startsOption(text) {
				text, short = "-"+text, true
			}
			listing = isLong && len(long) > 4 && begins("files-from", long) || short && strings.Contains(text, "T") && strings.IndexFunc(text[1:], notLetter) < 0
		case "rsync":
			listing = isLong && begins("files-from", long)
		case "sort", "wc", "du":
			listing = isLong && begins("files0-from", long)
		case "cpio":
			listing = isLong && begins("create pass-through", long) || short && strings.ContainsAny(text, "op")
		case "pax":
			listing = short && strings.Contains(text, "w") && !c.namesOperands(i+2)
		case "zip":
			listing = short && strings.Contains(text, "@")
		case "7z", "7za", "7zz":
			listing = strings.HasPrefix(text, "@")
		}
		if listing {
			return true
		}
	}
	return false
}

// namesOperands reports whether a word from at on is no option.
func (c *Command) namesOperands(at int) bool {
	for _, w := range c.Words[min(at, len(c.Words)):] {
		if !startsOption(w.Text) {
			return true
		}
	}
	return false
}

func notLetter(r rune) bool { return r >= 0x80 || !letter(byte(r)) }

// WritesUnnamed reports whether c writes to a file whose name is known only when
// it runs.
func (c *Command) WritesUnnamed() bool {
	return slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return r.Writes && !r.Target.Literal }) ||
		isAwk(ownName(c.Program())) && slices.ContainsFunc(c.awkPrograms(), awkWritesUnnamed().MatchString)
}
