package tui

import (
	"fmt"
	"strings"
)

// listFrom is the width of the screen from which a row lists what waits.
const listFrom = 120

// listsQueue reports whether a row lists what waits. With several agents it does
// on narrower screens too, and says who waits where.
func (m *Model) listsQueue() bool {
	return len(m.queue.items) > 1 && (m.width >= listFrom || m.width >= 60 && m.opts.Several)
}

// queueRow names what waits around what is shown, and counts the rest.
func (m *Model) queueRow() string {
	th := &m.theme
	q := &m.queue
	least, room := 34, m.width-24
	if m.width < listFrom {
		least, room = 16, m.width-20
	}
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
		if s := p.Request.Origin.Session; s != "" && w.from == nil {
			who += " " + s
		}
		if !p.Since.IsZero() {
			since = p.Since.Format("15:04") + " "
		}
	}
	if w.from != nil {
		who = nameAndPlace(w.from.Agent, m.folderOf(w.from))
	}
	if width < 34 {
		since = ""
	}
	mark := "  "
	if i == m.queue.shown {
		mark = th.key.Render("▸ ")
	}
	names := width / 2
	if w.from != nil {
		names = min(width-2, max(names, 24))
	}
	lead := mark + th.muted.Render(since) + th.text.Render(short(who, names)) + " "
	if rowWidth(lead)+4 > width {
		return strings.TrimSuffix(lead, " ")
	}
	return lead + th.muted.Render(short(what, max(1, width-rowWidth(lead))))
}
