package tui

import (
	"fmt"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// layOutRules shares out the rows of the screen of rules: header and pages,
// the list or what stands in its place, what is written, the hints.
func (m *Model) layOutRules(l *layout) {
	v := m.rules
	l.small, l.inBottom = false, true
	above, prompt, below := m.rulesBottom()
	hints := m.rulesHints()
	var input []string
	if prompt != "" {
		var x, y int
		input, x, y = v.field().rows(max(2, m.width-diffview.Width(prompt)-1), max(1, min(4, m.height/6)))
		l.x, l.y = x+diffview.Width(prompt), y
		if v.field().empty() {
			input = []string{m.theme.muted.Render(short(m.rulesPlaceholder(), m.width-diffview.Width(prompt)))}
		}
		input = beside(m.theme.key.Render(prompt), diffview.Width(prompt), input, m.theme.plain)
	}
	// The line that is written and the hints stay; the rest gives way, from
	// its top.
	room := m.height - rulesTop - 1 - len(input) - len(hints)
	if over := len(above) + len(below) - room; over > 0 {
		cut := min(over, len(above))
		above, over = above[cut:], over-cut
		below = below[:max(0, len(below)-over)]
	}
	l.y += len(above)
	l.noCursor = prompt == ""
	l.bottom = append(append(append(append([]string{}, above...), input...), below...), hints...)
	height := max(1, m.height-rulesTop-len(l.bottom))
	v.arrange(m.width)
	v.window.measure(len(v.rows), len(v.rows), height, false)
	v.follow()
	if v.part == rulesLook || v.part == rulesSample {
		n := len(m.rulesLookRows())
		v.look.measure(n, n, height, false)
	}
}

// rulesTop is the header and the row of pages.
const rulesTop = 2

func (m *Model) rulesRows() []string {
	v := m.rules
	rows := []string{m.header(), m.rulesTabs()}
	height := max(1, m.height-rulesTop-len(m.lay.bottom))
	var body []string
	switch {
	case v.taken == 0:
		body = []string{"  " + m.theme.muted.Render(m.tr("reading …"))}
	case v.part == rulesLook || v.part == rulesSample:
		all := m.rulesLookRows()
		body = all[min(v.look.offset, len(all)):min(v.look.end(), len(all))]
	default:
		body = m.rulesListRows()
	}
	for len(body) < height {
		body = append(body, "")
	}
	return append(append(rows, body[:height]...), m.lay.bottom...)
}

// rulesTabs names the pages and, when something waits, says how to get back
// to it.
func (m *Model) rulesTabs() string {
	v, th := m.rules, &m.theme
	right := ""
	if len(m.queue.items) > 0 {
		right = th.warn.Render(m.tr("a request waits: Esc goes back to it"))
		if m.width < 96 {
			right = th.warn.Render(m.tr("one waits: Esc"))
		}
	}
	var cells []string
	for i := range v.pages {
		p := &v.pages[i]
		name := line(p.Name)
		switch {
		case i == v.page:
			cells = append(cells, th.focus.Render(" "+name+" "))
		case m.width < 60:
		case p.Offer != nil:
			cells = append(cells, th.warn.Render(" "+name+" "))
		default:
			cells = append(cells, th.muted.Render(" "+name+" "))
		}
	}
	if m.width < 60 && len(v.pages) > 1 {
		cells = append(cells, th.muted.Render(fmt.Sprintf("%d/%d", v.page+1, len(v.pages))))
	}
	return m.rule(strings.Join(cells, " "), right)
}

// rulesBottom is what stands above the hints: rows, the line that is written,
// and rows below that.
func (m *Model) rulesBottom() (above []string, prompt string, below []string) {
	v, th := m.rules, &m.theme
	switch v.part {
	case rulesSearch:
		return nil, " / ", nil
	case rulesSample:
		return []string{m.rule(th.label.Render(m.tr("What would happen to")), "")}, linePrompt(m.tr("try")), nil
	case rulesForm:
		return m.formRows()
	case rulesConfirm:
		return append([]string{m.rule("", "")}, indent(words(v.ask.question, max(1, m.width-4)), 2)...), "", nil
	}
	if !v.filter.empty() {
		above = []string{th.key.Render(" / ") + th.text.Render(short(v.filter.value(), m.width-6))}
	}
	return above, "", nil
}

func (m *Model) rulesPlaceholder() string {
	v := m.rules
	switch {
	case v.part == rulesSearch:
		return m.tr("words that stand in it")
	case v.part == rulesSample:
		return m.tr("a command, or write(a.go), web(example.com), mcp(server:tool)")
	case v.form.adds:
		return m.tr("such as shell(go test), write(docs/**), web(example.com)")
	}
	return m.tr("the new value")
}

// rulesHints are the keys of the part, or what there is to say instead.
func (m *Model) rulesHints() []string {
	th := &m.theme
	if m.notice != "" {
		rows := words(m.notice, max(1, m.width-2))
		rows = rows[:min(len(rows), 3)]
		for i := range rows {
			rows[i] = " " + th.warn.Render(rows[i])
		}
		return rows
	}
	v := m.rules
	var cells []string
	for _, b := range m.keys[v.screen()] {
		switch {
		case b.when != nil && !b.when(m), b.hint == "":
		case b.name == "edit-rule" && !v.can(func(it *RuleItem) bool { return it.Change != nil }):
		case b.name == "remove-rule" && !v.can(func(it *RuleItem) bool { return it.Remove != nil }):
		case b.answers && !m.arming.armed:
			cells = append(cells, "  "+th.muted.Render(m.tr("◌ a moment …")))
		case b.answers && m.arming.dropped != "":
			cells = append(cells, "  "+th.key.Render(keyName(b.keys[0]))+" "+th.warn.Render(m.tr("%s (came too early)", m.tr(b.hint))))
		default:
			cells = append(cells, "  "+th.key.Render(keyName(b.keys[0]))+" "+th.muted.Render(m.tr(b.hint)))
		}
	}
	rows := flow(cells, 1, m.width)
	if m.height < 14 && len(rows) > 1 && v.part == rulesList {
		rows = flow(append(cells[:1:1], cells[len(cells)-2:]...), 1, m.width) // the list of keys has the others
	}
	return rows
}

func (v *rulesView) can(what func(*RuleItem) bool) bool {
	it := v.at(v.cursor)
	return it != nil && what(it)
}

// trustLine is the quiet line of the screen on which nothing waits (APR-15a).
func (m *Model) trustLine() string {
	th := &m.theme
	key := "  " + th.key.Render(m.keyOf(homeScreen, "look")) + " " + th.muted.Render(m.tr("look"))
	text := m.n(m.untrusted, "%s setting of this project waits for trust", "%s settings of this project wait for trust")
	if 2+diffview.Width(text)+rowWidth(key) > m.width {
		text = m.n(m.untrusted, "%s untrusted", "%s untrusted")
	}
	return fit("  "+th.warn.Render(text)+key, m.width)
}
