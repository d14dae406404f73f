package tui

import (
	"fmt"
	"slices"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// asideFrom is the width of the screen from which previews stand beside the
// options.
const asideFrom = 100

// previewHeight is how many rows the highest preview of w takes in a width.
func (m *Model) previewHeight(w *waiting, width int) int {
	most := 0
	for i, o := range w.question.Options {
		if o.Preview != "" {
			most = max(most, len(m.laidOut(w, previewPiece, i, width-2)))
		}
	}
	return most
}

// asideFits reports whether all previews of w fit beside the options. One that
// doesn't is read with the question.
func (m *Model) asideFits(w *waiting) bool {
	if m.width < asideFrom {
		return false
	}
	most := m.previewHeight(w, m.asideWidth())
	return most > 0 && most <= m.optionLimit()
}

func (m *Model) asideWidth() int { return m.width - m.width/2 - margin }

// optionLimit is how many rows the options may take.
func (m *Model) optionLimit() int { return max(3, m.height/2-2) }

// previewBlock is the preview of the highlighted option in a frame of its own,
// height rows.
func (m *Model) previewBlock(w *waiting, width, height int) block {
	var preview []string
	if o := w.question.Options; w.choice < len(o) && o[w.choice].Preview != "" {
		preview = m.laidOut(w, previewPiece, w.choice, width-2)
	}
	frame := m.theme.rule.Render("│ ")
	return block{n: height, draw: func(from, to int) []string {
		rows := slices.Clone(preview[min(from, len(preview)):min(to, len(preview))])
		for len(rows) < to-from {
			rows = append(rows, "")
		}
		return prefixed(frame, rows)
	}}
}

// optionList is the options as they are drawn, and where among the rows the
// cursor of the person's own words is; y is negative when it is nowhere.
type optionList struct {
	rows []string
	x, y int
	of   []int // which option each row is of; negative is none
	// below is how many rows come after those that are drawn.
	below int
}

// options draws the options in at most limit rows, the highlighted one among
// them, with the previews beside them where those fit.
func (m *Model) options(w *waiting, limit int) optionList {
	aside, width := m.asideFits(w), m.optionWidth(w)
	list := m.optionCells(w, width, limit)
	if w.note != "" && m.over != noteLine {
		list.rows = append(list.rows, beside("    "+m.theme.muted.Render(m.tr("note")), 10, wrap(w.note, width-11), m.theme.text)...)
	}
	if !aside {
		return list
	}
	height := max(len(list.rows), m.previewHeight(w, m.asideWidth()))
	preview := m.previewBlock(w, m.asideWidth(), height).all()
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
		cell := m.among(w, i, width)
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
	list.rows = rows
	if len(rows) > limit {
		list.cut(from, to, limit, m)
	}
	return list
}

// cut leaves limit rows: the whole highlighted option, which is the rows from up
// to to, with a row above and below that counts the rest. Where there is no room
// for both, one of them counts it all.
func (l *optionList) cut(from, to, limit int, m *Model) {
	mark := func(sign string, n int) string {
		return m.theme.muted.Render("    " + sign + " " + m.n(n, "%s more row", "%s more rows"))
	}
	all, first, shown := len(l.rows), (from+to-limit)/2, limit
	if to-from > limit-2 {
		shown--
		first = max(from, l.y-shown+1)
	}
	first = max(0, min(first, all-shown))
	l.rows, l.of = slices.Clone(l.rows[first:first+shown]), l.of[first:first+shown]
	l.below = all - first - shown
	if l.y >= 0 {
		l.y = max(0, min(l.y-first, shown-1))
	}
	if shown < limit {
		sign := "▲▼"
		switch {
		case first == 0:
			sign = "▼"
		case l.below == 0:
			sign = "▲"
		}
		l.rows, l.of = append(l.rows, mark(sign, all-shown)), append(slices.Clone(l.of), -1)
		return
	}
	if first > 0 {
		l.rows[0], l.of[0] = mark("▲", first+1), -1
	}
	if l.below > 0 {
		l.below++
		l.rows[limit-1], l.of[limit-1] = mark("▼", l.below), -1
	}
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
	} else if w.given != nil && len(q.Options) > 0 {
		mark += map[bool]string{true: "✓ ", false: "  "}[!own && answerText(*w.given) == q.Options[i].Label]
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
	return optionList{rows: m.labelRows(w, i, lead, column, width, style), y: -1}
}

// among is an option that stands among the others: with no more rows than there
// are for it.
func (m *Model) among(w *waiting, i, width int) optionList {
	cell := m.optionCell(w, i, width)
	if most := w.tallest(); len(cell.rows) > most && i < len(w.question.Options) {
		cell.rows = cell.rows[:most]
		cell.rows[most-1] = fit(cell.rows[most-1], width-2) + m.theme.muted.Render(" …")
	}
	return cell
}

// tallest is how many rows one option may take among the others. What is longer
// is read with the question.
func (w *waiting) tallest() int { return w.room - 1 }

// longOptions are the options that have no room among the others, in full.
func (m *Model) longOptions(w *waiting, width int) (b body) {
	th, column := &m.theme, 3
	among := m.optionWidth(w) // it reads all previews
	for i, o := range w.question.Options {
		if len(m.optionCell(w, i, among).rows) <= w.tallest() {
			continue
		}
		b.addRows("")
		number := th.key.Render(fmt.Sprint(i + 1))
		label := m.laidOut(w, labelPiece, i, width-column)
		b.add(block{n: len(label), draw: func(from, to int) []string {
			if from > 0 {
				return beside("", column, label[from:to], th.text)
			}
			return beside(number, column, label[:to], th.text)
		}})
		if o.Description != "" {
			b.add(lazily(m.laidOut(w, descriptionPiece, i, width-column), func(rows []string) []string { return beside("", column, rows, th.muted) }))
		}
	}
	return b
}

// optionWidth is how wide the options of w are drawn.
func (m *Model) optionWidth(w *waiting) int {
	if m.asideFits(w) {
		return m.width / 2
	}
	return m.width
}

// labelRows are option i: all its rows, or one more than may stand among the
// others.
func (m *Model) labelRows(w *waiting, i int, lead string, column, width int, style *brush) []string {
	th, most := &m.theme, max(1, w.tallest()+1)
	label := m.laidOut(w, labelPiece, i, width-column-1)
	rows := beside(lead, column, label[:min(len(label), most)], style)
	if w.question.Options[i].Description == "" || len(rows) == most {
		return rows
	}
	if at := m.besideColumn(w, width-column); len(label) == 1 && at >= diffview.Width(label[0])+2 {
		said := m.laidOut(w, descriptionPiece, i, width-column-at-1)
		return beside(rows[0], column+at, said[:min(len(said), most)], th.muted)
	}
	said := m.laidOut(w, descriptionPiece, i, width-column-3)
	return append(rows, indent(beside("", 0, said[:min(len(said), most)], th.muted), column)...)
}

// besideColumn is where the descriptions of w begin, counted from the labels, so
// that they stand in one column; 0 is on rows of their own. A label that takes
// more than two fifths of width has its description below.
func (m *Model) besideColumn(w *waiting, width int) int {
	widest := 0
	for i, o := range w.question.Options {
		if o.Description == "" {
			continue
		}
		label := m.laidOut(w, labelPiece, i, width-1)
		if n := diffview.Width(label[0]); len(label) == 1 && n <= width*2/5 {
			widest = max(widest, n)
		}
	}
	if at := widest + 2; widest > 0 && width-at >= 24 {
		return at
	}
	return 0
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
		return t.tr("Leave it empty")
	case len(q.Options) > 0 && q.MultiSelect:
		return t.tr("Other: type what else")
	case len(q.Options) > 0:
		return t.tr("Other: type your answer")
	case q.Optional:
		return t.tr("type your answer, or leave it empty")
	}
	return t.tr("type your answer")
}

// optionAt is the option that Enter takes: with words typed, those; -1 is none.
func (m *Model) optionAt(w *waiting) int {
	switch {
	case m.drafting() || w.plan.remarked():
		return len(w.question.Options)
	case w.pushed:
		return -1
	}
	return w.choice
}
