package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// P03: no screen fails on a terminal of few rows, whether something waits or
// not.
func TestFewRows(t *testing.T) {
	few := func(b *bench) {
		for height := range 7 {
			for _, width := range []int{1, 2, 30, 80} {
				b.send(tea.WindowSizeMsg{Width: width, Height: height - 1}) // -1 is a fault of a program's own
				b.View()
			}
		}
	}
	for _, show := range shownOn {
		bubble(t, Options{}, func(b *bench) {
			show(b)
			few(b)
		})
	}
	bubble(t, Options{}, func(b *bench) {
		b.key("?")
		few(b)
	})
}
