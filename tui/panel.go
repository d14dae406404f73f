package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// panelRows are what is asked: its title, its body and its status.
func (m *Model) panelRows() []string {
	w := m.queue.current()
	rows := []string{m.panelTitle(w)}
	body := w.body.rows(w.offset, w.end())
	if w.plan != nil {
		body = m.planRows(w, body)
	}
	for len(body) < m.lay.panel {
		body = append(body, "")
	}
	rows = append(rows, body...)
	rows = append(rows, m.status(w))
	if m.lay.airy {
		rows = append(rows, m.rule("", ""))
	}
	return rows
}

func (m *Model) panelTitle(w *waiting) string {
	th := &m.theme
	right := ""
	if len(w.diffs) > 0 {
		added, removed, binary := 0, 0, true
		for i, d := range w.diffs {
			a, r := w.kept(i)
			added, removed, binary = added+a, removed+r, binary && d.Binary
		}
		if right = th.muted.Render(m.tr("binary")); !binary {
			right = counts(added, removed, th)
		}
		if len(w.diffs) > 1 {
			right = th.muted.Render(m.n(len(w.diffs), "%s file", "%s files")) + " " + right
		}
	}
	if n := len(m.queue.items); n > 1 {
		if right != "" {
			right += "  "
		}
		right += th.strong.Render(m.tr("%s of %s", m.number(m.queue.shown+1), m.number(n)))
	}
	room := min(m.width*3/4, m.width-rowWidth(right)-10)
	return m.rule(th.heading.Render(short(m.asks(w), max(4, room))), right)
}

// asks says who asks for what. It is not escaped yet.
func (m *Model) asks(w *waiting) string {
	if w.question != nil {
		q := w.question
		title := questionTitle(q, &m.wording)
		if w.lists {
			title = m.tr("your answers")
		}
		if q.Agent != "" {
			return q.Agent + " · " + title
		}
		return title
	}
	who := w.approval.Prompt.Request.Origin.Agent
	if who == "" {
		who = m.tr("the agent")
	}
	return m.tr("%s asks", who)
}

// status says how much isn't on the screen, and what became of keys that came
// too early.
func (m *Model) status(w *waiting) string {
	th := &m.theme
	left, gap := m.hidden(w), "   "
	if m.width < roomForWords {
		gap = " "
	}
	right, terse := "", m.notice != "" || m.width < roomForWords
	switch {
	case m.arming.dropped != "" && terse:
		right = th.warn.Render(m.tr("%s came too early", keyName(line(m.arming.dropped))) + " ")
	case m.arming.dropped != "":
		right = th.warn.Render(m.tr("%s came too early: not taken", keyName(line(m.arming.dropped))) + " ")
	case m.arming.armed:
	case terse:
		right = th.muted.Render("◌ ")
	default:
		right = th.muted.Render(m.tr("◌ a moment …") + " ")
	}
	if hint := m.dismissHint(); hint != "" && rowWidth(hint)+diffview.Width(line(m.notice))+3 <= m.width {
		right = hint
	}
	if m.notice != "" {
		left = []string{th.warn.Render(short(m.notice, max(8, m.width-3-rowWidth(right))))}
	}
	return spread("  "+strings.Join(left, gap), right, m.width)
}

// roomForWords is the width from which the status says more than numbers.
const roomForWords = 60

// hidden says how much isn't on the screen, and how to get there (BEY-03).
func (m *Model) hidden(w *waiting) []string {
	th := &m.theme
	var said []string
	below := w.total - w.end()
	if below > 0 {
		said = append(said, th.warn.Render("▼ "+m.n(below, "%s more line", "%s more lines")))
	}
	switch {
	case w.offset > 0 && m.width < roomForWords:
		said = append(said, th.muted.Render("▲ "+m.number(w.offset)))
	case w.offset > 0:
		said = append(said, th.muted.Render("▲ "+m.n(w.offset, "%s line above", "%s lines above")))
	}
	if keys := m.readingKeys(w, below); keys != "" {
		said = append(said, th.muted.Render(keys))
	} else if below == 0 && w.offset > 0 {
		said = append(said, th.muted.Render(m.tr("end")))
	}
	if w.approval != nil && len(w.body.hunks) > 1 && m.width >= roomForWords && w.hunkIndex() >= 0 && w.fixed(&m.wording) == "" {
		said = append(said, th.muted.Render(m.tr("%s leaves ▸ out", m.leaveOutKey())))
	}
	return said
}

// readingKeys name the keys that show more of w, where they are keys now.
func (m *Model) readingKeys(w *waiting, below int) string {
	var keys []string
	all, page := m.plainKeyOf(m.screen(), "everything"), m.plainKeyOf(m.screen(), "page-down")
	if all != "" && (w.body.short || below > 0 && !w.full) {
		keys = append(keys, m.tr("%s all", all))
	}
	switch {
	case page == "" || below == 0 || w.body.short:
	case m.width < roomForWords:
		keys = append(keys, page)
	default:
		keys = append(keys, m.tr("%s next page", page))
	}
	return strings.Join(keys, " · ")
}
