package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// A brush is a style for text of one row: what is written before it and after.
// Styles themselves are large, and slow for a document of many words.
type brush struct{ before, after string }

func newBrush(s lipgloss.Style) *brush {
	before, after, _ := strings.Cut(s.Render("─"), "─")
	return &brush{before, after}
}

func (b *brush) draw(s string) string { return b.before + s + b.after }

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
	code := newBrush(th.code)
	of := func(s lipgloss.Style) *brushes {
		return &brushes{newBrush(s), newBrush(s.Bold(true)), newBrush(s.Italic(true)), code}
	}
	return &pen{
		theme: th, plain: of(th.text), head: of(th.heading), strong: of(th.strong),
		mark: newBrush(th.accent), line: newBrush(th.rule),
		bullet: th.accent.Render("•"), todo: th.muted.Render("☐"), done: th.good.Render("☑"),
	}
}
