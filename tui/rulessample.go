package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ruleSampled is what would happen to what was typed.
type ruleSampled struct {
	asked   ruleTyped
	verdict gate.Verdict
	err     error
	known   bool
}

// tryRules opens the line in which a request is written.
func (m *Model) tryRules() tea.Cmd {
	v := m.rules
	if v.book.Sample == nil {
		m.say(m.tr("nothing can be tried here"))
		return nil
	}
	v.part, v.look, v.sample = rulesSample, reader{}, ruleSampled{}
	v.line.clear()
	if w := m.queue.current(); w != nil && w.approval != nil && w.approval.Prompt.Request.Kind == gate.RunCommand {
		v.line.insert(w.approval.Prompt.Request.Targets[0])
	}
	return nil
}

// sampleRows say what would happen to what was typed, by which step, rule,
// file and line (BEY-04, BEY-09).
func (m *Model) sampleRows() []string {
	v, th := m.rules, &m.theme
	l := labelled{th: th, width: max(whyColumn+1, m.width-margin-1)}
	typed := strings.TrimSpace(string(v.line.text))
	l.rows = append(l.rows, "")
	switch s := &v.sample; {
	case typed == "":
		text := m.tr("Write a request: what would happen to it, and why, is shown as you type. Nothing is asked, run or remembered.")
		l.rows = append(l.rows, indent(words(text, max(1, m.width-4)), 2)...)
	case !s.known:
		l.rows = append(l.rows, "  "+th.muted.Render(m.tr("looking …")))
	case s.err != nil:
		l.add(m.tr("can't be read"), m.known(s.err.Error()), th.danger)
	default:
		m.verdictRows(&l, &s.verdict)
	}
	return l.rows
}

func (m *Model) verdictRows(l *labelled, v *gate.Verdict) {
	th := &m.theme
	mark, style := effectMark(v.Effect, th)
	said := map[gate.Effect]string{gate.Allow: m.tr("it would pass"), gate.Ask: m.tr("you would be asked"), gate.Deny: m.tr("it would be refused")}[v.Effect]
	l.rows = append(l.rows, beside("  "+style.Render(mark+" "+m.effect(v.Effect)), whyColumn, words(said, l.width-whyColumn), th.strong)...)
	l.add(m.tr("because"), m.known(v.Reason), th.text)
	l.add(m.tr("step"), string(v.Step), th.text)
	if v.Rule != nil {
		l.add(m.tr("rule"), v.Rule.Effect.String()+" "+v.Rule.Text, th.text)
		l.add(m.tr("written in"), v.Rule.Source.String(), th.text)
	}
	if v.Forced {
		l.add(m.tr("forced"), m.tr("no mode, remembered approval or allow rule can settle this"), th.text)
	}
	if len(v.Parts) > 1 {
		l.rows = append(l.rows, "", "  "+th.heading.Render(m.tr("Each command")))
		for _, p := range v.Parts {
			mark, style := effectMark(p.Effect, th)
			l.rows = append(l.rows, beside("  "+style.Render(mark+" "+m.effect(p.Effect)), whyColumn, wrap(p.Command, l.width-whyColumn), th.text)...)
			if why := partWhy(p, &th.wording); why != "" {
				l.rows = append(l.rows, beside("", whyColumn, prose(why, l.width-whyColumn), th.muted)...)
			}
		}
	}
	if len(v.Trail) > 0 {
		l.rows = append(l.rows, "", "  "+th.heading.Render(m.tr("What was looked at")))
		for _, n := range v.Trail {
			l.rows = append(l.rows, beside("  "+th.label.Render(short(string(n.Step), whyColumn-4)), whyColumn, prose(m.known(n.Text), l.width-whyColumn), th.text)...)
		}
	}
}
