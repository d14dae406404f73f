package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Agents may write texts of a megabyte, and some of those take seconds to be
// broken into rows. A long one is laid out off the goroutine that draws; until
// its rows are there, a line in their place says so, and nothing of it counts as
// read. Refusing doesn't wait for it.

// longText is the length in bytes from which a text is laid out so. Shorter ones
// take a few milliseconds, whatever is in them.
const longText = 16 << 10

// stillLaying stands for the rows of a text that aren't there yet.
func (w *wording) stillLaying(text string) string {
	return w.tr("preparing %s KiB of text …", w.number((len(text)+1<<10-1)>>10))
}

// A laying makes rows off the goroutine that draws, and returns what puts them
// in their place on it. took is how long they took.
type laying func() (take func(took time.Duration) tea.Cmd)

// later has rows made.
func (m *Model) later(l laying) { m.layings = append(m.layings, l) }

// startLaying begins what was asked for since the last message.
func (m *Model) startLaying() tea.Cmd {
	if l := m.transcript.lay(&m.theme); l != nil {
		m.later(l)
	}
	var cmds []tea.Cmd
	for _, l := range m.layings {
		cmds = append(cmds, layingOut(l))
	}
	m.layings = nil
	return tea.Batch(cmds...)
}

// waitsLaying reports whether what is shown waits for rows.
func (m *Model) waitsLaying() bool { return m.queue.current().laying() }

// laidAll is the opposite.
func (m *Model) laidAll() bool { return !m.waitsLaying() }

// laying reports whether rows of w are still being made.
func (w *waiting) laying() bool {
	return w != nil && (len(w.laid.coming) > 0 || w.plan != nil && w.plan.coming != docKey{})
}
