package main

import (
	"slices"
	"testing"

	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// BEY-11: the settings take the languages that the screen speaks.
func TestLanguagesAgree(t *testing.T) {
	if want := append([]string{"auto"}, tui.Languages()...); !slices.Equal(settings.Languages, want) {
		t.Errorf("settings take %v, the screen speaks %v", settings.Languages, want)
	}
}
