package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// BenchmarkLongCommand is a command line of 1 MB from when it is asked to its
// first frame: one line, or many.
func BenchmarkLongCommand(b *testing.B) {
	for name, text := range map[string]string{
		"one line": strings.Repeat("echo ", 1<<20/5),
		"lines":    strings.Repeat("echo something of the usual length\n", 1<<20/35),
	} {
		b.Run(name, func(b *testing.B) {
			p := command(text)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				m := New(Options{})
				m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
				waitingFor(m, p)
				m.View()
			}
		})
	}
}
