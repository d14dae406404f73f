package tui

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
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

// formRows are the fields around the line in which a rule or a value is
// written, and what is wrong with it.
func (m *Model) formRows() (above []string, prompt string, below []string) {
	v, th := m.rules, &m.theme
	f := &v.form
	above = append(above, m.rule(th.label.Render(short(f.title, m.width-8)), ""))
	if f.adds {
		above = append(above, m.wordsRow(m.tr("effect"), []string{m.effect(gate.Deny), m.effect(gate.Ask), m.effect(gate.Allow)}, int(f.effect)))
		names := make([]string, len(v.book.Places))
		for i := range v.book.Places {
			names[i] = m.known(v.book.Places[i].Name)
		}
		above = append(above, m.wordsRow(m.tr("where"), names, f.place))
	} else if len(f.item.Choices) > 0 {
		at := -1
		for i, c := range f.item.Choices {
			if c == v.line.value() {
				at = i
			}
		}
		above = append(above, m.wordsRow(m.tr("one of"), f.item.Choices, at))
	}
	prompt = linePrompt(m.tr("value"))
	if f.adds || f.item.Rule {
		prompt = linePrompt(m.tr("rule"))
	}
	typed := strings.TrimSpace(string(v.line.text))
	text, style := "", th.muted
	switch {
	case f.saving:
		text = m.tr("saving …")
	case typed == "":
	case f.checked != ruleTyped{f.effect, typed}:
		text = m.tr("checking …")
	case f.err != nil:
		text, style = m.known(f.err.Error()), th.danger
	default:
		text = m.known(f.note)
	}
	rows := words(text, max(1, m.width-4))
	for _, r := range rows[:min(len(rows), 4)] {
		below = append(below, "  "+style.Render(r))
	}
	return above, prompt, below
}

// linePrompt is what stands before a line that is written.
func linePrompt(name string) string { return " " + name + " › " }

// wordsRow is a few words of which one is chosen.
func (m *Model) wordsRow(label string, list []string, at int) string {
	th := &m.theme
	row := "  " + th.label.Render(pad(label, max(8, diffview.Width(label)+1)))
	for i, w := range list {
		style := th.muted
		w = " " + line(w) + " "
		if i == at {
			style, w = th.focus, "▸"+w[1:]
		}
		row += style.Render(w)
	}
	return row
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
	text := m.n(m.untrusted, "%s setting of this project waits for trust", "%s settings of this project wait for trust")
	return "  " + th.warn.Render(text) + "  " + th.key.Render(m.keyOf(homeScreen, "look")) + " " + th.muted.Render(m.tr("look"))
}

// keyOf is the first key of a command.
func (m *Model) keyOf(s screen, name string) string {
	for _, b := range m.keys[s] {
		if b.name == name {
			return keyName(b.keys[0])
		}
	}
	return ""
}

// rulesLookRows are everything about the marked item, or what would happen to
// what was typed.
func (m *Model) rulesLookRows() []string {
	v := m.rules
	if v.part == rulesSample {
		return m.sampleRows()
	}
	it := v.at(v.cursor)
	if it == nil {
		return nil
	}
	return m.itemRows(it)
}

// labelled collects rows with a label before each.
type labelled struct {
	rows  []string
	th    *theme
	width int
}

func (l *labelled) add(label, value string, style lipgloss.Style) {
	if value != "" {
		l.rows = append(l.rows, beside("  "+l.th.label.Render(short(label, whyColumn-3)), whyColumn, words(value, l.width-whyColumn), style)...)
	}
}

