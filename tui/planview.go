package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

const (
	// contentsFrom is the width of the screen from which a plan's headings
	// stand beside it.
	contentsFrom = 100
	contentsWide = 30
)

// contentsWidth is how much of the screen the headings take.
func (m *Model) contentsWidth(w *waiting) int {
	if w.plan == nil || m.width < contentsFrom || !w.plan.several() {
		return 0
	}
	return contentsWide
}

// several reports whether the document has about two headings or more; it decides
// only whether there is a list of them.
func (p *planReview) several() bool {
	if p.looked != p.text {
		p.looked, p.many = p.text, countHeadings(p.text) > 1
	}
	return p.many
}

// countHeadings counts them, up to two.
func countHeadings(s string) (n int) {
	for l := range strings.Lines(s) {
		if headingLevel(strings.TrimLeft(strings.TrimRight(l, "\r\n"), " \t")) > 0 {
			if n++; n == 2 {
				break
			}
		}
	}
	return n
}

// planRows marks the line of the cursor, and puts the headings beside the
// visible rows.
func (m *Model) planRows(w *waiting, rows []string) []string {
	p, th := w.plan, &m.theme
	if !p.changes {
		for i := range rows {
			at := w.offset + i
			if at < len(p.lines) && p.lines[at] == p.cursor {
				rows[i] = th.accent.Render("→") + strings.TrimPrefix(rows[i], " ")
			}
		}
	}
	if !m.lay.contents {
		return rows
	}
	column := m.contentsColumn(p, m.lay.panel)
	for len(rows) < m.lay.panel {
		rows = append(rows, "")
	}
	for i := range rows {
		rows[i] = pad(column[i], contentsWide-2) + th.rule.Render("│ ") + rows[i]
	}
	return rows
}

// contentsColumn is the list of headings in height rows, around the one that
// the cursor is under.
func (m *Model) contentsColumn(p *planReview, height int) []string {
	th := &m.theme
	here := -1
	top := 6
	for i, h := range p.headings {
		if h.line <= p.cursor {
			here = i
		}
		top = min(top, h.level)
	}
	first := max(0, min(here-height/2, len(p.headings)-height))
	column := make([]string, height)
	for y := range column {
		i := first + y
		if i >= len(p.headings) {
			break
		}
		h := p.headings[i]
		lead := strings.Repeat(" ", 2*min(3, h.level-top))
		text := diffview.Truncate(h.text, contentsWide-5-len(lead))
		mark := "  "
		style := th.muted
		if i == here {
			mark, style = th.key.Render("▸ "), th.strong
		}
		column[y] = " " + mark + lead + style.Render(text)
	}
	return column
}
