package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Through a connection that is slow, or that stands still for a while, somebody
// sees the request before while this one is drawn here, and their key for that
// one comes when this one would take it. So the terminal is asked whether it is
// well each time that something else is asked: its answer comes when it has drawn
// what was sent before, and only then the arming counts (APR-30).

// isWell reports whether a sequence is the answer of a terminal that is well, as
// most and as some write it.
func isWell(sequence string) bool { return sequence == "\x1b[0n" || sequence == "\x1b[?0n" }

// echoLimit is how long a terminal that has answered before is waited for.
const echoLimit = 5 * time.Second

// echo is what is known of the terminal's answers.
type echo struct {
	works  bool // it has answered
	open   int  // how often it was asked and hasn't answered
	serial int  // of the arming that waits for the last answer
}

// echoMsg says that the arming of this serial has waited long enough.
type echoMsg struct{ serial int }

// askTerminal asks for an answer.
func (m *Model) askTerminal() tea.Cmd {
	m.echo.open++
	return wellAsking()
}

// reached has the arming count from when what is asked has reached the terminal.
// One that has never answered is taken to be as fast as most are.
func (m *Model) reached() tea.Cmd {
	if !m.echo.works || m.queue.current() == nil && m.rules == nil {
		return m.counts()
	}
	m.echo.serial = m.arming.serial
	return tea.Batch(m.askTerminal(), after(echoLimit, echoMsg{m.arming.serial}))
}

// counts begins to count.
func (m *Model) counts() tea.Cmd {
	return after(m.arming.paint(clock()), armMsg{m.arming.serial})
}

// answers notes that the terminal has answered once.
func (m *Model) answers() tea.Cmd {
	if m.echo.open == 0 {
		return nil
	}
	m.echo.works = true
	if m.echo.open--; m.echo.open > 0 {
		return nil
	}
	return m.waited(m.echo.serial)
}

// gaveUp notes that the terminal doesn't answer.
func (m *Model) gaveUp(msg echoMsg) tea.Cmd {
	if msg.serial != m.arming.serial || !m.arming.painted.IsZero() {
		return nil
	}
	m.echo.open = 0
	return m.waited(msg.serial)
}

func (m *Model) waited(serial int) tea.Cmd {
	if serial != m.arming.serial || !m.arming.painted.IsZero() {
		return nil
	}
	return m.counts()
}

// tookBack notes that the terminal had been lent: its answers were read there.
func (m *Model) tookBack() {
	m.returns++
	m.echo.open = 0
}
