package diffview

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// A Theme chooses the colours of a [Style]. The zero Theme is for a dark
// ground and all colours.
type Theme struct {
	Light bool
	// ColorBlind marks removed and added lines in orange and blue, which more
	// people can tell apart than red and green.
	ColorBlind bool
	// Basic uses the terminal's own sixteen colours, and no grounds but those
	// of changed words.
	Basic bool
	// Indexed takes colours that a terminal of 256 has, and none that it would
	// round to another one. Basic goes before it.
	Indexed bool
	// Colors replaces single colours, by role: those that [Roles] lists. The
	// values are "#rgb", "#rrggbb" or the number of one of the 256 colours. What
	// [CheckColors] rejects is left out.
	Colors map[string]string
}

// tone is one role's colours: of the letters on light and on dark, and the
// name or number among the sixteen.
type tone struct{ light, dark, basic string }

// tones are the colours of every role. A test holds each pair that is drawn on
// each other to a contrast of 4.5.
var tones = map[string]tone{
	"added":               {"#0f5323", "#b4efc0", "2"},
	"added_ground":        {"#e3f6e6", "#12271a", ""},
	"added_mark":          {"#073d15", "#e2ffe8", "2"},
	"added_mark_ground":   {"#9fe0ab", "#226036", ""},
	"removed":             {"#8f0b20", "#ffc4c8", "1"},
	"removed_ground":      {"#fdeaea", "#33181b", ""},
	"removed_mark":        {"#6d0213", "#ffeced", "1"},
	"removed_mark_ground": {"#f7b6ba", "#85303a", ""},
	"context":             {"", "", ""},
	"gutter":              {"#626a76", "#868f9f", "8"},
	"hunk":                {"#0b5cb8", "#7cb7ff", "6"},
	"note":                {"#7d5200", "#f0c674", "3"},
	"escape":              {"#6b3d00", "#ffd27a", "3"},
	"tab":                 {"#7c8593", "#6f7888", "8"},
	"keyword":             {"#6f2c91", "#d3b4f5", "5"},
	"string":              {"#693200", "#f0c9a0", "3"},
	"comment":             {"#59606c", "#a2a9b6", "8"},
	"number":              {"#00566b", "#8fdcec", "6"},
	"name":                {"#0a4aa0", "#a9cbff", "4"},
	"type":                {"#005a50", "#8ee3d2", "6"},
}

// blind replaces tones for people who confuse red and green.
var blind = map[string]tone{
	"added":               {"#0a3f8f", "#bcd8ff", "4"},
	"added_ground":        {"#e4effd", "#12213a", ""},
	"added_mark":          {"#062b66", "#eaf3ff", "4"},
	"added_mark_ground":   {"#a6c9f7", "#23508f", ""},
	"removed":             {"#7a3a00", "#ffd0a1", "3"},
	"removed_ground":      {"#fdeedd", "#332210", ""},
	"removed_mark":        {"#572900", "#fff0e0", "3"},
	"removed_mark_ground": {"#f5c894", "#7f4c14", ""},
	"string":              {"#5c4a00", "#e6d79a", "3"},
}

// Roles are the names for [Theme].Colors, in order.
func Roles() []string { return slices.Sorted(maps.Keys(tones)) }

var colorForm = lazyRegexp(`^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|\d{1,3})$`)

// CheckColors says what is wrong with a map for [Theme].Colors.
func CheckColors(colors map[string]string) error {
	var errs []error
	for _, role := range slices.Sorted(maps.Keys(colors)) {
		value := colors[role]
		if _, ok := tones[role]; !ok {
			errs = append(errs, fmt.Errorf("no part of a diff is called %q: use one of %s", role, strings.Join(Roles(), ", ")))
		} else if err := CheckColor(value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", role, err))
		}
	}
	return errors.Join(errs...)
}

// CheckColor says what is wrong with one value of [Theme].Colors.
func CheckColor(s string) error {
	n, err := strconv.Atoi(s)
	if !colorForm().MatchString(s) || err == nil && n > 255 {
		return fmt.Errorf("%q is no colour: write #rgb, #rrggbb, or a number from 0 to 255", s)
	}
	return nil
}

// color is the colour of a role; none is one that leaves the terminal's own.
func (t Theme) color(role string) color.Color {
	if own, ok := t.Colors[role]; ok && CheckColor(own) == nil {
		return lipgloss.Color(own)
	}
	t.Indexed = t.Indexed && !t.Basic
	c := t.tone(role)
	value := c.dark
	switch {
	case t.Basic:
		value = c.basic
	case t.Light:
		value = c.light
	}
	if value == "" {
		return lipgloss.NoColor{}
	}
	return lipgloss.Color(value)
}

// Style is the theme's style.
func (t Theme) Style() Style {
	on := func(fg, bg string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(t.color(fg)).Background(t.color(bg))
	}
	plain := func(role string) lipgloss.Style { return lipgloss.NewStyle().Foreground(t.color(role)) }
	s := Style{
		Added: on("added", "added_ground"), AddedMark: on("added_mark", "added_mark_ground").Bold(true),
		Removed: on("removed", "removed_ground"), RemovedMark: on("removed_mark", "removed_mark_ground").Bold(true),
		Context: plain("context"), Gutter: plain("gutter"), Hunk: plain("hunk"),
		Note: plain("note").Italic(true), Escape: plain("escape").Bold(true),
		Tab: plain("tab"), Title: plain("context").Bold(true),
	}
	if t.Basic {
		s.AddedMark, s.RemovedMark = s.AddedMark.Reverse(true), s.RemovedMark.Reverse(true)
	}
	for kind, role := range syntaxRoles {
		s.Syntax[kind] = t.color(role)
	}
	return s
}
