package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the length in bytes over which a line is not trusted: nobody
// reads such a line before approving it.
const maxLine = 10_000

// maxDepth is how deep groups may nest. Deeper lines are made, not written.
const maxDepth = 64

// surface looks for what makes a line unfit for parsing. The parser accepts
// these silently, or takes them for data where a shell runs them, so a clean
// parse proves nothing.
//
// Text that nests too deep isn't parsed at all: parsers take their time on it.
func (l *Line) surface() (deep bool) {
	s := l.Source
	if len(s) > maxLine {
		l.doubt("the line is longer than 10,000 bytes", maxLine)
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\t' || b == '\n' || ' ' <= b && b < 0x7f:
			switch b {
			case '(', '{':
				if depth++; depth > maxDepth {
					deep = true
				}
			case ')', '}':
				depth--
			}
		case b == 0:
			l.doubt("a NUL byte", i)
		case b == '\r':
			l.doubt("a carriage return", i)
		case b < 0x20 || b == 0x7f:
			l.doubt("a control character", i)
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				l.doubt("bytes that are not UTF-8", i)
			} else if unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp) {
				l.doubt("an invisible character", i)
			}
			i += size - 1
		}
	}
	if deep {
		l.doubt(groupsTooDeep, 0)
	}
	l.comments()
	l.dollarQuotes()
	return deep
}

// comments finds comments that end in a backslash: a parser may join the next
// line to the comment, while a shell runs it.
func (l *Line) comments() {
	if !strings.Contains(l.Source, "#") || !strings.Contains(l.Source, "\\\n") {
		return
	}
	pos := 0
	for row := range strings.Lines(l.Source) {
		at := strings.IndexByte(row, '#')
		for at > 0 && !strings.ContainsRune(" \t;&|()`", rune(row[at-1])) {
			next := strings.IndexByte(row[at+1:], '#')
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at >= 0 && strings.HasSuffix(row, "\\\n") {
			l.doubt("a comment that ends in a backslash", pos+at)
		}
		pos += len(row)
	}
}

// dollarQuotes finds $'…', $"…" and $[…] outside of quotes. They are found
// once more in the parsed line; this finds them where the parser saw data.
func (l *Line) dollarQuotes() {
	s := l.Source
	single, double := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case single:
			single = c != '\''
		case c == '\\':
			i++
		case c == '\'' && !double:
			single = true
		case c == '"':
			double = !double
		case c == '$' && i+1 < len(s):
			l.dollar(s[i+1], double, i)
		}
	}
}

func (l *Line) dollar(next byte, double bool, pos int) {
	switch {
	case next == '\'' && !double:
		l.doubt("a quotation of the form $'…'", pos)
	case next == '"' && !double:
		l.doubt(`a quotation of the form $"…"`, pos)
	case next == '[' && !double:
		l.doubt("arithmetic of the form $[…]", pos)
	}
}
