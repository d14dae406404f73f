package diffview

import (
	"bytes"
	"slices"
)

// dyes are the colours that git puts into a patch.
type dyes struct {
	seen bool // the patch is coloured, so that unchanged lines end in a reset
}

var (
	dyeStart = lazyRegexp(`^(\x1b\[[0-9;]*m)+`)
	dyeBlank = lazyRegexp(`(?:\x1b\[m)?\x1b\[[0-9;]*m([ \t\r]+)\x1b\[m$`)
	dyeRange = lazyRegexp(`^(@@ [^@]* @@)(?:\x1b\[[0-9;]*m)+( ?)(?:\x1b\[m)?`)
	dyeStat  = lazyRegexp(`^ [^|\x1b]+ \| +(?:\d+ |Bin )`)
	dye      = lazyRegexp(`\x1b\[[0-9;]*m`)
)

// undye takes git's own colours off a line: where and as git writes them, and
// nowhere else, since the text of a file may hold the same bytes and must not
// lose them.
func (d *dyes) undye(line []byte) []byte {
	start := dyeStart().Find(line)
	d.seen = d.seen || bytes.HasPrefix(line[len(start):], []byte("diff --git ")) && start != nil
	switch {
	case dyeStat().Match(line):
		return dye().ReplaceAll(line, nil)
	case start == nil && d.seen && bytes.HasPrefix(line, []byte(" ")):
		return bytes.TrimSuffix(line, []byte("\x1b[m"))
	case start == nil:
		return line
	}
	rest := bytes.Clone(line[len(start):])
	rest = dyeBlank().ReplaceAll(rest, []byte("$1"))
	rest = bytes.TrimSuffix(rest, []byte("\x1b[m"))
	if len(rest) == 0 {
		return []byte{} // nil would be the end of the input
	}
	switch {
	case rest[0] == '+', rest[0] == '-', rest[0] == ' ', rest[0] == '\\':
		// The sign and the text have their colour each, the blanks between none.
		if after, ok := bytes.CutPrefix(rest[1:], []byte("\x1b[m")); ok {
			text := bytes.TrimLeft(after, " \t")
			blanks := after[:len(after)-len(text)]
			if text, ok := bytes.CutPrefix(text, start); ok {
				rest = slices.Concat(rest[:1], blanks, text)
			}
		}
	case bytes.HasPrefix(rest, []byte("@@ ")):
		rest = dyeRange().ReplaceAll(rest, []byte("$1$2"))
	case bytes.HasPrefix(rest, []byte("commit ")):
		rest = dye().ReplaceAll(rest, nil)
	}
	return rest
}