func (m *Model) itemRows(it *RuleItem) []string {
	v, th := m.rules, &m.theme
	l := labelled{th: th, width: max(whyColumn+1, m.width-margin-1)}
	style := th.strong
	if it.Rule {
		_, style = effectMark(it.Effect, th)
	}
	l.rows = append(l.rows, "")
	l.rows = append(l.rows, beside("  "+style.Render(short(it.Mark, whyColumn-3)), whyColumn, wrap(it.Text, l.width-whyColumn), th.strong)...)
	l.add(m.tr("is wrong"), it.Problem, th.danger)
	for _, d := range it.Details {
		l.add(d.Label, d.Value, th.text)
	}
	if it.Source.Layer != "" && it.Source != builtIn {
		l.add(m.tr("written in"), it.Source.String(), th.text)
	}
	if it.Rule && it.Source != builtIn {
		l.add(m.tr("used"), m.usesCell(it), th.text)
	}
	if g := v.group(); g != nil {
		l.add(m.tr("locked"), g.Problem, th.danger)
	}
	past, known := v.calls[ruleName{it.Effect, it.Text}]
	switch {
	case !it.Rule || it.Problem != "" || v.book.Calls == nil:
	case !known:
		l.add(m.tr("past calls"), m.tr("looking …"), th.muted)
	case past.Err != nil:
		l.add(m.tr("past calls"), m.known(past.Err.Error()), th.danger)
	case past.Calls == 0:
		l.add(m.tr("past calls"), m.tr("it covers none of those in the log"), th.text)
	default:
		text := m.n(past.Calls, "it covers %s call of those in the log", "it covers %s calls of those in the log")
		if past.Refused > 0 {
			text = m.n(past.Calls, "it covers %s call of those in the log, of which %s refused", "it covers %s calls of those in the log, of which %s refused", m.number(past.Refused))
		}
		l.add(m.tr("past calls"), text, th.text)
		for _, c := range past.Samples {
			mark, style := effectMark(gate.Allow, th)
			if c.Refused {
				mark, style = effectMark(gate.Deny, th)
			}
			l.rows = append(l.rows, beside(strings.Repeat(" ", whyColumn)+style.Render(mark), whyColumn+2, wrap(c.Target, l.width-whyColumn-2), th.text)...)
		}
	}
	return l.rows
}

// sampleRows say what would happen to what was typed, by which step, rule,
// file and line (BEY-04, BEY-09).
func (m *Model) sampleRows() []string {
	v, th := m.rules, &m.theme
	l := labelled{th: th, width: max(whyColumn+1, m.width-margin-1)}
	typed := strings.TrimSpace(string(v.line.text))
	l.rows = append(l.rows, "")
	switch s := &v.sample; {
	case typed == "":
		l.rows = append(l.rows, indent(words(m.tr("Write a request: what would happen to it, and why, is shown as you type. Nothing is asked, run or remembered."), max(1, m.width-4)), 2)...)
	case !s.known:
		l.rows = append(l.rows, "  "+th.muted.Render(m.tr("looking …")))
	case s.err != nil:
		l.add(m.tr("can't be read"), m.known(s.err.Error()), th.danger)
	default:
		m.verdictRows(&l, &s.verdict)
	}
	return l.rows
}

func (m *Model) verdictRows(l *labelled, v *gate.Verdict) {
	th := &m.theme
	mark, style := effectMark(v.Effect, th)
	said := map[gate.Effect]string{gate.Allow: m.tr("it would pass"), gate.Ask: m.tr("you would be asked"), gate.Deny: m.tr("it would be refused")}[v.Effect]
	l.rows = append(l.rows, beside("  "+style.Render(mark+" "+m.effect(v.Effect)), whyColumn, words(said, l.width-whyColumn), th.strong)...)
	l.add(m.tr("because"), m.known(v.Reason), th.text)
	l.add(m.tr("step"), v.Step, th.text)
	if v.Rule != nil {
		l.add(m.tr("rule"), v.Rule.Effect.String()+" "+v.Rule.Text, th.text)
		l.add(m.tr("written in"), v.Rule.Source.String(), th.text)
	}
	if v.Forced {
		l.add(m.tr("forced"), m.tr("no mode, remembered approval or allow rule can settle this"), th.text)
	}
	if len(v.Parts) > 1 {
		l.rows = append(l.rows, "", "  "+th.heading.Render(m.tr("Each command")))
		for _, p := range v.Parts {
			mark, style := effectMark(p.Effect, th)
			l.rows = append(l.rows, beside("  "+style.Render(mark+" "+m.effect(p.Effect)), whyColumn, wrap(p.Command, l.width-whyColumn), th.text)...)
			if why := partWhy(p, &th.wording); why != "" {
				l.rows = append(l.rows, beside("", whyColumn, prose(why, l.width-whyColumn), th.muted)...)
			}
		}
	}
	if len(v.Trail) > 0 {
		l.rows = append(l.rows, "", "  "+th.heading.Render(m.tr("What was looked at")))
		for _, n := range v.Trail {
			l.rows = append(l.rows, beside("  "+th.label.Render(short(n.Step, whyColumn-4)), whyColumn, prose(m.known(n.Text), l.width-whyColumn), th.text)...)
		}
	}
}
