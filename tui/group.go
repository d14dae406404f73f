package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Questions is a message for [Model.Update] that puts the questions of one
// call into the queue as one entry with pages; nothing is sent before the page
// that lists the answers (APR-40a).
type Questions struct {
	ID        uint64
	From      *Client // as that of [Approval]
	Questions []prompts.Question
	// Answer is called as that of [Question]. With an error it gets the
	// answers to the first questions, up to the one that has none.
	Answer func([]prompts.Answer, error)
}

// group is several questions of one call. Each page is a question of its own;
// the last lists the answers. The queue holds the page that is shown.
type group struct {
	pages    []*waiting
	at       int
	reviewed bool // the list was shown: after a change it is next again
	version  int  // counts the changes of what was answered
	answer   func([]prompts.Answer, error)
}

func newGroup(msg Questions) *group {
	g := &group{answer: msg.Answer}
	for _, q := range msg.Questions {
		g.pages = append(g.pages, newQuestion(msg.ID, q))
	}
	list := newQuestion(msg.ID, prompts.Question{Agent: msg.Questions[0].Agent})
	list.lists = true
	g.pages = append(g.pages, list)
	for i, p := range g.pages {
		p.group, p.index, p.from = g, i, msg.From
	}
	return g
}

// askQuestion and askGroup put questions into the queue.
func (m *Model) askQuestion(msg Question) tea.Cmd {
	w := newQuestion(msg.ID, msg.Question)
	w.from = msg.From
	w.answer = func(answers []prompts.Answer, err error) {
		if len(answers) == 0 {
			answers = []prompts.Answer{{}}
		}
		msg.Answer(answers[0], err)
	}
	m.queue.add(w)
	if w.plan == nil || w.question.Before == "" {
		return nil
	}
	w.ready = false
	return diffing(msg.ID, 0, planChange(w))
}

func (m *Model) askGroup(msg Questions) {
	if len(msg.Questions) > 0 {
		m.queue.add(newGroup(msg).pages[0])
	}
}

// questions are the pages without the list.
func (g *group) questions() []*waiting { return g.pages[:len(g.pages)-1] }

// settled reports whether the page may be sent as it is.
func (w *waiting) settled() bool {
	q := w.question
	return w.given != nil || q.Optional && q.Fault(prompts.Answer{}) == ""
}

// soFar are the answers up to the first question without one.
func (g *group) soFar() []prompts.Answer {
	var answers []prompts.Answer
	for _, p := range g.questions() {
		if p.given == nil {
			break
		}
		answers = append(answers, *p.given)
	}
	return answers
}

// all are the answers to all questions; those left out are empty.
func (g *group) all() []prompts.Answer {
	answers := make([]prompts.Answer, len(g.questions()))
	for i, p := range g.questions() {
		if p.given != nil {
			answers[i] = *p.given
		}
	}
	return answers
}

// give notes what was answered on the page w, or that nothing is.
func (g *group) give(w *waiting, a *prompts.Answer) {
	w.given = a
	g.version++
}

// turnTo shows another page.
func (m *Model) turnTo(g *group, page int) {
	page = max(0, min(page, len(g.pages)-1))
	old := g.pages[g.at]
	g.at = page
	g.reviewed = g.reviewed || g.pages[page].lists
	g.pages[page].warned = ""
	m.queue.swap(old, g.pages[page])
}

// turn goes to the page before or after. What is chosen among several goes
// with it: the list shows what the page shows.
func (m *Model) turnPage(by int) {
	w := m.queue.current()
	if w.group == nil {
		return
	}
	if w.question.MultiSelect {
		a := w.choices()
		given := &a
		if len(a.Selected) == 0 || w.question.Fault(a) != "" {
			given = nil
		}
		w.group.give(w, given)
	}
	m.turnTo(w.group, w.group.at+by)
}

// keep notes the answer to a page and shows the next one without an answer, or
// the list.
func (m *Model) keep(w *waiting, a prompts.Answer) tea.Cmd {
	g := w.group
	g.give(w, &a)
	next := len(g.pages) - 1
	if !g.reviewed {
		if i := slices.IndexFunc(g.questions()[g.at+1:], func(p *waiting) bool { return p.given == nil }); i >= 0 {
			next = g.at + 1 + i
		}
	}
	m.turnTo(g, next)
	return nil
}

