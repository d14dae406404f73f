package tui

import (
	"image/color"
	"maps"
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// A Theme chooses colours. The zero Theme asks the terminal whether it is
// dark. What a colour says is always said in words or signs too, so that a
// terminal without colours (NO_COLOR) loses nothing.
type Theme struct {
	Ground Ground
	// ColorBlind tells added from removed, and good from bad, by blue and
	// orange (BEY-13).
	ColorBlind bool
	// Basic uses the terminal's own sixteen colours. A terminal that has no
	// others gets them without being asked for.
	Basic bool
	// NoColor uses bold and reverse only, as NO_COLOR does.
	NoColor bool
	// Colors replaces single colours by role: those that [ColorRoles] lists,
	// with the values of [diffview.Theme].Colors.
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

// tones are the colours of the roles that the screen has beside those of
// diffs: on light, on dark, and the number among the sixteen.
var tones = map[string]struct{ light, dark, basic string }{
	"muted":  {"#5c6370", "#8a93a3", "8"},
	"rule":   {"#c4c9d1", "#3b4252", "8"},
	"accent": {"#0b62c4", "#7cb7ff", "6"},
	"good":   {"#1a7f37", "#7bd88f", "2"},
	"warn":   {"#8a5a00", "#f0c674", "3"},
	"danger": {"#c01c28", "#ff7b85", "1"},
	"code":   {"#7a3e9d", "#c8a8f0", "5"},
}

// blind replaces tones for people who confuse red and green.
var blind = map[string]struct{ light, dark, basic string }{
	"good":   {"#0a4f9e", "#8fc0ff", "4"},
	"danger": {"#9a4400", "#ffae6b", "3"},
}

// ColorRoles are the names for [Theme].Colors, in order.
func ColorRoles() []string {
	return slices.Sorted(slices.Values(append(diffview.Roles(), slices.Collect(maps.Keys(tones))...)))
}

// theme is what everything is drawn with: every style of the screen, by role,
// and the words. This file is the only one that makes styles.
type theme struct {
	wording

	text, strong, muted, rule      lipgloss.Style
	plain                          lipgloss.Style // for rows that are drawn already
	key, label, headline, focus    lipgloss.Style
	good, warn, danger, accent     lipgloss.Style
	dangerBar                      lipgloss.Style
	code, heading, struck, thought lipgloss.Style
	added, removed                 lipgloss.Style
	diff                           diffview.Style
}

func newTheme(t Theme) theme {
	fg := func(role string) lipgloss.Style { return lipgloss.NewStyle().Foreground(t.color(role)) }
	plain := lipgloss.NewStyle()
	th := theme{
		text: plain, strong: plain.Bold(true), muted: fg("muted"), rule: fg("rule"),
		key: fg("accent").Bold(true), label: fg("muted"), headline: plain.Bold(true),
		focus: plain.Reverse(true).Bold(true),
		good:  fg("good"), warn: fg("warn"), danger: fg("danger").Bold(true), accent: fg("accent"),
		dangerBar: fg("danger").Reverse(true).Bold(true),
		code:      fg("code"), heading: fg("accent").Bold(true),
		struck: fg("muted").Strikethrough(true), thought: fg("muted").Italic(true),
		diff: t.diff(),
	}
	th.added, th.removed = th.diff.Added.UnsetBackground(), th.diff.Removed.UnsetBackground()
	return th
}

// color is the colour of a role of the screen.
func (t Theme) color(role string) color.Color {
	if t.NoColor {
		return lipgloss.NoColor{}
	}
	if own, ok := t.Colors[role]; ok && diffview.CheckColor(own) == nil {
		return lipgloss.Color(own)
	}
	c := tones[role]
	if other, ok := blind[role]; ok && t.ColorBlind {
		c = other
	}
	switch {
	case t.Basic:
		return lipgloss.Color(c.basic)
	case t.Ground == GroundLight:
		return lipgloss.Color(c.light)
	}
	return lipgloss.Color(c.dark)
}

// diff is the style of diffs.
func (t Theme) diff() diffview.Style {
	if t.NoColor {
		bold := lipgloss.NewStyle().Bold(true)
		return diffview.Style{AddedMark: bold, RemovedMark: bold, Escape: bold, Title: bold}
	}
	return diffview.Theme{Light: t.Ground == GroundLight, ColorBlind: t.ColorBlind, Basic: t.Basic, Colors: t.Colors}.Style()
}

// on is the theme as a terminal shows it that has this ground and these
// colours.
func (t Theme) on(dark bool, colors colorprofile.Profile) Theme {
	switch {
	case t.Ground == GroundAuto && dark:
		t.Ground = GroundDark
	case t.Ground == GroundAuto:
		t.Ground = GroundLight
	}
	// An unknown profile is that of a program which hasn't said.
	if colors != colorprofile.Unknown {
		t.NoColor = t.NoColor || colors <= colorprofile.ASCII
		t.Basic = t.Basic || colors == colorprofile.ANSI
	}
	return t
}
