package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Prompts that are typed while the agent starts or works wait here, and go out
// one by one in the order in which they were typed. Until then they stand at the
// end of the transcript, and can be taken back.

// send has a prompt sent when it is its turn.
func (m *Model) send(text string, first bool) tea.Cmd {
	e := entry{kind: userEntry, text: text, unsent: true}
	if first {
		m.unsent = slices.Insert(m.unsent, 0, m.transcript.insert(m.transcript.end(), e))
	} else {
		m.unsent = append(m.unsent, m.transcript.add(e))
	}
	return m.sendNext()
}

// sendNext sends the oldest prompt, unless the one before it isn't done.
func (m *Model) sendNext() tea.Cmd {
	if len(m.unsent) == 0 || m.sending || m.starting != "" || m.opts.Submit == nil {
		return nil
	}
	e := m.unsent[0]
	m.unsent = m.unsent[1:]
	m.transcript.remove(e)
	m.transcript.add(entry{kind: userEntry, text: e.text})
	m.sending = true
	return m.submitting(e.text)
}

// takeBack puts what isn't sent back into the line where it was typed.
func (m *Model) takeBack() {
	n := len(m.unsent)
	if n == 0 {
		return
	}
	var texts []string
	for _, e := range m.unsent {
		m.transcript.remove(e)
		texts = append(texts, e.text)
	}
	m.unsent = nil
	if draft := m.composer.take(); draft != "" {
		texts = append(texts, draft)
	}
	m.composer.insert(strings.Join(texts, "\n\n"))
	m.returned = m.composer.value()
	m.transcript.add(entry{kind: noticeEntry, text: m.n(n, "%s prompt was not sent: it is back on the line where you type", "%s prompts were not sent: they are back on the line where you type")})
}

// agentGone keeps what can't be sent any more.
func (m *Model) agentGone() {
	m.gone, m.starting = true, ""
	m.takeBack()
}

// send has a prompt sent when it is its turn.
func (p *Plain) send(text string, first bool) {
	// What was typed stands there already; what waits is told when it is sent.
	p.sent = ""
	if !first && len(p.unsent) == 0 && !p.sending && !p.starting {
		p.sent = text
	}
	if first {
		p.unsent = append([]string{text}, p.unsent...)
	} else {
		p.unsent = append(p.unsent, text)
	}
	p.sendNext()
}

// sendNext sends the oldest prompt, unless the one before it isn't done.
func (p *Plain) sendNext() {
	if len(p.unsent) == 0 || p.sending || p.starting || p.opts.Submit == nil {
		return
	}
	text := p.unsent[0]
	p.unsent = p.unsent[1:]
	p.sending, p.turn = true, true // until the agent says otherwise
	go func() {
		p.opts.Submit(text)
		p.mail.post(sentMsg{})
	}()
}

// takeBack says what isn't sent.
func (p *Plain) takeBack() {
	for _, text := range p.unsent {
		p.tell(p.tr("Not sent"), text)
	}
	p.unsent = nil
}

// agentGone says that nothing is sent any more.
func (p *Plain) agentGone() {
	if p.gone {
		return
	}
	p.gone, p.starting, p.turn = true, false, false
	p.takeBack()
	p.line(p.tr("The agent is gone: nothing is sent any more. Leave with :quit, and start it again."))
}
