package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// key looks a key up in the table of the screen. One that isn't there types.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	mayAnswer := m.arming.press(name, k.IsRepeat, clock())
	m.goes = 0
	m.mind()
	dismissed := m.dismissedBy(name)
	m.heed(name)
	if name != "esc" {
		m.closed = false
	}
	if name != "ctrl+c" {
		m.leaving = 0
	}
	if !slices.Contains(m.keys.keysOf(homeScreen, "leave"), name) {
		m.parting = 0
	}
	if cmd, used := m.release(k); used {
		return cmd
	}
	m.wordFollows(k)
	if dismissed {
		return nil
	}
	s := m.screen()
	if s == endScreen {
		return m.leaveEnd(name, mayAnswer)
	}
	b, ok := m.bound(s, name)
	if !ok {
		m.typed(s, k)
		return nil
	}
	if b.moves != nil && b.moves(m) {
		return m.move(b, k)
	}
	if b.answers && !mayAnswer {
		if b.name == "enter" && m.goesOn() && !m.composer.empty() {
			return m.submit()
		}
		m.arming.dropped = name
		if b.letter && k.Text != "" {
			return m.holdEarly(k)
		}
		return nil
	}
	m.arming.dropped = ""
	m.closed = m.closed || name == "esc" && b.name == "close"
	if (b.answers || b.begins) && b.letter && k.Text != "" {
		return m.hold(b, k)
	}
	return b.run(m)
}

// heed forgets what was said, and warned of, until the next key. Only the same
// key once more goes through with what it was warned of; one that bounces, or is
// held, is still the first.
func (m *Model) heed(key string) {
	w := m.queue.current()
	if w != nil && w.warned != "" && w.warned == key && m.arming.held {
		return
	}
	m.notice = ""
	if w != nil && w.warned != key {
		w.warned = ""
	}
}

// bound is what a key does on a screen now. One that does nothing there types.
func (m *Model) bound(s screen, key string) (b binding, ok bool) {
	for _, b = range m.keys[s] {
		if slices.Contains(b.keys, key) && (b.when == nil || b.when(m)) {
			ok = !(b.letter && !m.field().empty() || b.grants && !m.granting())
			return b, ok
		}
	}
	return binding{}, false
}

// typed gives a key to the line that is being written.
func (m *Model) typed(s screen, k tea.KeyPressMsg) {
	f := m.field()
	switch {
	case !writes(s):
		if k.Text != "" {
			m.stray++ // it was meant for something else, and so may be the Enter behind it
		}
	case k.Text != "":
		m.write(k.Text)
	case !f.empty():
		m.arming.writing = true
		f.edit(k)
	}
}

// paste always writes; it never answers.
func (m *Model) paste(text string) tea.Cmd {
	m.heed("")
	cmd := m.pasted()
	m.write(text)
	return cmd
}

// pasted has the keyboard be quiet again before a key answers.
func (m *Model) pasted() tea.Cmd {
	m.held, m.moved = nil, nil
	d := m.arming.pasted(clock())
	if d == 0 {
		return nil
	}
	return after(d, armMsg{m.arming.serial})
}

// write puts text into the line that is being written, where there is one.
func (m *Model) write(text string) {
	if !writes(m.screen()) {
		m.stray++
		return
	}
	switch {
	case m.screen() == homeScreen && m.opts.Several:
		return
	case !m.takesWords():
		m.say(m.tr("only what is on the list can be answered"))
		return
	}
	m.arming.writing = true
	m.field().insert(text)
	if m.queue.current() == nil {
		m.aside = false
	}
}

func writes(s screen) bool {
	switch s {
	case saveScreen, listScreen, sheetScreen, endScreen, smallScreen, ruleListScreen, ruleLookScreen, ruleConfirmScreen:
		return false
	}
	return true
}

// field is the line that typing goes to.
func (m *Model) field() *composer {
	w := m.queue.current()
	switch {
	case m.rules != nil:
		return m.rules.field()
	case m.over == editLine:
		return &m.edits
	case m.over.line():
		return &m.reason
	case w != nil && !m.goesOn():
		return &w.words
	}
	return &m.composer
}

// written reports whether something was typed, so that letters type too.
func (m *Model) written() bool { return !m.over.line() && !m.field().empty() }

// drafting reports whether what was typed is an answer to what is shown.
func (m *Model) drafting() bool {
	w := m.queue.current()
	return w != nil && !m.over.line() && w.words.value() != ""
}
