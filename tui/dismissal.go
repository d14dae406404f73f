package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Esc closes what lies over a request, and to the request it says no, which an
// agent is told at once and can't be taken back. So Esc says no only where there
// is nothing else that it may have been meant for.

// dismisses reports whether Esc only takes away what was said last. A warning of
// Esc itself stays for the Esc that was asked for.
func (m *Model) dismisses() bool {
	w := m.queue.current()
	return m.notice != "" && w != nil && w.warned != esc
}

// dismissedBy reports whether a key that would say no takes a notice away
// instead.
func (m *Model) dismissedBy(key string) bool {
	b, ok := m.bound(m.screen(), key)
	return ok && key == esc && (b.name == "no" || b.name == "decline") && m.dismisses()
}

// dismissHint says beside a notice that Esc takes it away, where it does.
func (m *Model) dismissHint() string {
	if !m.arming.armed || !m.dismissedBy(esc) {
		return ""
	}
	return m.theme.key.Render(keyName(esc)) + " " + m.theme.muted.Render(m.tr("dismisses")) + " "
}

// escRefuses reports whether Esc says no without being asked for once more.
func (m *Model) escRefuses() bool { return !m.dismisses() && !m.closed }

// hesitates asks for the same key once more where the one that was pressed may
// not mean no: an Esc behind one that closed something, and a key that would
// drop what the person has made of the request.
func (m *Model) hesitates(w *waiting) bool {
	key := m.arming.last
	if w.warned == key {
		return false
	}
	switch {
	case w.rev.edit != nil || w.rev.pending:
		m.say(m.tr("%s again refuses it and drops your edit", keyName(key)))
	case key == esc && m.closed:
		m.say(m.tr("%s again refuses it", keyName(key)))
	default:
		return false
	}
	w.warned = key
	return true
}

// deny is no to the request that is shown.
func (m *Model) deny() tea.Cmd {
	w := m.queue.current()
	if m.hesitates(w) {
		return nil
	}
	return m.settle(w, gate.Answer{Decision: gate.Refuse})
}
