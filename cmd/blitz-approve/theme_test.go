package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// Every theme of the settings is one of the screen, and every role that has a
// colour can be given another (BEY-13).
func TestThemes_BEY13(t *testing.T) {
	want := map[string]tui.Theme{
		"auto": {}, "dark": {Ground: tui.GroundDark}, "light": {Ground: tui.GroundLight}, "none": {NoColor: true},
		"color-blind": {ColorBlind: true}, "dark-color-blind": {Ground: tui.GroundDark, ColorBlind: true},
		"light-color-blind": {Ground: tui.GroundLight, ColorBlind: true},
	}
	if got := slices.Sorted(maps.Keys(want)); !slices.Equal(got, slices.Sorted(slices.Values(settings.Themes))) {
		t.Errorf("tested are %q", got)
	}
	for name, theme := range want {
		got, err := themeNamed(name)
		if err != nil || got.Ground != theme.Ground || got.ColorBlind != theme.ColorBlind || got.NoColor != theme.NoColor {
			t.Errorf("%s is %+v, %v", name, got, err)
		}
	}
	if _, err := themeNamed("neon"); err == nil {
		t.Error("neon is a theme")
	}
	if got, want := slices.Sorted(slices.Values(settings.ColorRoles)), tui.ColorRoles(); !slices.Equal(got, want) {
		t.Errorf("the settings know the roles\n%q, the screen\n%q", got, want)
	}
}
