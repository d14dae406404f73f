package tui

import "slices"

// renew takes a request as it is judged now (APR-15a). The one that is asked is
// told again from the start: a line that was begun meanwhile answers nothing.
// Its comment stays, and an answer that would save something, if it would
// still save the same.
func (p *Plain) renew(msg Renewal) {
	w := p.find(msg.ID)
	if w == nil || w.approval == nil {
		return
	}
	w.approval.Prompt = msg.Prompt
	if w.id != p.asking {
		return // it is told when its turn comes
	}
	p.line(p.tr("Rules changed: this is asked anew. What you were typing is not taken."))
	p.asking, w.read = renewed, 0
	c := w.saving
	if c == nil {
		return
	}
	w.saving = nil
	if i := slices.IndexFunc(w.choices(&p.wording), c.same); i >= 0 {
		w.saving = c
		return
	}
	p.line(p.tr("What you chose is no longer offered."))
}

// renewed is the ID of nothing: what is asked is presented again.
const renewed = ^uint64(0)

// same reports whether o would do and save the same.
func (c *plainChoice) same(o plainChoice) bool {
	was := c.answer
	was.Renewal = o.answer.Renewal
	return was == o.answer && c.saves == o.saves
}
