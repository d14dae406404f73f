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
	early   bool // it came too early to answer, and can only begin a message
}

// hold makes a letter wait.
func (m *Model) hold(b binding, k tea.KeyPressMsg) tea.Cmd {
	m.serial++
	m.held = &held{binding: b, key: k, serial: m.serial}
	return after(holdTime, heldMsg{m.serial})
}

// holdEarly keeps a letter that came too early to answer, for the case that a
// message begins with it.
func (m *Model) holdEarly(k tea.KeyPressMsg) tea.Cmd {
	m.serial++
	m.held = &held{key: k, serial: m.serial, early: true}
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
	case h.early && m.arming.held:
		// A key that is held down writes no message.
	case k.Text != "":
		m.arming.dropped = ""
		m.write(h.key.Text)
	case h.early:
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
	h := m.held
	m.held = nil
	if h.early {
		return nil
	}
	return h.binding.run(m)
}
