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
	// Indexed takes colours of changes that a terminal of 256 has. One that has no
	// others gets them without being asked for.
	Indexed bool
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

	text, strong, muted, rule      *brush
	plain                          *brush // for rows that are drawn already
	key, label, headline, focus    *brush
	good, warn, danger, accent     *brush
	dangerBar                      *brush
	code, heading, struck, thought *brush
	added, removed                 *brush
	diff                           diffview.Style
}

func newTheme(t Theme) theme {
	fg := func(role string) lipgloss.Style { return lipgloss.NewStyle().Foreground(t.color(role)) }
	plain, diff := lipgloss.NewStyle(), t.diff()
	text, strong, muted := newBrush(plain), newBrush(plain.Bold(true)), newBrush(fg("muted"))
	accent, key := newBrush(fg("accent")), newBrush(fg("accent").Bold(true))
	danger := fg("danger").Bold(true)
	return theme{
		text: text, plain: text, strong: strong, headline: strong, muted: muted, label: muted,
		rule: newBrush(fg("rule")), accent: accent, key: key, heading: key,
		focus: newBrush(plain.Reverse(true).Bold(true)),
		good:  newBrush(fg("good")), warn: newBrush(fg("warn")),
		danger: newBrush(danger), dangerBar: newBrush(danger.Reverse(true)),
		code:   newBrush(fg("code")),
		struck: newBrush(fg("muted").Strikethrough(true)), thought: newBrush(fg("muted").Italic(true)),
		added: newBrush(diff.Added.UnsetBackground()), removed: newBrush(diff.Removed.UnsetBackground()),
		diff: diff,
	}
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
	return diffview.Theme{Light: t.Ground == GroundLight, ColorBlind: t.ColorBlind, Basic: t.Basic, Indexed: t.Indexed, Colors: t.Colors}.Style()
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
		t.Indexed = t.Indexed || colors == colorprofile.ANSI256
	}
	return t
}
