package tui

import (
	tea "charm.land/bubbletea/v2"
)

// writtenFile is what was written in an editor, and what the file held when that
// began: nothing that came into it since is overwritten.
type writtenFile struct{ before, text string }

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
	begin := writtenFile{msg.text, msg.text}
	if kept, ok := m.keptFiles[msg.file.Name]; ok {
		begin = kept
	}
	return editingFile(m.opts, msg.opened, msg.file, begin.before, begin.text)
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
	m.keptFiles[msg.file.Name] = writtenFile{msg.before, msg.text}
	return m.savingFile(msg.opened, msg.file, msg.before, msg.text)
}
