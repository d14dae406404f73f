package tui

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// asideFrom is the width of the screen from which previews stand beside the
// options.
const asideFrom = 100

// previewHeight is how many rows the highest preview of q takes in a width.
func (m *Model) previewHeight(q *prompts.Question, width int) int {
	most := 0
	for _, o := range q.Options {
		if o.Preview != "" {
			most = max(most, len(wrap(o.Preview, width-2)))
		}
	}
	return most
}

// asideFits reports whether all previews of q fit beside the options. One that
// doesn't is read with the question.
func (m *Model) asideFits(q *prompts.Question) bool {
	most := m.previewHeight(q, m.asideWidth())
	return most > 0 && m.width >= asideFrom && most <= m.optionLimit()
}

func (m *Model) asideWidth() int { return m.width - m.width/2 - margin }

// optionLimit is how many rows the options may take.
func (m *Model) optionLimit() int { return max(3, m.height/2-2) }

// previewRows are the preview of the highlighted option in a frame of its own.
func previewRows(w *waiting, width, height int, th *theme) []string {
	var rows []string
	if o := w.question.Options; w.choice < len(o) && o[w.choice].Preview != "" {
		rows = wrap(o[w.choice].Preview, width-2)
	}
	for len(rows) < height {
		rows = append(rows, "")
	}
	return beside2(th.rule.Render("│ "), rows)
}

// optionList is the options as they are drawn, and where among the rows the
// cursor of the person's own words is; y is negative when it is nowhere.
type optionList struct {
	rows []string
	x, y int
	of   []int // which option each row is of; negative is none
}

// options draws the options in at most limit rows, the highlighted one among
// them, with the previews beside them where those fit.
func (m *Model) options(w *waiting, limit int) optionList {
	q := w.question
	aside := m.asideFits(q)
	width := m.width
	if aside {
		width = m.width / 2
	}
	list := m.optionCells(w, width, limit)
	if w.note != "" && m.over != noteLine {
		list.rows = append(list.rows, beside("    "+m.theme.muted.Render(m.tr("note")), 10, wrap(w.note, width-11), m.theme.text)...)
	}
	if !aside {
		return list
	}
	height := max(len(list.rows), m.previewHeight(q, m.asideWidth()))
	preview := previewRows(w, m.asideWidth(), height, &m.theme)
	for len(list.rows) < height {
		list.rows = append(list.rows, "")
	}
	for i := range list.rows {
		list.rows[i] = pad(list.rows[i], width) + preview[i]
	}
	return list
}

func (m *Model) optionCells(w *waiting, width, limit int) optionList {
	var rows []string
	list := optionList{y: -1}
	from, to := 0, 0 // the rows of the highlighted option
	for i := 0; i <= w.lastChoice(); i++ {
		cell := m.optionCell(w, i, width)
		if i == m.optionAt(w) {
			from, to = len(rows), len(rows)+len(cell.rows)
			list.x, list.y = cell.x, cell.y
			if cell.y >= 0 {
				list.y += len(rows)
			}
		}
		rows = append(rows, cell.rows...)
		for range cell.rows {
			list.of = append(list.of, i)
		}
	}
	if len(rows) <= limit {
		list.rows = rows
		return list
	}
	// The whole highlighted option is on the screen, with a row above and
	// below that counts the rest.
	first := max(0, min((from+to-limit)/2, len(rows)-limit))
	cut := append([]string{}, rows[first:first+limit]...)
	list.of = list.of[first : first+limit]
	if first > 0 {
		list.of[0] = -1
		cut[0] = m.theme.muted.Render("    ▲ " + m.n(first+1, "%s more row", "%s more rows"))
	}
	if below := len(rows) - first - limit; below > 0 {
		list.of[limit-1] = -1
		cut[limit-1] = m.theme.muted.Render("    ▼ " + m.n(below+1, "%s more row", "%s more rows"))
	}
	list.rows = cut
	if list.y >= 0 {
		list.y = max(0, min(list.y-first, limit-1))
	}
	return list
}

// optionCell draws one option; the one after them is for the person's own
// words, which are written in its place, or for no answer.
func (m *Model) optionCell(w *waiting, i, width int) optionList {
	th, q := &m.theme, w.question
	own := i == len(q.Options)
	mark := fmt.Sprintf("%d ", i+1)
	switch {
	case own && i == 0:
		mark = ""
	case i >= 9:
		mark = "  "
	}
	if q.MultiSelect && !own {
		mark += map[bool]string{true: "[x] ", false: "[ ] "}[w.chosen[i]]
	} else if w.given != nil && !own && answerText(*w.given) == q.Options[i].Label {
		mark += "✓ "
	}
	lead, style := "  ", th.text
	switch {
	case i != m.optionAt(w):
	case m.arming.armed:
		lead, style = th.key.Render("▸ "), th.focus
	default:
		lead = th.muted.Render("▸ ")
	}
	if !m.arming.armed || !own && w.plan.remarked() {
		style = th.muted
	}
	column := 2 + diffview.Width(mark)
	lead += th.key.Render(mark)
	if own {
		return m.ownCell(w, lead, column, width, i == m.optionAt(w))
	}
	return optionList{rows: labelRows(m.option(q, q.Options[i]), lead, column, width, style, th), y: -1}
}

func labelRows(o prompts.Option, lead string, column, width int, style lipgloss.Style, th *theme) []string {
	rows := beside(lead, column, paragraphs(o.Label, width-column-1), style)
	if o.Description == "" {
		return rows
	}
	text := line(o.Description)
	if used := diffview.Width(text) + diffview.Width(line(o.Label)) + column + 2; used < width && len(rows) == 1 {
		rows[0] += "  " + th.muted.Render(text)
		return rows
	}
	return append(rows, indent(beside("", 0, words(o.Description, width-column-3), th.muted), column)...)
}

// ownCell is the place for the person's own words.
func (m *Model) ownCell(w *waiting, lead string, column, width int, highlighted bool) optionList {
	th := &m.theme
	if w.words.empty() {
		style := th.muted
		if highlighted && m.arming.armed && w.plan.remarked() {
			style = th.focus // there is something to send already
		}
		text := style.Render(short(w.ownHint(&m.wording), width-column-1))
		list := optionList{rows: []string{pad(lead, column) + text}, y: -1}
		if highlighted {
			list.x, list.y = column, 0
		}
		return list
	}
	rows, x, y := w.words.rows(max(2, width-column), max(1, min(6, m.height/4)))
	return optionList{rows: beside(lead, column, rows, th.text), x: column + x, y: y}
}

// ownHint stands where nothing was written yet.
func (w *waiting) ownHint(t *wording) string {
	q := w.question
	switch {
	case w.plan != nil:
		return w.plan.ownHint(t)
	case q.MayBeLeft():
		return t.tr("No answer")
	case len(q.Options) > 0 && q.MultiSelect:
		return t.tr("Other: type what else")
	case len(q.Options) > 0:
		return t.tr("Other: type your answer")
	case q.Optional:
		return t.tr("type your answer, or leave it empty")
	}
	return t.tr("type your answer")
}

// optionAt is the option that Enter takes: with words typed, those.
func (m *Model) optionAt(w *waiting) int {
	if m.drafting() || w.plan.remarked() {
		return len(w.question.Options)
	}
	return w.choice
}
