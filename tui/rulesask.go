package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// ruleAsk is what one more key does.
type ruleAsk struct {
	question, said string
	do             func() error
}

// removeRule asks whether to remove what is marked.
func (m *Model) removeRule() tea.Cmd {
	v := m.rules
	it, ok := v.item()
	switch {
	case !ok:
		return nil
	case it.Remove == nil:
		m.say(m.unchangeable(true))
		return nil
	}
	v.confirm(ruleAsk{m.tr("%s — %s?", strings.TrimSpace(it.Mark+" "+it.Text), it.Removing), m.tr("done: %s", it.Removing), it.Remove})
	return nil
}

// clearRules asks whether to take back all of a group.
func (m *Model) clearRules() tea.Cmd {
	v := m.rules
	g := v.group()
	if g == nil || g.Clear == nil {
		m.say(m.tr("this is only taken back one by one"))
		return nil
	}
	v.confirm(ruleAsk{m.tr("%s — %s?", g.Title, g.Clearing), m.tr("done: %s", g.Clearing), g.Clear})
	return nil
}

func (v *rulesView) confirm(a ruleAsk) { v.part, v.ask = rulesConfirm, a }

func (m *Model) confirmRule() tea.Cmd {
	a := m.rules.ask
	m.rules.part, m.rules.ask = rulesList, ruleAsk{}
	return changingRules(m.rules.opened, a.said, a.do)
}

func (m *Model) offersTrust() bool {
	p := m.rules.current()
	return p != nil && p.Offer != nil
}

// acceptTrust trusts what is shown, once all of it was on the screen.
func (m *Model) acceptTrust() tea.Cmd {
	v := m.rules
	o := v.current().Offer
	if left := v.offered - v.window.seen; left > 0 {
		v.cursor = min(v.window.seen+v.window.height-1, v.offered-1)
		v.window.fresh()
		m.say(m.n(left, "there was %s more row: y again trusts, once all of it was shown", "there were %s more rows: y again trusts, once all of it was shown"))
		return nil
	}
	return changingRules(v.opened, m.tr("trusted, until it changes"), o.Accept)
}

// ruleDone says how a change went, and shows what is true now. What was typed
// stays after an error.
func (m *Model) ruleDone(msg rulesDoneMsg) tea.Cmd {
	if msg.err != nil {
		m.say(m.known(msg.err.Error()))
	} else {
		m.say(msg.said)
	}
	if !msg.kept {
		delete(m.keptFiles, msg.file)
	}
	v := m.rules
	if v == nil || v.opened != msg.opened {
		return nil
	}
	if v.part == rulesForm && v.form.saving {
		v.form.saving = false
		if msg.err != nil {
			v.form.checked = ruleTyped{v.form.effect, strings.TrimSpace(string(v.line.text))}
			v.form.note, v.form.err = "", msg.err
			return nil
		}
		m.closeRulePart()
	}
	return v.reload()
}
