package diffview

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// keptIndent leading spaces are drawn as they are in a diff, where code is
// indented and the line number shows that there is a line.
const keptIndent = 40

// A canvas draws the text of one line.
type canvas struct {
	*palette
	line  Line
	width int
	pad   bool // fill each row with spaces

	strip strip
	used  int
	mark  int // index of the next of line.Marks
}

func lineScanner(l Line, width int) *scanner {
	s := newScanner(l.Text).keepIndent(min(keptIndent, width/2))
	if l.signs {
		s.signs = wordSigns{spans: l.Marks, op: l.Op}
	}
	s.word = l.Op != Context && disguised(l.Text)
	return s
}

// pen is the one for a glyph. Glyphs come in order.
func (c *canvas) pen(g glyph) pen {
	switch {
	case g.from == g.to: // a sign around a word
		return c.marked[c.line.Op]
	case g.mark && g.width <= tabStop && c.line.Text[g.from] == '\t':
		return c.tab[c.line.Op]
	case g.mark:
		return c.escape[c.line.Op]
	}
	for c.mark < len(c.line.Marks) && c.line.Marks[c.mark].To <= g.from {
		c.mark++
	}
	if c.mark < len(c.line.Marks) && c.line.Marks[c.mark].From < g.to {
		return c.marked[c.line.Op]
	}
	for len(c.line.syntax) > 0 && c.line.syntax[0].To <= g.from {
		c.line.syntax = c.line.syntax[1:]
	}
	if len(c.line.syntax) > 0 && c.line.syntax[0].From <= g.from {
		return c.palette.syntax[c.line.Op][c.line.syntax[0].kind]
	}
	return c.text[c.line.Op]
}

// end finishes a row.
func (c *canvas) end() string {
	if free := c.width - c.used; c.pad && free > 0 {
		c.strip.put(c.text[c.line.Op], bytes.Repeat([]byte{' '}, free))
	}
	c.used = 0
	return c.strip.take()
}

// wrapped draws the line in rows, at most limit and one that counts the rest.
func (c *canvas) wrapped(limit int) []string {
	if c.width < 1 {
		return []string{""}
	}
	var rows []string
	f := fold{width: c.width}
	f.put = func(text []byte, g glyph) { c.strip.put(c.pen(g), text); c.used = f.used + Width(string(text)) }
	f.brk = func() { rows = append(rows, c.end()) }
	sc := lineScanner(c.line, c.width)
	for g, ok := sc.next(); ok; g, ok = sc.next() {
		if f.add(g); limit > 0 && len(rows) >= limit {
			rows = rows[:limit]
			c.strip.take()
			c.used = 0
			c.put(Truncate(hidden(sc.src[g.from:]), c.width))
			break
		}
	}
	return append(rows, c.end())
}

func (c *canvas) put(text string) {
	c.strip.put(c.escape[c.line.Op], []byte(text))
	c.used += Width(text)
}

// hidden announces text that isn't drawn (P06).
func hidden(rest []byte) string {
	n := utf8.RuneCount(rest)
	if n == 1 {
		return "…+1 character"
	}
	return fmt.Sprintf("…+%d characters", n)
}

// height is how many rows wrapped would draw. It is asked for every line of a
// file, so the usual kinds of line are not scanned.
func height(l Line, width, limit int) int {
	text := l.Text
	var rows int
	switch rest := bytes.TrimLeft(text, "\t"); {
	case width < 1:
		return 1
	case l.signs:
		rows = scanned(l, width, limit)
	case clean(text):
		rows = max((len(text)+width-1)/width, 1)
	case len(text) < longRun+len(rest) && tabStop*(len(text)-len(rest))+len(rest) <= width && len(rest) > 0 && clean(rest):
		return 1
	default:
		rows = scanned(l, width, limit)
	}
	if limit > 0 {
		return min(rows, limit+1)
	}
	return rows
}

// scanned is height, found by reading the line.
func scanned(l Line, width, limit int) int {
	rows := 1
	f := fold{width: width, put: func([]byte, glyph) {}, brk: func() { rows++ }}
	sc := lineScanner(l, width)
	for g, ok := sc.next(); ok && (limit < 0 || rows <= limit); g, ok = sc.next() {
		f.add(g)
	}
	return rows
}

// cut draws one row: the columns of the line from left on, and the count of
// characters that are hidden after them. Where a change would be hidden, the
// text before it is cut, and counted, instead.
func (c *canvas) cut(left int) string {
	if c.width < 1 {
		return ""
	}
	sc := lineScanner(c.line, c.width)
	limit := left + c.width
	if longer(*sc, limit) {
		before := *sc
		before.src = before.src[:c.line.first]
		if left == 0 && longer(before, c.width*3/4) {
			c.skip(sc)
		}
		if longer(*sc, limit-c.used) {
			limit = max(left, limit-Width(hiddenAfter(sc.src[sc.pos:])))
		}
	}
	c.columns(sc, left, limit)
	return c.end()
}

// hiddenAfter announces text cut off at the end of a row (P06).
func hiddenAfter(rest []byte) string { return fmt.Sprintf("…+%d", utf8.RuneCount(rest)) }

// skip moves to a little before the change in a long line, and announces what
// it left out.
func (c *canvas) skip(sc *scanner) {
	sc.pos = max(c.line.first-c.width/4, 0)
	for sc.pos > 0 && sc.pos < len(sc.src) && !utf8.RuneStart(sc.src[sc.pos]) {
		sc.pos--
	}
	sc.signs.skip(sc.pos)
	c.put(Truncate(fmt.Sprintf("+%d…", utf8.RuneCount(sc.src[:sc.pos])), c.width))
}

// columns draws glyphs up to the column limit, and counts the rest.
func (c *canvas) columns(sc *scanner, left, limit int) {
	for col := c.used; ; {
		g, ok := sc.next()
		if !ok {
			return
		}
		if col+g.width > limit {
			c.put(Truncate(hiddenAfter(sc.src[g.from:]), c.width-c.used))
			return
		}
		if col >= left {
			c.strip.put(c.pen(g), g.text)
			c.used += g.width
		} else if over := col + g.width - left; over > 0 {
			c.strip.put(c.escape[c.line.Op], bytes.Repeat([]byte{'<'}, over))
			c.used += over
		}
		col += g.width
	}
}

// longer tells whether what is left to scan takes more than that many columns.
func longer(sc scanner, columns int) bool {
	for col := 0; ; {
		g, ok := sc.next()
		if !ok {
			return false
		}
		if col += g.width; col > columns {
			return true
		}
	}
}
