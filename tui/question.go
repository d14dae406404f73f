package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// asideFrom is the width of the screen from which previews stand beside the
// options.
const asideFrom = 100

func newQuestion(id uint64, q prompts.Question) *waiting {
	w := &waiting{id: id, question: &q, ready: true, chosen: make([]bool, len(q.Options))}
	if q.Document != "" {
		w.plan = newPlanReview(&q)
	}
	return w
}

// questionBody draws what a question says, and the preview of the highlighted
// option where it doesn't stand beside it. It is as high for every option, so
// that nothing jumps.
func (m *Model) questionBody(w *waiting) body {
	q, th := w.question, &m.theme
	inner := m.width - margin - 1
	var b body
	if w.group != nil {
		b.addRows(indent([]string{w.group.tabs(w.index, inner, th), ""}, margin)...)
	}
	b.addRows(indent(beside("", 0, paragraphs(q.Text, inner), th.headline), margin)...)
	if most := m.previewHeight(q, inner); most > 0 && !m.asideFits(q) {
		b.addRows("")
		b.addRows(indent(previewRows(w, inner, most, th), margin)...)
	}
	b.head = b.n
	return b
}

// paragraphs escapes s, keeps its lines and breaks them between words.
func paragraphs(s string, width int) []string {
	var rows []string
	for _, l := range strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		rows = append(rows, words(l, width)...)
	}
	return rows
}

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

func questionTitle(q *prompts.Question) string {
	title := q.Header
	if title == "" {
		title = "question"
		if q.Document != "" {
			title = "plan"
		}
	}
	if q.Of > 1 {
		title += fmt.Sprintf(" · %d of %d", q.Position, q.Of)
	}
	return title
}

// optionList is the options as they are drawn, and where among the rows the
// cursor of the person's own words is; y is negative when it is nowhere.
type optionList struct {
	rows []string
	x, y int
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
		list.rows = append(list.rows, beside("    "+m.theme.muted.Render("note"), 10, wrap(w.note, width-11), m.theme.text)...)
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
	for i := 0; i <= len(w.question.Options); i++ {
		cell := m.optionCell(w, i, width)
		if i == m.optionAt(w) {
			from, to = len(rows), len(rows)+len(cell.rows)
			list.x, list.y = cell.x, cell.y
			if cell.y >= 0 {
				list.y += len(rows)
			}
		}
		rows = append(rows, cell.rows...)
	}
	if len(rows) <= limit {
		list.rows = rows
		return list
	}
	// The whole highlighted option is on the screen, with a row above and
	// below that counts the rest.
	first := max(0, min((from+to-limit)/2, len(rows)-limit))
	cut := append([]string{}, rows[first:first+limit]...)
	if first > 0 {
		cut[0] = m.theme.muted.Render("    ▲ " + count(first+1, "more row"))
	}
	if below := len(rows) - first - limit; below > 0 {
		cut[limit-1] = m.theme.muted.Render("    ▼ " + count(below+1, "more row"))
	}
	list.rows = cut
	if list.y >= 0 {
		list.y = max(0, min(list.y-first, limit-1))
	}
	return list
}

// optionCell draws one option; the last is for the person's own words, which
// are written in its place.
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
	return optionList{rows: labelRows(q.Options[i], lead, column, width, style, th), y: -1}
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
		text := style.Render(short(w.ownHint(), width-column-1))
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
func (w *waiting) ownHint() string {
	q := w.question
	switch {
	case w.plan != nil:
		return w.plan.ownHint()
	case len(q.Options) > 0 && q.MultiSelect:
		return "Other: type what else"
	case len(q.Options) > 0:
		return "Other: type your answer"
	case q.Optional:
		return "type your answer, or leave it empty"
	}
	return "type your answer"
}

// optionAt is the option that Enter takes: with words typed, those.
func (m *Model) optionAt(w *waiting) int {
	if m.drafting() || w.plan.remarked() {
		return len(w.question.Options)
	}
	return w.choice
}

func (m *Model) moveOption(by int) {
	w := m.queue.current()
	if w.plan.remarked() {
		m.say(w.plan.noOption())
		return
	}
	w.choice = max(0, min(w.choice+by, len(w.question.Options)))
	w.warned = false
}

// pick is what a digit does: it answers a question, or toggles one option of
// several (APR-40a).
func (m *Model) pick(i int) tea.Cmd {
	w := m.queue.current()
	q := w.question
	if i > len(q.Options) {
		return nil
	}
	w.choice = i
	switch {
	case i == len(q.Options):
		return nil
	case q.MultiSelect:
		return m.toggle()
	}
	return m.submitChoice()
}

