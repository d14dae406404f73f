package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// composer is the line at the bottom that grows: the next prompt, a reason or
// an answer in the person's own words.
type composer struct {
	text   []rune
	cursor int // an index into text
}

func (c *composer) empty() bool   { return len(c.text) == 0 }
func (c *composer) value() string { return strings.TrimSpace(string(c.text)) }
func (c *composer) clear()        { *c = composer{} }
func (c *composer) take() string  { s := c.value(); c.clear(); return s }

// insert puts typed or pasted text at the cursor.
func (c *composer) insert(s string) {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	in := []rune(s)
	c.text = append(c.text[:c.cursor:c.cursor], append(in, c.text[c.cursor:]...)...)
	c.cursor += len(in)
}

// edit does what an editing key says and reports whether it is one.
func (c *composer) edit(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		c.cursor = max(0, c.cursor-1)
	case "right", "ctrl+f":
		c.cursor = min(len(c.text), c.cursor+1)
	case "home", "ctrl+a":
		c.cursor = c.lineStart()
	case "end", "ctrl+e":
		c.cursor = c.lineEnd()
	case "up":
		c.vertical(-1)
	case "down":
		c.vertical(1)
	case "alt+left", "alt+b", "ctrl+left":
		c.cursor = c.wordStart()
	case "alt+right", "alt+f", "ctrl+right":
		c.cursor = c.wordEnd()
	case "backspace", "ctrl+h":
		c.cut(max(0, c.cursor-1), c.cursor)
	case "delete":
		c.cut(c.cursor, min(len(c.text), c.cursor+1))
	case "ctrl+w", "alt+backspace":
		c.cut(c.wordStart(), c.cursor)
	case "ctrl+k":
		c.cut(c.cursor, c.lineEnd())
	case "ctrl+u":
		c.cut(c.lineStart(), c.cursor)
	case "shift+enter", "alt+enter", "ctrl+j":
		c.insert("\n")
	default:
		return false
	}
	return true
}

func (c *composer) cut(from, to int) {
	c.text = append(c.text[:from:from], c.text[to:]...)
	c.cursor = from
}

func (c *composer) lineStart() int {
	i := c.cursor
	for i > 0 && c.text[i-1] != '\n' {
		i--
	}
	return i
}

func (c *composer) lineEnd() int {
	i := c.cursor
	for i < len(c.text) && c.text[i] != '\n' {
		i++
	}
	return i
}

func (c *composer) wordStart() int {
	i := c.cursor
	for i > 0 && unicode.IsSpace(c.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(c.text[i-1]) {
		i--
	}
	return i
}

func (c *composer) wordEnd() int {
	i := c.cursor
	for i < len(c.text) && unicode.IsSpace(c.text[i]) {
		i++
	}
	for i < len(c.text) && !unicode.IsSpace(c.text[i]) {
		i++
	}
	return i
}

// vertical moves the cursor a line up or down, to the same column.
func (c *composer) vertical(by int) {
	column := c.cursor - c.lineStart()
	if by < 0 {
		if c.cursor = c.lineStart(); c.cursor > 0 {
			c.cursor--
			c.cursor = min(c.lineStart()+column, c.cursor)
		}
		return
	}
	if c.cursor = c.lineEnd(); c.cursor < len(c.text) {
		c.cursor++
		c.cursor = min(c.cursor+column, c.lineEnd())
	}
}

// rows draws the text in at most limit rows of width cells, those around the
// cursor, and says where among them the cursor is. Pasted text is escaped like
// any other.
func (c *composer) rows(width, limit int) (rows []string, x, y int) {
	var row strings.Builder
	column := 0
	flush := func() {
		rows = append(rows, row.String())
		row.Reset()
		column = 0
	}
	for i, r := range c.text {
		if r == '\n' {
			if i == c.cursor {
				x, y = column, len(rows)
			}
			flush()
			continue
		}
		cell := " " // alone it would be drawn as a trailing blank
		if r != ' ' {
			cell = diffview.Escape(string(r))
		}
		w := diffview.Width(cell)
		if column+w > width-1 && column > 0 {
			flush()
		}
		if i == c.cursor {
			x, y = column, len(rows)
		}
		row.WriteString(cell)
		column += w
	}
	if c.cursor == len(c.text) {
		x, y = column, len(rows)
	}
	flush()
	first := max(0, min(y-limit/2, len(rows)-limit))
	last := min(len(rows), first+limit)
	return rows[first:last], x, y - first
}
