package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkLongCommand is a command line of 1 MB, of one line or of many: from
// when it is asked to its first frame, and from a key to its frame.
func BenchmarkLongCommand(b *testing.B) {
	for name, text := range map[string]string{
		"one line": strings.Repeat("echo ", 1<<20/5),
		"lines":    strings.Repeat("echo something of the usual length\n", 1<<20/35),
	} {
		asked := func() *Model {
			m := New(Options{})
			m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
			waitingFor(m, command(text))
			m.View()
			return m
		}
		b.Run("first/"+name, func(b *testing.B) {
			for b.Loop() {
				asked()
			}
		})
		b.Run("key/"+name, func(b *testing.B) {
			m := asked()
			for b.Loop() {
				m.Update(press("pgdown"))
				m.View()
			}
		})
	}
}
