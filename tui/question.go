package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// questionBody draws what a question says: its text, the document that it is
// about, and the highlighted option in full.
func questionBody(w *waiting, th *theme, width int) body {
	q := &w.question.Question
	inner := width - margin - 1
	var b body
	if q.Document != "" {
		b.addRows(indent(markdown(q.Document, inner, th), margin)...)
		b.addRows("")
	}
	b.addRows(indent(beside("", 0, wrap(q.Text, inner), th.headline), margin)...)
	if w.choice < len(q.Options) && q.Options[w.choice].Preview != "" {
		b.addRows("")
		rows := wrap(q.Options[w.choice].Preview, inner-2)
		b.addRows(indent(beside2(th.rule.Render("│ "), rows), margin)...)
	}
	b.head = b.n
	return b
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

// optionRows draws the options, the highlighted one among them, in at most
// limit rows.
func (m *Model) optionRows(w *waiting, width, limit int) []string {
	th := &m.theme
	q := &w.question.Question
	var rows []string
	at := 0
	for i := 0; i <= len(q.Options); i++ {
		label, description := "Other: type your answer", ""
		if i < len(q.Options) {
			label, description = q.Options[i].Label, q.Options[i].Description
		}
		if i == m.optionAt(w) {
			at = len(rows)
		}
		rows = append(rows, m.optionCell(w, i, label, description, width)...)
	}
	if len(rows) <= limit {
		return rows
	}
	first := max(0, min(at-limit/2, len(rows)-limit))
	cut := rows[first : first+limit]
	if above := first; above > 0 {
		cut[0] = th.muted.Render(fmt.Sprintf("    ▲ %s more", count(above+1, "row")))
	}
	if below := len(rows) - first - limit; below > 0 {
		cut[limit-1] = th.muted.Render(fmt.Sprintf("    ▼ %s more", count(below+1, "row")))
	}
	return cut
}

func (m *Model) optionCell(w *waiting, i int, label, description string, width int) []string {
	th := &m.theme
	q := &w.question.Question
	mark := fmt.Sprintf("%d ", i+1)
	if i >= 9 {
		mark = "  "
	}
	if q.MultiSelect && i < len(q.Options) {
		box := "○ "
		if w.chosen[i] {
			box = "● "
		}
		mark += box
	}
	lead := "  "
	style := th.text
	switch {
	case i != m.optionAt(w):
	case m.arming.armed:
		lead, style = th.key.Render("▸ "), th.focus
	default:
		lead = th.muted.Render("▸ ")
	}
	if !m.arming.armed {
		style = th.muted
	}
	column := 2 + len([]rune(mark))
	rows := beside(lead+th.key.Render(mark), column, wrap(label, width-column-1), style)
	if description != "" {
		room := width - column - 3
		text := line(description)
		last := len(rows) - 1
		if used := diffview.Width(text) + diffview.Width(line(label)) + column + 2; used < width && last == 0 {
			rows[0] += "  " + th.muted.Render(text)
		} else {
			rows = append(rows, indent(beside("", 0, words(description, room), th.muted), column)...)
		}
	}
	return rows
}

// optionAt is the option that Enter takes: with words typed, those.
func (m *Model) optionAt(w *waiting) int {
	if m.drafting() {
		return len(w.question.Question.Options)
	}
	return w.choice
}

func (m *Model) moveOption(by int) {
	w := m.queue.current()
	w.choice = max(0, min(w.choice+by, len(w.question.Question.Options)))
	w.warned = false
}

// pick is what a digit does: it answers a question, or toggles one option of
// several (APR-40a).
func (m *Model) pick(i int) tea.Cmd {
	w := m.queue.current()
	q := &w.question.Question
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

// choosesSeveral reports whether the question shown takes several options.
func (m *Model) choosesSeveral() bool {
	w := m.queue.current()
	return w != nil && w.question != nil && w.question.Question.MultiSelect
}

func (m *Model) toggle() tea.Cmd {
	w := m.queue.current()
	if w.question.Question.MultiSelect && w.choice < len(w.chosen) {
		w.chosen[w.choice] = !w.chosen[w.choice]
		w.warned = false
	}
	return nil
}

// submitChoice answers with what is chosen or typed. A document is shown to
// its end first (BEY-03).
func (m *Model) submitChoice() tea.Cmd {
	w := m.queue.current()
	q := &w.question.Question
	typed := w.words.value()
	if q.Document != "" && typed == "" && w.unseen() > 0 && !w.asked {
		w.asked = true
		w.fresh()
		m.say(fmt.Sprintf("the rest of it: %s not read yet, once more to answer", count(w.unseen(), "line")))
		return nil
	}
	var a prompts.Answer
	switch {
	case q.MultiSelect:
		for i, on := range w.chosen {
			if on {
				a.Selected = append(a.Selected, q.Options[i].Label)
			}
		}
		if len(a.Selected) == 0 && typed == "" && !w.warned {
			w.warned = true
			m.say("nothing is chosen: Enter once more answers with nothing")
			return nil
		}
	case typed == "" && w.choice >= len(q.Options):
		m.say("type your answer, then Enter")
		return nil
	case typed == "":
		a.Selected = []string{q.Options[w.choice].Label}
	}
	all := a.Selected
	if typed != "" {
		all = append(all[:len(all):len(all)], typed)
	}
	a.Text = strings.Join(all, ", ")
	return m.reply(w, a, nil)
}

// reply answers one question and takes it out of the queue.
func (m *Model) reply(w *waiting, a prompts.Answer, err error) tea.Cmd {
	m.queue.remove(w)
	m.over = noSheet
	return calling(func() { w.question.Answer(a, err) })
}

func (m *Model) decline(w *waiting) tea.Cmd { return m.reply(w, prompts.Answer{}, prompts.ErrDeclined) }

func (m *Model) declineShown() tea.Cmd { return m.decline(m.queue.current()) }

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
