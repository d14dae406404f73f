package tui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A brush draws the cells that its style draws, also of what isn't the text of
// one row.
func TestBrushesDrawAsStyles(t *testing.T) {
	const width, height = 12, 3
	for _, theme := range []Theme{{Ground: GroundDark}, {Ground: GroundLight, ColorBlind: true}, {Basic: true}, {NoColor: true}} {
		th := newTheme(theme)
		for _, r := range roles {
			style := r.style(&th)
			b := newBrush(style)
			for _, s := range []string{"", " ", "two words", "日本 é", "\ta", "a\nbcd", "a\r\nb", "x\x1b[1my\x1b[m"} {
				got, want := paint(b.Render(s), width, height), paint(style.Render(s), width, height)
				for y := range height {
					for x := range width {
						if g, w := got.CellAt(x, y), want.CellAt(x, y); !g.Equal(w) {
							t.Errorf("%q as %c: %+v at %d, %d, not %+v", s, r.letter, g, x, y, w)
						}
					}
				}
			}
		}
	}
}

// The zero theme, that of lines without a screen, draws nothing but text.
func TestNoBrushDrawsText(t *testing.T) {
	var none *brush
	for _, s := range []string{"", "text", "a\nb"} {
		if got := none.Render(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// What has sequences other than those of styles is left to the parser.
func TestBareRows(t *testing.T) {
	for _, row := range []string{
		"", "text", "日本 é", "\x1b[1mbold\x1b[m", "\x1b[38;2;1;2;3ma\x1b[4:3mb\x1b[0m c", "\x1b[m", "a\x1b[", "a\x1b[1", "a\x1b[1Kb", "\x1b[?25lx",
		"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "\x1b[1ma\x1b]0;t\x07b", "\x1b", "\x1bM", "a\x1b[1\nmb",
	} {
		if got, want := bare(row), ansi.Strip(row); got != want {
			t.Errorf("%q became %q, not %q", row, got, want)
		}
	}
}
