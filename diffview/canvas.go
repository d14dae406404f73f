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

func lineScanner(text []byte, width int) *scanner {
	return newScanner(text).keepIndent(min(keptIndent, width/2))
}

// pen is the one for a glyph. Glyphs come in order.
func (c *canvas) pen(g glyph) pen {
	if g.mark {
		return c.escape
	}
	for c.mark < len(c.line.Marks) && c.line.Marks[c.mark].To <= g.from {
		c.mark++
	}
	if c.mark < len(c.line.Marks) && c.line.Marks[c.mark].From < g.to {
		return c.marked[c.line.Op]
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
	sc := lineScanner(c.line.Text, c.width)
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
	c.strip.put(c.escape, []byte(text))
	c.used += Width(text)
}

// hidden announces text that isn't drawn (P06).
func hidden(rest []byte) string {
	return fmt.Sprintf("…+%d characters", utf8.RuneCount(rest))
}

// height is how many rows wrapped would draw.
func height(text []byte, width, limit int) int {
	if width < 1 || len(text) <= width && clean(text) {
		return 1
	}
	rows := 1
	f := fold{width: width, put: func([]byte, glyph) {}, brk: func() { rows++ }}
	sc := lineScanner(text, width)
	for g, ok := sc.next(); ok && (limit < 0 || rows <= limit); g, ok = sc.next() {
		f.add(g)
	}
	if limit > 0 {
		return min(rows, limit+1)
	}
	return rows
}

// cut draws the columns of the line from left on; what is hidden on the right
// is counted in the row.
func (c *canvas) cut(left int) string {
	if c.width < 1 {
		return ""
	}
	tail := ""
	limit := left + c.width
	if c.longer(limit) {
		tail = fmt.Sprintf("…+%d", utf8.RuneCount(c.line.Text))
		limit = max(left, limit-len(tail)+2)
	}
	sc := lineScanner(c.line.Text, c.width)
	for col := 0; ; {
		g, ok := sc.next()
		if !ok {
			break
		}
		if col+g.width > limit {
			c.put(Truncate(fmt.Sprintf("…+%d", utf8.RuneCount(sc.src[g.from:])), c.width))
			break
		}
		if col >= left {
			c.strip.put(c.pen(g), g.text)
			c.used += g.width
		} else if over := col + g.width - left; over > 0 {
			c.strip.put(c.escape, bytes.Repeat([]byte{'<'}, over))
			c.used += over
		}
		col += g.width
	}
	return c.end()
}

// longer tells whether the line has more columns than that.
func (c *canvas) longer(columns int) bool {
	sc := lineScanner(c.line.Text, c.width)
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
