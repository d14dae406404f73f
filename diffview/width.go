package diffview

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many columns s takes. Terminals differ on some scripts and
// emoji; it is the widest of the usual ways to count, so that a row which fits
// by Width fits everywhere.
func Width(s string) int {
	if ascii(s) {
		return len(s)
	}
	if narrow(s) {
		return utf8.RuneCountInString(s)
	}
	return max(ansi.StringWidth(s), ansi.StringWidthWc(s)+flagWidth(s)/2)
}

// narrowSigns are the signs of our own that most screens show.
const narrowSigns = "…⋯→│⇥␣⟨⟩▼▲▸─·✓✗›»“”−◌"

// narrow tells whether each character of s is sure to take one column. What
// isn't sure is looked up in tables, which take 10 ms to build.
func narrow[T string | []byte](s T) bool {
	for _, r := range string(s) {
		letter := 0x20 <= r && r < 0x7f || 0xa1 <= r && r < 0x300 && r != 0xad
		if !letter && !strings.ContainsRune(narrowSigns, r) {
			return false
		}
	}
	return true
}

// ascii tells whether s is printable ASCII.
func ascii[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// grapheme is the first grapheme of b, which isn't empty. It ends before the
// next ASCII character, whatever that may join: a backslash must be seen.
func grapheme(b []byte) []byte {
	whole, _ := ansi.FirstGraphemeCluster(b, ansi.GraphemeWidth)
	if i := bytes.IndexFunc(whole[1:], func(r rune) bool { return r < utf8.RuneSelf }); i >= 0 {
		return whole[:i+1]
	}
	return whole
}

func clusterWidth(b []byte) int {
	if narrow(b) {
		return utf8.RuneCount(b)
	}
	_, w := ansi.FirstGraphemeCluster(b, ansi.GraphemeWidth)
	_, wc := ansi.FirstGraphemeCluster(b, ansi.WcWidth)
	return max(w, wc+flagWidth(b)/2)
}

// flagWidth is how many columns a flag takes where each of its two letters is
// drawn as wide as an emoji; 0 for everything else.
func flagWidth[T string | []byte](s T) int {
	w := 0
	for _, r := range string(s) {
		if r >= 0x1f1e6 && r <= 0x1f1ff {
			w += 2
		}
	}
	return w
}

// Wrap breaks escaped text into rows of at most width columns, between
// graphemes and, where they fit, between escapes. Joined together the rows are
// s again. There is always at least one row; a width below 1 counts as 1.
func Wrap(s string, width int) []string {
	var rows []string
	if clean(s) { // then each byte is a column
		for width = max(width, 1); len(s) > width; s = s[width:] {
			rows = append(rows, s[:width])
		}
		return append(rows, s)
	}
	var row strings.Builder
	f := fold{width: max(width, 1)}
	f.put = func(text []byte, _ glyph) { row.Write(text) }
	f.brk = func() { rows = append(rows, row.String()); row.Reset() }
	for rest := []byte(s); len(rest) > 0; {
		g := drawn(rest)
		f.add(g)
		rest = rest[g.to:]
	}
	return append(rows, row.String())
}

// WrapWords is Wrap, but breaks between words where it can. The blanks at a
// break, and at the end, are left out; a word that is wider than a row is broken
// where the row is full.
func WrapWords(s string, width int) []string {
	width = max(width, 1)
	var rows []string
	row, used := "", 0
	for _, p := range kept(s) {
		gap, wide := p.gap, Width(p.text)
		switch room := width - used - gap; {
		case wide <= room:
			row, used = row+strings.Repeat(" ", gap)+p.text, used+gap+wide
		case wide <= width:
			rows = append(rows, row)
			row, used = p.text, wide
		default:
			if room < 1 {
				rows = append(rows, row)
				row, used, gap = "", 0, 0
			}
			parts := Wrap(strings.Repeat(" ", used+gap)+p.text, width)
			parts[0] = row + parts[0][used:]
			last := len(parts) - 1
			rows = append(rows, parts[:last]...)
			row, used = parts[last], Width(parts[last])
		}
	}
	return append(rows, row)
}

// Truncate cuts escaped text to at most width columns; the last one is then an
// ellipsis.
func Truncate(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	return Prefix(s, width-1) + "…"
}

// Prefix is as much of escaped text as fits into width columns.
func Prefix(s string, width int) string {
	used, n := 0, 0
	for rest := []byte(s); n < len(s); {
		g := drawn(rest[n:])
		if used += g.width; used > width {
			break
		}
		n += g.to
	}
	return s[:n]
}

// drawn is the first glyph of text that is escaped already.
func drawn(b []byte) glyph {
	if b[0] == '\\' {
		if n := shape(b[1:]); n > 0 {
			return glyph{text: b[:n+1], width: n + 1, to: n + 1}
		}
	}
	if len(b) == 1 || b[0] < utf8.RuneSelf && b[1] < utf8.RuneSelf {
		return glyph{text: b[:1], width: 1, to: 1}
	}
	whole := grapheme(b)
	return glyph{text: whole, width: clusterWidth(whole), to: len(whole)}
}

// A fold puts glyphs into rows of at most width columns.
type fold struct {
	width int
	used  int
	put   func(text []byte, g glyph)
	brk   func() // ends a row
}

func (f *fold) add(g glyph) {
	if g.width <= f.width {
		f.place(g.text, g.width, g)
		return
	}
	// Wider than a whole row: one character after the other, and one that is
	// wider still as its escape.
	for rest := g.text; len(rest) > 0; {
		_, n := utf8.DecodeRune(rest)
		char := rest[:n]
		rest = rest[n:]
		if w := Width(string(char)); w <= f.width {
			f.place(char, w, g)
			continue
		}
		for _, c := range appendEscape(nil, char) {
			f.place([]byte{c}, 1, g)
		}
	}
}

func (f *fold) place(text []byte, width int, g glyph) {
	if f.used > 0 && f.used+width > f.width {
		f.brk()
		f.used = 0
	}
	f.put(text, g)
	f.used += width
}
