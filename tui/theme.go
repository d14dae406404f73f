package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// A Theme chooses colours. The zero Theme asks the terminal whether it is
// dark. What a colour says is always said in words or signs too, so that a
// terminal without colours (NO_COLOR) loses nothing.
type Theme struct {
	Ground Ground
	// ColorBlind marks added and removed lines in blue and orange.
	ColorBlind bool
	// Colors replaces colours of diffs, by role, as [diffview.Theme] has them.
	Colors map[string]string
	// PlainCode draws code without colours.
	PlainCode bool
}

// Ground is what text is drawn on.
type Ground uint8

const (
	GroundAuto Ground = iota
	GroundDark
	GroundLight
)

// theme holds every style of the screen, by role. This file is the only one
// that makes styles.
type theme struct {
	text, strong, muted, rule      lipgloss.Style
	plain                          lipgloss.Style // for rows that are drawn already
	key, label, headline, focus    lipgloss.Style
	good, warn, danger, accent     lipgloss.Style
	dangerBar                      lipgloss.Style
	code, heading, struck, thought lipgloss.Style
	added, removed                 lipgloss.Style
	diff                           diffview.Style
}

func newTheme(t Theme, dark bool) theme {
	switch t.Ground {
	case GroundDark:
		dark = true
	case GroundLight:
		dark = false
	}
	pick := func(onLight, onDark string) color.Color {
		if dark {
			return lipgloss.Color(onDark)
		}
		return lipgloss.Color(onLight)
	}
	fg := func(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }

	muted := pick("#5c6370", "#8a93a3")
	rule := pick("#c4c9d1", "#3b4252")
	accent := pick("#0b62c4", "#7cb7ff")
	good := pick("#1a7f37", "#7bd88f")
	warn := pick("#8a5a00", "#f0c674")
	danger := pick("#c01c28", "#ff7b85")
	plain := lipgloss.NewStyle()
	th := theme{
		text: plain, strong: plain.Bold(true), muted: fg(muted), rule: fg(rule),
		key: fg(accent).Bold(true), label: fg(muted), headline: plain.Bold(true),
		focus: plain.Reverse(true).Bold(true),
		good:  fg(good), warn: fg(warn), danger: fg(danger).Bold(true), accent: fg(accent),
		dangerBar: fg(danger).Reverse(true).Bold(true),
		code:      fg(pick("#7a3e9d", "#c8a8f0")), heading: fg(accent).Bold(true),
		struck: fg(muted).Strikethrough(true), thought: fg(muted).Italic(true),
		added: fg(good), removed: fg(danger),
	}
	th.diff = diffview.Theme{Light: !dark, ColorBlind: t.ColorBlind, Colors: t.Colors}.Style()
	return th
}
