package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// untilTime is how long the answer of the key m holds.
const untilTime = 15 * time.Minute

// timed is what is approved for the turn, until a time, or for the session of one
// of several agents, as the header shows it.
type timed struct {
	list   []gate.Approved
	serial int // counts changes: the timer of an earlier one is stale
	left   string
	label  string
}

func (m *Model) approveTurn() tea.Cmd {
	return m.approveFor(gate.Answer{Decision: gate.Turn}, m.keyOf(requestScreen, "turn"))
}

func (m *Model) approveMinutes() tea.Cmd {
	return m.approveFor(minutes, m.keyOf(requestScreen, "minutes"))
}

var minutes = gate.Answer{Decision: gate.Until, For: untilTime}

// approveFor remembers for a while what a session answer would (BEY-07).
func (m *Model) approveFor(a gate.Answer, key string) tea.Cmd {
	w := m.queue.current()
	p := &w.approval.Prompt
	switch {
	case !m.offered(w, gate.Session, key):
		return nil
	case !p.Offers(a.Decision):
		m.say(m.tr("nobody tells the desk when this agent's turn ends"))
		return nil
	}
	return m.settle(w, a)
}

// setTimed takes over what is approved for a while.
func (m *Model) setTimed(list []gate.Approved) tea.Cmd {
	m.timed = timed{list: slices.Clone(list), serial: m.timed.serial + 1}
	return m.countDown(timedMsg{m.timed.serial})
}

// countDown writes how long what ends first still holds, and comes back when
// that reads differently: each minute, and each second of the last one.
func (m *Model) countDown(msg timedMsg) tea.Cmd {
	t := &m.timed
	if msg.serial != t.serial {
		return nil
	}
	now := clock()
	t.list = slices.DeleteFunc(t.list, func(a gate.Approved) bool { return !a.Until.IsZero() && !now.Before(a.Until) })
	t.left, t.label = "", ""
	if len(t.list) == 0 {
		return nil
	}
	first := t.list[0]
	t.label = m.known(first.Label)
	switch {
	case first.Until.IsZero() && first.Standing:
		t.left = m.tr("session")
		return nil
	case first.Until.IsZero():
		t.left = m.tr("this turn")
		return nil
	}
	left := first.Until.Sub(now)
	unit := time.Minute
	if left <= time.Minute {
		unit = time.Second
	}
	n := (left + unit - 1) / unit
	if t.left = m.tr("%d min left", n); unit == time.Second {
		t.left = m.tr("%d s left", n)
	}
	return after(left-(n-1)*unit, msg)
}

// timedCell is what the header says of it.
func (m *Model) timedCell() string {
	t := &m.timed
	if t.left == "" {
		return ""
	}
	more := ""
	if n := len(t.list) - 1; n > 0 {
		more = " " + m.n(n, "and %s more", "and %s more")
	}
	label, room := t.label, 14
	if m.width >= 120 {
		room = 40
		if first := &t.list[0]; first.Standing {
			label = m.fact(first.Agent, label)
		}
	}
	return m.theme.warn.Render(m.fact(t.left, "")) + m.theme.text.Render(diffview.Truncate(line(label), room)+more)
}

// revokeTimed ends all of it. It needs no arming: it allows nothing.
func (m *Model) revokeTimed() tea.Cmd {
	if len(m.timed.list) == 0 {
		m.say(m.tr("nothing is approved for a while"))
		return nil
	}
	m.say(m.tr("what was approved for a while is asked again"))
	return revoking(m.opts)
}
