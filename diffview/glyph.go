package diffview

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

const (
	tabStop = 4
	// longRun blanks or more are drawn as a count.
	longRun = 8
	// A count keeps the columns of its run up to here, so that tables stay
	// aligned.
	alignedRun = 32
	// maxMarks combining marks on one letter are drawn, the rest are escaped:
	// a tall stack would draw over other rows.
	maxMarks = 4
	// maxJoined characters of one grapheme are drawn, the rest are escaped.
	// Terminals don't agree on how wide a longer one is, and no script needs
	// it.
	maxJoined = 16
)

// A glyph is the smallest piece that is drawn: one grapheme, one escape or one
// mark of ours.
type glyph struct {
	text     []byte // valid until the next glyph is read
	width    int    // columns
	from, to int    // the bytes of the source that it stands for
	mark     bool   // drawn in place of what the source holds
}

// A scanner reads the glyphs of one line, which is the whole of escaping.
type scanner struct {
	src     []byte
	word    bool   // escape everything that isn't ASCII
	names   []Span // or only what isn't ASCII in these, in their order
	blanks  bool   // leave blanks as they are
	indent  int    // leading spaces up to here are drawn as they are
	pos     int
	col     int  // column of the next glyph
	tail    int  // where trailing blanks begin
	based   bool // the last glyph can carry a mark
	joined  int  // where the grapheme ends that was read last
	drawn   int  // how many of its characters were drawn
	slashes int  // end of the run of backslashes at pos
	doubled bool // whether that run is doubled
	buf     []byte
	signs   wordSigns
}

func newScanner(src []byte) *scanner {
	s := &scanner{src: src}
	end := bytes.TrimSuffix(src, []byte{'\r'})
	if s.tail = len(bytes.TrimRight(end, " \t")); s.tail == len(end) {
		s.tail = len(src)
	}
	return s
}

// keepIndent lets up to n leading spaces through: nothing stands before them
// that they could push out of sight.
func (s *scanner) keepIndent(n int) *scanner {
	if run := s.run(' '); run <= n {
		s.indent = run
	}
	return s
}

// next returns the next glyph, or false at the end.
func (s *scanner) next() (glyph, bool) {
	if g, ok := s.signs.next(s.pos); ok {
		s.col += g.width
		return g, true
	}
	if s.pos >= len(s.src) {
		return glyph{}, false
	}
	g := s.read()
	g.from, s.pos = s.pos, g.to
	s.col += g.width
	s.based = !g.mark && g.text[0] != ' '
	return g, true
}

func (s *scanner) read() glyph {
	switch c := s.src[s.pos]; {
	case ' ' < c && c < 0x7f && c != '\\' && (s.pos+1 == len(s.src) || s.src[s.pos+1] < utf8.RuneSelf):
		return s.plain(1, 1) // what nearly all text is made of
	case c == ' ':
		return s.blank()
	case c == '\t':
		return s.tab()
	case c == '\\':
		if s.doubles() {
			return s.mark(`\\`, 2, 1)
		}
	}
	if n := s.escapes(s.pos); n > 0 {
		return s.escape(n)
	}
	if n := s.surplus(); n > 0 {
		return s.escape(n)
	}
	return s.cluster()
}

func (s *scanner) blank() glyph {
	if s.blanks {
		return s.plain(1, 1)
	}
	run := s.run(' ')
	switch trailing := s.pos >= s.tail; {
	case s.pos < s.indent && !trailing:
		return s.plain(1, 1)
	case run >= longRun:
		g := s.count(run, "spaces")
		if pad := run - g.width; pad > 0 && run <= alignedRun && !trailing {
			g.text = append(g.text, bytes.Repeat([]byte{' '}, pad)...)
			g.width = run
		}
		return g
	case trailing:
		return s.mark(string(blankMark), 1, 1)
	}
	return s.plain(1, 1)
}

func (s *scanner) tab() glyph {
	if s.blanks {
		return s.plain(1, tabStop-s.col%tabStop)
	}
	if run := s.run('\t'); run >= longRun {
		return s.count(run, "tabs")
	}
	width := tabStop - s.col%tabStop
	return s.mark(string(tabMark)+"   "[:width-1], width, 1)
}

