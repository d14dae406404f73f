package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// holdTime is how long a letter that answers waits for the next key: a word
// that begins with it is a message, not an answer. It is longer than the pause
// between two letters of someone who types.
const holdTime = 150 * time.Millisecond

// held is a letter that will answer if no other follows.
type held struct {
	binding binding
	key     tea.KeyPressMsg
	serial  int
}

// hold makes a letter wait.
func (m *Model) hold(b binding, k tea.KeyPressMsg) tea.Cmd {
	m.serial++
	m.held = &held{b, k, m.serial}
	return after(holdTime, heldMsg{m.serial})
}

// release lets the next key decide what the held letter was: the beginning of
// a message when it types, an answer when it is Enter, else nothing. It
// reports whether that used up the key.
func (m *Model) release(k tea.KeyPressMsg) (tea.Cmd, bool) {
	h := m.held
	if h == nil {
		return nil, false
	}
	m.held = nil
	switch {
	case k.Text != "":
		m.field().insert(h.key.Text)
	case k.String() == "enter":
		return h.binding.run(m), true
	}
	return nil, false
}

// heldLong takes the held letter as an answer: nothing followed it.
func (m *Model) heldLong(msg heldMsg) tea.Cmd {
	if m.held == nil || m.held.serial != msg.serial {
		return nil
	}
	b := m.held.binding
	m.held = nil
	return b.run(m)
}
