package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Notify says how somebody who looks at another window is told that something
// waits. It needs a terminal that reports its focus; where that isn't known
// nobody is told.
type Notify uint8

const (
	// NotifyAuto sends a desktop notification where the terminal is known to
	// show one, and else rings the bell.
	NotifyAuto Notify = iota
	NotifyOff
	// NotifyBell rings the bell.
	NotifyBell
	// NotifyOSC sends a desktop notification (OSC 9, or OSC 777 where that is
	// what the terminal reads).
	NotifyOSC
)

// focus is what is known of where the person looks.
type focus uint8

const (
	focusUnknown focus = iota // the terminal hasn't said
	focused
	unfocused
)

// lookedAt notes a change of the focus. A request that waits is armed anew: what
// is pressed at the moment of coming back may have been meant for the window
// before.
func (m *Model) lookedAt(f focus) {
	if f == focused && m.focus != focused {
		m.returns++
	}
	m.focus = f
}

// suspend is Ctrl+Z.
func (m *Model) suspend() tea.Cmd {
	if m.opts.Terminal == nil {
		m.say(m.tr("can't be suspended here"))
		return nil
	}
	return lending(m.opts.Terminal.Suspend)
}

// lent notes that the terminal is back. Nobody has seen this screen meanwhile,
// so that it is armed anew.
func (m *Model) lent(msg lentMsg) {
	m.tookBack()
	if msg.err != nil {
		m.say(m.known(msg.err.Error()))
	}
}

// callBack tells a person who looks elsewhere that something waits. What
// exactly stays on the screen: others may read a notification.
func (m *Model) callBack(text string) tea.Cmd {
	if m.focus != unfocused {
		return nil
	}
	if seq := m.opts.Notify.sequence(m.environ, text); seq != "" {
		return ringing(seq)
	}
	return nil
}

// arrived tells of the first thing that waits; others behind it are no news.
func (m *Model) arrived() tea.Cmd {
	if len(m.queue.items) != 1 {
		return nil
	}
	w := m.queue.current()
	who := m.opts.Agent
	if w.approval != nil {
		who = w.approval.Prompt.Request.Origin.Agent
	}
	if who == "" {
		who = m.tr("the agent")
	}
	if w.question != nil {
		return m.callBack(m.tr("%s has a question", who))
	}
	return m.callBack(m.wish(who, w.approval.Prompt.Request.Kind))
}

// wish says what a request is for, without what it touches.
func (m *Model) wish(who string, k gate.Kind) string {
	switch k {
	case gate.RunCommand:
		return m.tr("%s asks to run a command", who)
	case gate.WriteFile:
		return m.tr("%s asks to edit a file", who)
	case gate.DeleteFile:
		return m.tr("%s asks to delete a file", who)
	case gate.Network:
		return m.tr("%s asks to reach the network", who)
	case gate.MCPTool:
		return m.tr("%s asks to call an MCP tool", who)
	}
	return m.tr("%s asks to use a tool", who)
}

// sequence is what makes the terminal with this environment call the person.
func (n Notify) sequence(env tea.EnvMsg, text string) string {
	text = strings.ReplaceAll(line(text), ";", ",")
	term, program := env.Getenv("TERM"), env.Getenv("TERM_PROGRAM")
	nested := env.Getenv("TMUX") != "" || env.Getenv("STY") != ""
	plain := strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt")
	known := plain || term == "xterm-kitty" || term == "xterm-ghostty" || program == "iTerm.app" || program == "WezTerm" || program == "ghostty"
	switch {
	case n == NotifyOff:
		return ""
	case n == NotifyBell, n == NotifyAuto && (nested || !known):
		return "\a"
	case plain:
		return "\x1b]777;notify;blitz-approve;" + text + "\x07"
	}
	return ansi.Notify("blitz-approve: " + text)
}
