package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// A brush is a style with what is written before text of one row, and after it.
// Styles themselves are large, and slow: a frame has hundreds of words. The nil
// brush leaves text as it is.
type brush struct {
	style         lipgloss.Style
	before, after string
}

func newBrush(s lipgloss.Style) *brush {
	before, after, _ := strings.Cut(s.Render("─"), "─")
	return &brush{s, before, after}
}

// Render draws s. What isn't the text of one row is left to the style.
func (b *brush) Render(s string) string {
	if strings.ContainsAny(s, "\n\r\t") {
		return b.look().Render(s)
	}
	return b.draw(s)
}

// ends are what b writes before text and after it.
func (b *brush) ends() (before, after string) {
	if b == nil {
		return "", ""
	}
	return b.before, b.after
}

// draw is Render for text that is known to be that of one row.
func (b *brush) draw(s string) string {
	if b == nil {
		return s
	}
	return b.before + s + b.after
}

// look is the style that b draws with.
func (b *brush) look() lipgloss.Style {
	if b == nil {
		return lipgloss.Style{}
	}
	return b.style
}

// brushes are those of one kind of paragraph.
type brushes struct{ base, bold, italic, code *brush }

// A pen draws one document in a theme.
type pen struct {
	*theme
	plain, head, strong *brushes
	mark, line          *brush
	bullet, todo, done  string
}

func newPen(th *theme) *pen {
	of := func(b *brush) *brushes {
		if b == nil {
			return &brushes{} // in lines nothing has a style
		}
		return &brushes{b, newBrush(b.look().Bold(true)), newBrush(b.look().Italic(true)), th.code}
	}
	return &pen{
		theme: th, plain: of(th.text), head: of(th.heading), strong: of(th.strong),
		mark: th.accent, line: th.rule,
		bullet: th.accent.Render("•"), todo: th.muted.Render("☐"), done: th.good.Render("☑"),
	}
}
