package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

type ruleName struct {
	effect gate.Effect
	rule   string
}

// lookAtRule shows everything about what is marked.
func (m *Model) lookAtRule() tea.Cmd {
	v := m.rules
	it, ok := v.item()
	if !ok {
		return nil
	}
	v.part, v.look = rulesLook, reader{}
	if _, known := v.calls[ruleName{it.Effect, it.Text}]; known {
		return nil
	}
	return findingCalls(v.book, v.opened, &it)
}

// rulesLookRows are everything about the marked item, or what would happen to
// what was typed.
func (m *Model) rulesLookRows() []string {
	v := m.rules
	if v.part == rulesSample {
		return m.sampleRows()
	}
	it := v.at(v.cursor)
	if it == nil {
		return nil
	}
	return m.itemRows(it)
}

// labelled collects rows with a label before each.
type labelled struct {
	rows  []string
	th    *theme
	width int
}

func (l *labelled) add(label, value string, style *brush) {
	if value != "" {
		l.rows = append(l.rows, beside("  "+l.th.label.Render(short(label, whyColumn-3)), whyColumn, words(value, l.width-whyColumn), style)...)
	}
}

func (m *Model) itemRows(it *RuleItem) []string {
	v, th := m.rules, &m.theme
	l := labelled{th: th, width: max(whyColumn+1, m.width-margin-1)}
	style := th.strong
	if it.Rule {
		_, style = effectMark(it.Effect, th)
	}
	l.rows = append(l.rows, "")
	l.rows = append(l.rows, beside("  "+style.Render(short(it.Mark, whyColumn-3)), whyColumn, wrap(it.Text, l.width-whyColumn), th.strong)...)
	l.add(m.tr("is wrong"), it.Problem, th.danger)
	for _, d := range it.Details {
		l.add(d.Label, d.Value, th.text)
	}
	if it.Source.Layer != "" && it.Source != builtIn {
		l.add(m.tr("written in"), it.Source.String(), th.text)
	}
	if it.Rule && it.Source != builtIn {
		l.add(m.tr("used"), m.usesCell(it), th.text)
	}
	if g := v.group(); g != nil {
		l.add(m.tr("locked"), g.Problem, th.danger)
	}
	past, known := v.calls[ruleName{it.Effect, it.Text}]
	switch {
	case !it.Rule || it.Problem != "" || v.book.Calls == nil:
	case !known:
		l.add(m.tr("past calls"), m.tr("looking …"), th.muted)
	case past.Err != nil:
		l.add(m.tr("past calls"), m.known(past.Err.Error()), th.danger)
	case past.Calls == 0:
		l.add(m.tr("past calls"), m.tr("it covers none of those in the log"), th.text)
	default:
		text := m.n(past.Calls, "it covers %s call of those in the log", "it covers %s calls of those in the log")
		if past.Refused > 0 {
			text = m.n(past.Calls, "it covers %s call of those in the log, of which %s refused",
				"it covers %s calls of those in the log, of which %s refused", m.number(past.Refused))
		}
		l.add(m.tr("past calls"), text, th.text)
		for _, c := range past.Samples {
			mark, style := effectMark(gate.Allow, th)
			if c.Refused {
				mark, style = effectMark(gate.Deny, th)
			}
			l.rows = append(l.rows, beside(strings.Repeat(" ", whyColumn)+style.Render(mark), whyColumn+2, wrap(c.Target, l.width-whyColumn-2), th.text)...)
		}
	}
	return l.rows
}