// hasOption reports whether there is a row with the number of option i; a
// question without options takes digits as text.
func (m *Model) hasOption(i int) bool {
	w := m.queue.current()
	switch {
	case w == nil || w.question == nil:
		return false
	case w.lists:
		return i < len(w.group.questions())
	}
	return len(w.question.Options) > 0 && i <= len(w.question.Options)
}

// choosesSeveral reports whether the question shown takes several options.
func (m *Model) choosesSeveral() bool {
	w := m.queue.current()
	return w != nil && w.question != nil && w.question.MultiSelect
}

func (m *Model) takesNotes() bool {
	w := m.queue.current()
	return w != nil && w.question != nil && w.question.Notes
}

func (m *Model) toggle() tea.Cmd {
	w := m.queue.current()
	if w.question.MultiSelect && w.choice < len(w.chosen) {
		w.chosen[w.choice] = !w.chosen[w.choice]
		w.warned = false
	}
	return nil
}

// choices is the answer as it is chosen and typed now.
func (w *waiting) choices() prompts.Answer {
	q, typed := w.question, w.words.value()
	var a prompts.Answer
	switch {
	case q.MultiSelect:
		for i, on := range w.chosen {
			if on {
				a.Selected = append(a.Selected, q.Options[i].Label)
			}
		}
	case typed == "" && w.choice < len(q.Options):
		a.Selected = []string{q.Options[w.choice].Label}
	}
	all := a.Selected
	if typed != "" {
		all = append(all[:len(all):len(all)], typed)
	}
	a.Text = strings.Join(all, ", ")
	a.Note = w.note
	return a
}

// submitChoice answers with what is chosen or typed. A question is shown to its
// end first (BEY-03).
func (m *Model) submitChoice() tea.Cmd {
	w := m.queue.current()
	if w.plan != nil {
		return m.submitPlan(w)
	}
	if w.unseen() > 0 && !w.asked {
		return m.showRest(w)
	}
	a, q := w.choices(), w.question
	switch {
	case a.Text != "" || q.Optional:
	case !q.MultiSelect:
		m.say("type your answer, then Enter")
		return nil
	case !w.warned:
		w.warned = true
		m.say("nothing is chosen: Enter once more answers with nothing")
		return nil
	}
	if wrong := fault(q, a); wrong != "" {
		m.say(wrong)
		return nil
	}
	if w.group != nil {
		return m.keep(w, a)
	}
	return m.reply(w, []prompts.Answer{a}, nil)
}

// showRest shows what was never on the screen, before an answer is taken.
func (m *Model) showRest(w *waiting) tea.Cmd {
	w.asked = true
	w.fresh()
	m.say(fmt.Sprintf("the rest of it: %s not read yet, once more to answer", count(w.unseen(), "line")))
	return nil
}

// reply answers and takes the question, or all of its group, out of the queue.
func (m *Model) reply(w *waiting, answers []prompts.Answer, err error) tea.Cmd {
	m.queue.remove(w)
	m.over = noSheet
	answer := w.answer
	if w.group != nil {
		answer = w.group.answer
	}
	return calling(func() { answer(answers, err) })
}

func (m *Model) decline(w *waiting) tea.Cmd {
	var answers []prompts.Answer
	if w.group != nil {
		answers = w.group.soFar()
	}
	return m.reply(w, answers, prompts.ErrDeclined)
}

// declineShown gives no answer. Where that would drop what was written or
// answered already, it asks once more.
func (m *Model) declineShown() tea.Cmd {
	w := m.queue.current()
	if lost := w.work(); lost != "" && !w.warned {
		w.warned = true
		m.say("Esc once more gives no answer: " + lost)
		return nil
	}
	return m.decline(w)
}

// work says what of the person's work is not sent yet.
func (w *waiting) work() string {
	if w.group != nil {
		n := 0
		for _, p := range w.group.questions() {
			if p.given != nil {
				n++
			}
		}
		if n > 0 {
			return fmt.Sprintf("%d of %s answered", n, count(len(w.group.questions()), "question"))
		}
	}
	if work := w.plan.work(); work != "" {
		return work + " would be lost"
	}
	return ""
}

func (m *Model) openNote() tea.Cmd {
	w := m.queue.current()
	m.over = noteLine
	m.reason.clear()
	m.reason.insert(w.note)
	return nil
}

// keepLine ends the line of a note or of a comment.
func (m *Model) keepLine() tea.Cmd {
	if m.over == commentLine {
		return m.keepComment()
	}
	m.queue.current().note = m.reason.take()
	m.over = noSheet
	return nil
}

// count puts a noun behind a number.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes a number with commas.
func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