// count is a mark that stands for n bytes.
func (s *scanner) count(n int, what string) glyph {
	text := string(countMark) + strconv.Itoa(n) + " " + what + "⟩"
	return s.mark(text, utf8.RuneCountInString(text), n)
}

// run is how many bytes c stand at the position.
func (s *scanner) run(c byte) int {
	n := 0
	for s.pos+n < len(s.src) && s.src[s.pos+n] == c {
		n++
	}
	return n
}

// doubles tells whether the backslash at the position is doubled: its run is
// followed by an escape, or by text that would make it read as one.
func (s *scanner) doubles() bool {
	if s.pos >= s.slashes {
		s.slashes = s.pos + s.run('\\')
		s.doubled = shape(s.src[s.slashes:]) > 0 || s.escapes(s.slashes) > 0
	}
	return s.doubled
}

// shape is the length of the text at the start of b that would read as an
// escape after a backslash, or 0.
func shape(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	n := map[byte]int{'x': 3, 'u': 5, 'U': 9}[b[0]]
	if n == 0 || len(b) < n {
		return 0
	}
	for _, c := range b[1:n] {
		if !hex(c) {
			return 0
		}
	}
	return n
}

func hex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// escapes is how many bytes at offset i are drawn as an escape, 0 if what
// stands there is drawn as it is.
func (s *scanner) escapes(i int) int {
	if i >= len(s.src) || s.src[i] == '\t' {
		return 0
	}
	r, n := utf8.DecodeRune(s.src[i:])
	switch {
	case r == utf8.RuneError && n == 1, hides(r), r >= utf8.RuneSelf && (s.word || s.named(i)):
		return n
	case r >= 0x300 && i == s.pos && s.loose(r):
		return n
	}
	return 0
}

// loose tells whether r, at the position, is a mark that would be drawn over
// something that isn't its letter.
func (s *scanner) loose(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || unicode.Is(unicode.Mc, r) && !s.based
}

func (s *scanner) escape(n int) glyph {
	s.buf = appendEscape(s.buf[:0], s.src[s.pos:s.pos+n])
	return glyph{text: s.buf, width: len(s.buf), to: s.pos + n, mark: true}
}

// appendEscape writes one code point, or one invalid byte, as its escape.
func appendEscape(buf, char []byte) []byte {
	r, _ := utf8.DecodeRune(char)
	switch {
	case r == utf8.RuneError && len(char) == 1:
		return fmt.Appendf(buf, `\x%02x`, char[0])
	case r > 0xffff:
		return fmt.Appendf(buf, `\U%08x`, r)
	}
	return fmt.Appendf(buf, `\u%04x`, r)
}

// surplus is the length of the character at the position if its grapheme has
// as many as are drawn before it, else 0.
func (s *scanner) surplus() int {
	if s.pos >= s.joined || s.drawn < maxJoined {
		return 0
	}
	_, n := utf8.DecodeRune(s.src[s.pos:])
	return n
}

// cluster is the grapheme at the position, or what is left of it, cut where
// something must be escaped.
func (s *scanner) cluster() glyph {
	rest := s.src[s.pos:]
	if len(rest) == 1 || rest[0] < utf8.RuneSelf && rest[1] < utf8.RuneSelf {
		return s.plain(1, 1)
	}
	if s.pos >= s.joined {
		s.joined, s.drawn = s.pos+len(grapheme(rest)), 0
	}
	whole := s.src[s.pos:s.joined]
	n := 0
	for marks := 0; n < len(whole) && s.drawn < maxJoined; s.drawn++ {
		r, size := utf8.DecodeRune(whole[n:])
		if n > 0 && unicode.IsMark(r) {
			marks++
		}
		if n > 0 && (marks > maxMarks || s.escapes(s.pos+n) > 0) {
			break
		}
		n += size
	}
	return s.plain(n, clusterWidth(whole[:n]))
}

func (s *scanner) plain(n, width int) glyph {
	return glyph{text: s.src[s.pos : s.pos+n], width: width, to: s.pos + n}
}

func (s *scanner) mark(text string, width, n int) glyph {
	s.buf = append(s.buf[:0], text...)
	return glyph{text: s.buf, width: width, to: s.pos + n, mark: true}
}
