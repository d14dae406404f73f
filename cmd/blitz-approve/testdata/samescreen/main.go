// Command samescreen is the least program of the screen's libraries: it draws
// the files that it is given, in full screen, and nothing else. A key shows the
// next one. What the approval screen costs is measured against it.
package main

import (
	"os"

	tea "charm.land/bubbletea/v2"
)

type model struct {
	frames []string
	at     int
}

func (model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		m.at = (m.at + 1) % len(m.frames)
	}
	return m, nil
}

func (m model) View() tea.View {
	v := tea.NewView(m.frames[m.at])
	v.AltScreen = true
	return v
}

func main() {
	var m model
	for _, name := range os.Args[1:] {
		frame, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		m.frames = append(m.frames, string(frame))
	}
	if _, err := tea.NewProgram(m).Run(); err != nil {
		os.Exit(1)
	}
}
