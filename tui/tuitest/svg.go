package tuitest

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The measures of a picture, in pixels. The advance is that of DejaVu Sans
// Mono, which pictures are drawn with where it is installed.
const (
	fontSize   = 16.0
	cellWidth  = fontSize * 0.602
	cellHeight = 19.0
	baseline   = 15.0
	margin     = 12.0
)

// A theme gives colours to what a program leaves to the terminal.
type theme struct {
	foreground, background color.Color
	palette                [16]color.Color
}

var (
	dark = theme{rgb(0xd8dee9), rgb(0x16181d), palette(
		0x2b303b, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xc8ccd4,
		0x6b7280, 0xf28b92, 0xb5dd95, 0xf2d79b, 0x8cc8ff, 0xdb9df0, 0x7fd4df, 0xffffff)}
	light = theme{rgb(0x24292f), rgb(0xffffff), palette(
		0x24292f, 0xcf222e, 0x116329, 0x7d4e00, 0x0969da, 0x8250df, 0x1b7c83, 0x6e7781,
		0x57606a, 0xa40e26, 0x1a7f37, 0x633c01, 0x218bff, 0xa475f9, 0x3192aa, 0x8c959f)}
)

func rgb(v uint32) color.Color {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

func palette(vs ...uint32) (p [16]color.Color) {
	for i, v := range vs {
		p[i] = rgb(v)
	}
	return p
}

// SVG draws the screen as a picture, such as for the documentation. It can be
// looked at after `rsvg-convert -o screen.png`.
func (t *Term) SVG() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, h := t.em.Width(), t.em.Height()
	var b strings.Builder
	width, height := float64(w)*cellWidth+2*margin, float64(h)*cellHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", hex(t.theme.background))
	fmt.Fprintf(&b, `<g transform="translate(%g %g)" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="%g" xml:space="preserve">`+"\n",
		margin, margin, fontSize)
	for y := range h {
		runs := t.row(y, w)
		for _, r := range runs {
			t.drawBackground(&b, r, y)
		}
		for _, r := range runs {
			t.drawText(&b, r, y)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// A run is a stretch of cells of one style.
type run struct {
	x, width int
	text     string
	style    uv.Style
}

// row splits a row into runs. A cell that isn't plain ASCII is a run of its
// own, so that a font which draws it too wide doesn't shift its neighbours.
func (t *Term) row(y, width int) (runs []run) {
	for x := 0; x < width; {
		c := t.em.CellAt(x, y)
		if c == nil || c.Width < 1 {
			c = &uv.EmptyCell
		}
		last := len(runs) - 1
		plain := len(c.Content) == 1
		if plain && last >= 0 && runs[last].width == len(runs[last].text) && runs[last].style.Equal(&c.Style) {
			runs[last].text += c.Content
			runs[last].width++
		} else {
			runs = append(runs, run{x, c.Width, c.Content, c.Style})
		}
		x += c.Width
	}
	return runs
}

func (t *Term) drawBackground(b *strings.Builder, r run, y int) {
	_, bg := t.colors(r.style)
	if bg == t.theme.background {
		return
	}
	fmt.Fprintf(b, `<rect x="%.2f" y="%g" width="%.2f" height="%g" fill="%s"/>`+"\n",
		float64(r.x)*cellWidth, float64(y)*cellHeight, float64(r.width)*cellWidth, cellHeight, hex(bg))
}

func (t *Term) drawText(b *strings.Builder, r run, y int) {
	has := func(attr uint8) bool { return r.style.Attrs&attr != 0 }
	struck, under := has(uv.AttrStrikethrough), r.style.Underline != uv.UnderlineNone
	if strings.TrimSpace(r.text) == "" && !struck && !under || has(uv.AttrConceal) {
		return
	}
	fg, _ := t.colors(r.style)
	fmt.Fprintf(b, `<text x="%.2f" y="%g" fill="%s"`, float64(r.x)*cellWidth, float64(y)*cellHeight+baseline, hex(fg))
	if r.width > 1 {
		fmt.Fprintf(b, ` textLength="%.2f"`, float64(r.width)*cellWidth)
	}
	if has(uv.AttrBold) {
		b.WriteString(` font-weight="bold"`)
	}
	if has(uv.AttrItalic) {
		b.WriteString(` font-style="italic"`)
	}
	if has(uv.AttrFaint) {
		b.WriteString(` opacity="0.6"`)
	}
	switch {
	case struck && under:
		b.WriteString(` text-decoration="underline line-through"`)
	case struck:
		b.WriteString(` text-decoration="line-through"`)
	case under:
		b.WriteString(` text-decoration="underline"`)
	}
	fmt.Fprintf(b, ">%s</text>\n", html.EscapeString(r.text))
}

// colors are those that a style has on this terminal.
func (t *Term) colors(s uv.Style) (fg, bg color.Color) {
	fg, bg = t.resolve(s.Fg, t.theme.foreground), t.resolve(s.Bg, t.theme.background)
	if s.Attrs&uv.AttrReverse != 0 {
		return bg, fg
	}
	return fg, bg
}

func (t *Term) resolve(c, otherwise color.Color) color.Color {
	switch c := c.(type) {
	case nil:
		return otherwise
	case ansi.BasicColor:
		return t.theme.palette[c]
	case ansi.IndexedColor:
		if c < 16 {
			return t.theme.palette[c]
		}
	}
	return c
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
