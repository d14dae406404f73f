package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

func newQuestion(id uint64, q prompts.Question) *waiting {
	w := &waiting{id: id, question: &q, ready: true, chosen: make([]bool, len(q.Options))}
	if q.Document != "" {
		w.plan = newPlanReview(&q)
	}
	return w
}

// questionBody draws what a question says, the preview of the highlighted
// option where it doesn't stand beside it, and options that are long. It is as
// high for every option, so that nothing jumps.
func (m *Model) questionBody(w *waiting) body {
	th, inner := &m.theme, m.width-margin-1
	var b body
	if w.group != nil {
		b.addRows(indent([]string{w.group.tabs(w.index, inner, th), ""}, margin)...)
	}
	b.add(lazily(m.laidOut(w, questionPiece, 0, inner), func(rows []string) []string { return beside("", 0, rows, th.headline) }).indent(margin))
	if most := m.previewHeight(w, inner); most > 0 && !m.asideFits(w) {
		b.addRows("")
		b.add(m.previewBlock(w, inner, most).indent(margin))
	}
	b.include(m.longOptions(w, inner), margin)
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

func questionTitle(q *prompts.Question, t *wording) string {
	title := q.Header
	if q.Document != "" {
		title = t.known(title) // it is ours
	}
	if title == "" {
		title = t.tr("question")
		if q.Document != "" {
			title = t.tr("plan")
		}
	}
	if q.Of > 1 {
		title += " · " + t.tr("%d of %d", q.Position, q.Of)
	}
	return title
}

func (m *Model) moveOption(by int) {
	w := m.queue.current()
	if w.plan.remarked() {
		m.say(w.plan.noOption(&m.wording))
		return
	}
	if w.pushed {
		w.pushed = false // now the highlight shows
		return
	}
	w.choice = max(0, min(w.choice+by, w.lastChoice()))
}

// pick is what a digit does: it answers a question, or toggles one option of
// several (APR-40a).
func (m *Model) pick(i int) tea.Cmd {
	w := m.queue.current()
	q := w.question
	if i > w.lastChoice() {
		return nil
	}
	w.choice, w.pushed = i, false
	switch {
	case i == len(q.Options) && q.TakesWords():
		return nil
	case q.MultiSelect:
		return m.toggle()
	}
	return m.submitChoice()
}

// hasOption reports whether a digit means option i. A question without options
// takes digits as text, and so does the place for the person's own words, but
// for the digit of that place.
func (m *Model) hasOption(i int) bool {
	w := m.queue.current()
	switch {
	case w == nil || w.question == nil:
		return false
	case w.lists:
		return i < len(w.group.questions())
	}
	return len(w.question.Options) > 0 && i <= w.lastChoice() && (!w.onOwn() || i == len(w.question.Options))
}

// onOwn reports whether the place for the person's own words is highlighted: a
// digit is one of them there.
func (w *waiting) onOwn() bool {
	return w.choice == len(w.question.Options) && w.ownWords()
}

// ownWords reports whether the entry after the options takes words.
func (w *waiting) ownWords() bool { return w.plan != nil || w.question.TakesWords() }

// onlyChooses reports whether the digit of option i answers nothing: it toggles
// one of several, or highlights the place for the person's own words.
func (m *Model) onlyChooses(i int) bool {
	w := m.queue.current()
	own := len(w.question.Options)
	return !w.lists && (i < own && w.question.MultiSelect || i == own && w.ownWords())
}

// lastChoice is the index of the last entry of the list. After the options
// stands one for the person's own words, or for no answer, where there may be.
func (w *waiting) lastChoice() int {
	last := len(w.question.Options)
	if q := w.question; !q.TakesWords() && !q.MayBeLeft() && w.plan == nil {
		last--
	}
	return last
}

// takesWords reports whether what is typed can be an answer to what is shown.
func (m *Model) takesWords() bool {
	w := m.queue.current()
	return m.screen() != questionScreen || m.goesOn() || w.question.TakesWords()
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
		w.pushed = false
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

// enterChoice is Enter.
func (m *Model) enterChoice() tea.Cmd {
	if m.mistaken(m.queue.current()) {
		return nil
	}
	return m.submitChoice()
}

// submitChoice answers with what is chosen or typed. A question is shown to its
// end first (BEY-03).
func (m *Model) submitChoice() tea.Cmd {
	w := m.queue.current()
	if w.plan != nil {
		return m.submitPlan(w)
	}
	if !w.refusing() && m.waitsForText(w) {
		return nil
	}
	if w.unseen() > 0 && !w.asked && !w.refusing() {
		return m.showRest(w)
	}
	a, q := w.choices(), w.question
	switch {
	case a.Text != "":
	case q.MultiSelect && w.warned != "enter":
		// Whoever takes the marked option for a chosen one would answer with
		// nothing, also where nothing may be answered.
		w.warned = "enter"
		m.say(m.tr("nothing chosen: Enter again answers so"))
		return nil
	case !q.MultiSelect && !q.Optional:
		m.say(m.tr("type your answer, then Enter"))
		return nil
	}
	if wrong := q.Fault(a); wrong != "" {
		m.say(m.known(wrong))
		return nil
	}
	if w.group != nil {
		return m.keep(w, a)
	}
	return m.reply(w, []prompts.Answer{a}, nil)
}

// waitsForText reports whether rows of w are still being made, and says so:
// nobody has read them.
func (m *Model) waitsForText(w *waiting) bool {
	if w.laying() {
		m.say(m.tr("not all of it is on the screen yet"))
	}
	return w.laying()
}

// refusing reports whether what is chosen allows nothing, or is no answer: it
// needs no reading.
func (w *waiting) refusing() bool {
	q := w.question
	switch {
	case w.words.value() != "" || q.MultiSelect:
		return false
	case w.choice == len(q.Options):
		return w.plan == nil && q.MayBeLeft()
	}
	return w.choice == q.Refusal-1
}

// showRest shows what was never on the screen, before an answer is taken.
func (m *Model) showRest(w *waiting) tea.Cmd {
	w.asked = true
	w.fresh()
	m.say(m.n(w.unseen(), "the rest of it: %s line not read yet, once more to answer", "the rest of it: %s lines not read yet, once more to answer"))
	return nil
}

// reply answers and takes the question, or all of its group, out of the queue.
func (m *Model) reply(w *waiting, answers []prompts.Answer, err error) tea.Cmd {
	m.queue.remove(w)
	m.over = noSheet
	answer, pages := w.answer, []*waiting{w}
	if w.group != nil {
		answer, pages = w.group.answer, w.group.questions()
	}
	return replying(answer, pages, answers, err)
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
	if lost := w.work(&m.wording); lost != "" && w.warned != "esc" {
		w.warned = "esc"
		m.say(m.tr("Esc once more gives no answer: %s", lost))
		return nil
	}
	if m.closed && w.warned != "esc" {
		w.warned = "esc"
		m.say(m.tr("%s again gives no answer", keyName("esc")))
		return nil
	}
	return m.decline(w)
}

// work says what of the person's work is not sent yet.
func (w *waiting) work(t *wording) string {
	if w.group != nil {
		n := 0
		for _, p := range w.group.questions() {
			if p.given != nil {
				n++
			}
		}
		if n > 0 {
			return t.n(len(w.group.questions()), "%[2]d of %[1]s question answered", "%[2]d of %[1]s questions answered", n)
		}
	}
	if work := w.plan.work(t); work != "" {
		return t.tr("%s would be lost", work)
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