// sendGroup sends all answers, or goes to the first question that needs one.
func (m *Model) sendGroup() tea.Cmd {
	w := m.queue.current()
	g := w.group
	if w.unseen() > 0 && !w.asked {
		return m.showRest(w)
	}
	open := slices.IndexFunc(g.questions(), func(p *waiting) bool { return !p.settled() })
	if open >= 0 {
		m.turnTo(g, open)
		m.say(m.tr("this question has no answer yet"))
		return nil
	}
	return m.reply(w, g.all(), nil)
}

// toPage is a digit on the list: it goes back to a question.
func (m *Model) toPage(i int) tea.Cmd {
	m.turnTo(m.queue.current().group, i)
	return nil
}

func (m *Model) inGroup() bool {
	w := m.queue.current()
	return w != nil && w.group != nil
}

// asksOne reports whether what is asked is no page of several.
func (m *Model) asksOne() bool { return !m.inGroup() }

func (m *Model) hasNextPage() bool {
	return m.inGroup() && !m.queue.current().lists
}

func (m *Model) hasPageBefore() bool {
	return m.inGroup() && m.queue.current().index > 0
}

// tabs is the row that shows how far one is: each page with its mark, by name
// where there is room.
func (g *group) tabs(shown int, width int, th *theme) string {
	named, bare := "", ""
	for i, p := range g.pages {
		mark, style := "○", th.muted
		if p.given != nil {
			mark, style = "✓", th.good
		}
		name := p.question.Header
		switch {
		case p.lists:
			mark, name = "⏎", th.tr("send")
		case name == "":
			name = fmt.Sprint(i + 1)
		}
		if i == shown {
			mark, style = "▸", th.key
		}
		named += style.Render(mark+" "+short(name, 14)) + "   "
		bare += style.Render(mark) + " "
	}
	if rowWidth(named) <= width {
		return named
	}
	return fit(bare, width)
}

// listBody draws the answers before they are sent.
func listBody(g *group, th *theme, width int) body {
	var b body
	inner := width - margin - 1
	b.addRows(indent([]string{g.tabs(len(g.pages)-1, inner, th), ""}, margin)...)
	for i, p := range g.questions() {
		q := p.question
		number := th.key.Render(fmt.Sprintf("%d ", i+1))
		b.addRows(strings.Repeat(" ", margin) + pad(number, 3) + th.muted.Render(short(strings.Join(strings.Fields(q.Text), " "), inner-3)))
		said, style := th.tr("no answer yet"), th.warn
		switch {
		case p.given != nil && p.givenText(&th.wording) == "":
			said, style = th.tr("nothing of these"), th.text
		case p.given != nil:
			said, style = p.givenText(&th.wording), th.strong
		case p.settled():
			said, style = th.tr("left out"), th.muted
		}
		b.addRows(indent(beside("", 3, wrap(said, inner-3), style), margin)...)
		if p.given != nil && p.given.Note != "" {
			b.addRows(indent(beside(th.muted.Render(th.tr("note")), 1+diffview.Width(th.tr("note")), wrap(p.given.Note, inner-8), th.text), margin+3)...)
		}
	}
	return b
}

// givenText is what was answered on the page w, with what goes with it for a
// document.
func (w *waiting) givenText(t *wording) string {
	text := answerText(*w.given)
	if w.plan == nil {
		return text
	}
	var all []string
	if text != "" {
		all = append(all, t.known(text)) // its options are ours
	}
	if n := len(w.given.Comments); n > 0 {
		all = append(all, t.n(n, "your %s comment", "your %s comments"))
	}
	if w.given.Document != "" {
		all = append(all, t.tr("your changes to the plan"))
	}
	return t.list(all)
}

func answerText(a prompts.Answer) string {
	if a.Text != "" {
		return a.Text
	}
	return strings.Join(a.Selected, ", ")
}
