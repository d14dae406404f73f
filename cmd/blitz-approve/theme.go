package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// theme is what ui.theme and [ui.colors] say.
func (m *machine) theme() tui.Theme {
	t, _ := themeNamed(m.settings.UI.Theme.Or("auto")) // a wrong one is a problem of the file
	t.Colors = make(map[string]string, len(m.settings.Colors))
	for role, color := range m.settings.Colors {
		t.Colors[role] = color.Value
	}
	return t
}

// themeNamed is one of [settings.Themes].
func themeNamed(name string) (tui.Theme, error) {
	var t tui.Theme
	if !slices.Contains(settings.Themes, name) {
		return t, fmt.Errorf("unknown theme %q: use one of %s", name, strings.Join(settings.Themes, ", "))
	}
	t.ColorBlind = strings.HasSuffix(name, "color-blind")
	t.NoColor = name == "none"
	switch {
	case strings.HasPrefix(name, "dark"):
		t.Ground = tui.GroundDark
	case strings.HasPrefix(name, "light"):
		t.Ground = tui.GroundLight
	}
	return t, nil
}
