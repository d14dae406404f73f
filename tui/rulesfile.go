package tui

import (
	tea "charm.land/bubbletea/v2"
)

// editRuleFile opens the file of what is marked in the person's editor.
func (m *Model) editRuleFile() tea.Cmd {
	v := m.rules
	g := v.group()
	if g == nil || g.File == nil {
		m.say(m.tr("this stands in no file that can be edited here"))
		return nil
	}
	return fetchingFile(v.opened, g.File)
}

func (m *Model) ruleFile(msg rulesFileMsg) tea.Cmd {
	if m.rules == nil || m.rules.opened != msg.opened {
		return nil
	}
	if msg.err != nil {
		m.say(m.known(msg.err.Error()))
		return nil
	}
	text := msg.text
	if kept, ok := m.keptFiles[msg.file.Name]; ok {
		text = kept
	}
	return editingFile(msg.opened, msg.file, msg.text, text)
}

// ruleWritten takes a file back from the editor. What can't be saved is kept
// for the next time.
func (m *Model) ruleWritten(msg rulesWrittenMsg) tea.Cmd {
	m.returns++ // keys may have been meant for the editor
	switch {
	case msg.err != nil:
		m.say(m.tr("the editor failed, nothing was changed: %v", msg.err))
		return nil
	case msg.text == msg.before:
		delete(m.keptFiles, msg.file.Name)
		m.say(m.tr("nothing was changed"))
		return nil
	}
	m.keptFiles[msg.file.Name] = msg.text
	return m.savingFile(msg.opened, msg.file, msg.before, msg.text)
}
