package tui

import (
	"strings"
	"time"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// columns of a row of the list.
const usesWidth = 18

// readWidth is that of the words beside an item.
func (m *Model) readWidth() int {
	switch {
	case m.width >= 140:
		return 60
	case m.width >= 100:
		return 26
	}
	return 16
}

func (m *Model) rulesListRows() []string {
	v, th := m.rules, &m.theme
	p := v.current()
	if p == nil || len(v.rows) == 0 {
		text := m.tr("nothing is here")
		switch {
		case !v.filter.empty():
			text = m.tr("nothing here holds that")
		case p != nil && p.Empty != "":
			text = p.Empty
		}
		return indent(words(text, max(1, m.width-4)), 2)
	}
	mark := v.marks
	var rows []string
	for i := v.window.offset; i < v.window.end(); i++ {
		r := &v.rows[i]
		at := "  "
		if i == v.cursor && v.part != rulesSearch {
			at = th.key.Render("▸ ")
		}
		switch {
		case r.group < 0:
			rows = append(rows, at+m.offerRow(r))
		case r.item < 0:
			rows = append(rows, m.groupRow(&p.Groups[r.group], at))
		default:
			rows = append(rows, at+m.itemRow(&p.Groups[r.group].Items[r.item], mark, i == v.cursor))
		}
	}
	return rows
}

// markCells are those that marks take at most.
const markCells = 10

// markWidth is that of the widest mark of a page, within limits.
func markWidth(p *RulePage) int {
	w := 0
	for g := range p.Groups {
		for i := range p.Groups[g].Items {
			if w = max(w, diffview.Width(p.Groups[g].Items[i].Mark)); w >= markCells {
				return markCells
			}
		}
	}
	return w
}

func (m *Model) offerRow(r *ruleRow) string {
	switch r.sign {
	case '+':
		return m.theme.added.Render(r.text)
	case '-':
		return m.theme.removed.Render(r.text)
	case ' ':
		return m.theme.muted.Render(r.text)
	}
	return m.theme.strong.Render(r.text)
}

func (m *Model) groupRow(g *RuleGroup, at string) string {
	th := &m.theme
	if g.Problem != "" {
		return " " + th.heading.Render(short(g.Title, m.width/2)) + "  " + th.danger.Render(short(g.Problem, m.width))
	}
	if len(g.Items) == 0 {
		return strings.TrimSuffix(at, " ") + th.heading.Render(short(g.Title, m.width-2)) + "  " + th.muted.Render(m.tr("nothing is in it"))
	}
	return " " + th.heading.Render(short(g.Title, m.width-2))
}

func (m *Model) itemRow(it *RuleItem, mark int, marked bool) string {
	th := &m.theme
	style := th.muted
	if it.Rule {
		_, style = effectMark(it.Effect, th)
	}
	left := ""
	if mark > 0 {
		left = style.Render(pad(short(it.Mark, mark), mark)) + " "
	}
	text := th.text
	if marked {
		text = th.strong
	}
	width := m.width - mark - 5
	right := ""
	if it.Problem != "" {
		return left + th.danger.Render(short(strings.TrimSpace(it.Text+" "+it.Problem), width))
	}
	if m.width >= 60 {
		if it.Rule && m.rules.history != nil {
			right = th.muted.Render(pad(m.usesCell(it), usesWidth))
			width -= usesWidth + 1
		}
	}
	if w := m.readWidth(); it.Aside != "" && (m.width >= 100 || m.width >= 76 && diffview.Width(line(it.Aside)) <= w) {
		right = th.muted.Render(pad(short(it.Aside, w), w)) + " " + right
		width -= w + 1
	}
	return spread(left+text.Render(short(it.Text, width)), right, m.width-3)
}

// usesCell says how often a rule was used, and when it last was.
func (m *Model) usesCell(it *RuleItem) string {
	v := m.rules
	if !it.Rule || v.history == nil || it.Source == builtIn {
		return ""
	}
	u := v.history.Uses(&gate.Rule{Effect: it.Effect, Text: it.Text})
	if u.Times == 0 {
		return m.tr("never used")
	}
	return m.number(u.Times) + "× · " + m.ago(v.now.Sub(u.Last))
}

// ago is a time in the past in one word or two.
func (w *wording) ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return w.tr("just now")
	case d < time.Hour:
		return w.tr("%d min ago", d/time.Minute)
	case d < 24*time.Hour:
		return w.tr("%d h ago", d/time.Hour)
	}
	return w.n(int(d/(24*time.Hour)), "%s day ago", "%s days ago")
}
