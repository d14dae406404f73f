package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// renew shows a request as it is judged now (APR-15a). What the person has done
// about it stays theirs: what they wrote, what they edited or left out, and what
// they chose as long as it would still do the same. Since it looks different,
// the arming begins anew.
func (m *Model) renew(msg Renewal) tea.Cmd {
	w := m.queue.find(msg.ID)
	if w == nil || w.approval == nil {
		return nil
	}
	w.verdicts++
	w.asked = false
	current := w == m.queue.current()
	if current && m.rules == nil {
		m.say(m.tr("rules changed: read again why this is asked"))
	}
	switch {
	case w.rev.edit != nil:
		w.rev.first = msg.Prompt
		w.approval.Prompt.Renewal = msg.Prompt.Renewal
		if w.rev.pending {
			return nil // its answer comes too late
		}
		return m.rejudge(w)
	case current && m.over == saveSheet:
		kept := m.kept(w)
		m.replace(w, msg.Prompt)
		if !m.keepSaving(w, kept) {
			m.over = noSheet
			m.say(m.tr("rules changed: what you chose is no longer offered"))
			return nil
		}
		return m.lookUp()
	}
	m.replace(w, msg.Prompt)
	return nil
}

// replace puts p in the place of what is asked. The answer that was highlighted
// stays so where it is still there.
func (m *Model) replace(w *waiting, p gate.Prompt) {
	before := m.offers(w)[w.choice]
	w.approval.Prompt = p
	w.choice = slices.IndexFunc(m.offers(w), func(o offer) bool {
		return o.name == before.name && o.decision == before.decision && o.scope == before.scope && o.off == ""
	})
	if w.choice < 0 {
		w.choice = firstChoice(&p)
	}
	w.remember = w.remember && len(p.Grants) > 0
}

// keepSaving finds what was chosen in the panel that a opens among what is offered
// now. It must cover the same and be saved as the same.
func (m *Model) keepSaving(w *waiting, kept keepable) bool {
	for i, place := range w.places(&m.wording) {
		j := slices.IndexFunc(place.widths, func(k keepable) bool { return k.covers == kept.covers && k.answer == kept.answer && k.key == kept.key })
		if j >= 0 {
			m.saving = saving{i, j}
			return true
		}
	}
	m.saving = saving{}
	return false
}

// rejudge has the gate look again at an edit that is shown, if rules changed
// since it did.
func (m *Model) rejudge(w *waiting) tea.Cmd {
	if w.rev.edit == nil || w.rev.judged == w.approval.Prompt.Renewal {
		return nil
	}
	return m.revise(w, w.rev.edit, w.rev.left)
}

// rejudged shows what the gate says of the same edit after a change of rules.
// One that it refuses now can't be approved any more, but isn't lost.
func (m *Model) rejudged(w *waiting, msg revisedMsg) {
	p := &w.approval.Prompt
	w.verdicts++ // it looks different again
	w.rev.judged, w.rev.barred = msg.renewal, ""
	if msg.err == nil {
		msg.prompt.Renewal = p.Renewal
		*p = msg.prompt
		return
	}
	w.rev.barred = msg.err.Error()
	p.Verdict = gate.Verdict{Effect: gate.Ask, Mode: p.Verdict.Mode, Reason: w.rev.barred, Request: p.Request, Offers: []gate.Decision{gate.Once}}
}
