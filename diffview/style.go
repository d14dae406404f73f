package diffview

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Style is how the parts of a diff are drawn. The zero Style draws without
// colour, and nothing is ever said by colour alone: the signs + and - and the
// marks are always there (P19). Only colours and text attributes are used,
// not margins, borders or sizes.
type Style struct {
	Added, Removed, Context lipgloss.Style // text of a line, and its sign
	AddedMark, RemovedMark  lipgloss.Style // changed words
	Escape                  lipgloss.Style // what stands in place of a character
	Tab                     lipgloss.Style // tabs, which stand in nearly every line of some code
	Gutter                  lipgloss.Style // line numbers
	Hunk                    lipgloss.Style // rows between hunks
	Note                    lipgloss.Style
	Title                   lipgloss.Style // name of a file, for those who draw it above its diff
	// Syntax colours the letters of code by what they are; nil leaves them.
	Syntax [syntaxKinds]color.Color
}

// A pen is what is written before and after text in one style.
type pen struct{ on, off string }

// newPen asks the style once, rather than for each piece of text, which also
// keeps it from changing the width of what is drawn.
func newPen(s lipgloss.Style) pen {
	on, off, ok := strings.Cut(s.Inline(true).Render("x"), "x")
	if !ok || ansi.StringWidth(on+off) > 0 {
		return pen{}
	}
	return pen{on, off}
}

func (p pen) draw(s string) string { return p.on + s + p.off }

// A palette holds the pens of a Style.
type palette struct {
	text, marked [3]pen // by Op
	syntax       [3][syntaxKinds]pen
	fill         [3]bool // draw to the right edge, for a background
	escape, tab  [3]pen
	gutter       pen
	hunk, note   pen
}

func newPalette(s Style) *palette {
	p := &palette{
		text:   [3]pen{Context: newPen(s.Context), Removed: newPen(s.Removed), Added: newPen(s.Added)},
		fill:   [3]bool{Context: filled(s.Context), Removed: filled(s.Removed), Added: filled(s.Added)},
		gutter: newPen(s.Gutter), hunk: newPen(s.Hunk), note: newPen(s.Note),
	}
	p.marked = [3]pen{Context: p.text[Context], Removed: newPen(s.RemovedMark), Added: newPen(s.AddedMark)}
	for op, line := range [3]lipgloss.Style{Context: s.Context, Removed: s.Removed, Added: s.Added} {
		p.escape[op], p.tab[op] = newPen(over(s.Escape, line)), newPen(over(s.Tab, line))
	}
	p.dye(s)
	return p
}

// dye makes the pens for code. A changed line whose colour isn't in its ground
// keeps that of its letters: what + and - say comes first.
func (p *palette) dye(s Style) {
	for op, style := range [3]lipgloss.Style{Context: s.Context, Removed: s.Removed, Added: s.Added} {
		for kind, c := range s.Syntax {
			p.syntax[op][kind] = p.text[op]
			if _, none := c.(lipgloss.NoColor); c != nil && !none && (Op(op) == Context || p.fill[op]) {
				p.syntax[op][kind] = newPen(style.Foreground(c))
			}
		}
	}
}

// over is a style on the ground of a line, unless it has its own.
func over(s, line lipgloss.Style) lipgloss.Style {
	if filled(line) && !filled(s) {
		return s.Background(line.GetBackground())
	}
	return s
}

func filled(s lipgloss.Style) bool {
	var bg color.Color = s.GetBackground()
	_, none := bg.(lipgloss.NoColor)
	return !none
}

// A strip is a piece of a row under construction.
type strip struct {
	b   strings.Builder
	pen pen
}

func (s *strip) put(p pen, text []byte) {
	if p != s.pen {
		s.b.WriteString(s.pen.off)
		s.b.WriteString(p.on)
		s.pen = p
	}
	s.b.Write(text)
}

// take ends the strip and starts the next.
func (s *strip) take() string {
	s.b.WriteString(s.pen.off)
	row := s.b.String()
	s.b.Reset()
	s.pen = pen{}
	return row
}
