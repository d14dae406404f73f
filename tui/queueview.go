package tui

import (
	"fmt"
)

// listFrom is the width of the screen from which a row lists what waits.
const listFrom = 120

// queueRow names what waits around what is shown, and counts the rest.
func (m *Model) queueRow() string {
	th := &m.theme
	q := &m.queue
	const least = 34
	room := m.width - 24
	fits := min(len(q.items), max(1, room/(least+2)))
	cell := room/fits - 2
	from := max(0, min(q.shown-fits/2, len(q.items)-fits))
	to := min(from+fits, len(q.items))
	row := "  " + th.label.Render(m.tr("waiting")+" ")
	if from > 0 {
		row += th.muted.Render(fmt.Sprintf(" +%d", from))
	}
	for i := from; i < to; i++ {
		row += "  " + m.queueCell(i, q.items[i], cell)
	}
	if rest := len(q.items) - to; rest > 0 {
		row += th.muted.Render(fmt.Sprintf("  +%d", rest))
	}
	return row
}

// queueCell names one thing that waits: since when, whose it is, and what. A
// time of day needs no clock that runs.
func (m *Model) queueCell(i int, w *waiting, width int) string {
	th := &m.theme
	who, what, since := "", "", ""
	if w.question != nil {
		who, what = w.question.Agent, questionTitle(w.question, &m.wording)
	} else {
		p := &w.approval.Prompt
		who, what = p.Request.Origin.Agent, title(p.Request)
		if p.Request.Origin.Session != "" {
			who += " " + p.Request.Origin.Session
		}
		if !p.Since.IsZero() {
			since = p.Since.Format("15:04") + " "
		}
	}
	mark := "  "
	if i == m.queue.shown {
		mark = th.key.Render("▸ ")
	}
	lead := mark + th.muted.Render(since) + th.text.Render(short(who, width/2)) + " "
	return lead + th.muted.Render(short(what, max(1, width-rowWidth(lead))))
}
