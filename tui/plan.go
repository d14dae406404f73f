package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// planReview is what the person does about a plan, or another document, before
// the answer (APR-41, BEY-10). A nil one is a question without a document.
type planReview struct {
	shown    string // as the agent handed it in
	text     string // as the person has rewritten it
	editable bool   // the asker carries out what was rewritten

	cursor   int // a source line, from 1
	comments []prompts.Comment
	changes  bool   // what is shown are the changes since the last revision
	other    reader // the window on the view that isn't shown
	width    int    // of the screen when that view was left

	version int // counts what the drawn rows depend on
	// What was drawn last: the source line of each row (0 for rows of ours),
	// and the headings.
	lines    []int
	headings []heading

	doc    document
	coming docKey // the one that is being laid out

	looked string // the text in which headings were looked for
	many   bool   // and that it has several
}

type heading struct {
	row, line, level int
	text             string // escaped
}

func newPlanReview(q *prompts.Question) *planReview {
	return &planReview{shown: q.Document, text: q.Document, editable: q.Editable, cursor: 1}
}

func (p *planReview) rewritten() bool { return p != nil && p.text != p.shown }

// remarked reports whether there is something to send back with the plan: no
// option is then taken, so that none of it gets lost.
func (p *planReview) remarked() bool {
	return p != nil && (len(p.comments) > 0 || p.rewritten() && !p.editable)
}

// work says what of the person's is not sent yet.
func (p *planReview) work(t *wording) string {
	switch {
	case p == nil:
		return ""
	case len(p.comments) > 0:
		return t.n(len(p.comments), "your %s comment", "your %s comments")
	case p.rewritten():
		return t.tr("your changes to the plan")
	}
	return ""
}

// noOption says why no option can be chosen.
func (p *planReview) noOption(t *wording) string {
	return t.tr("Enter sends %s as feedback; take that back to choose an option", p.work(t))
}

func (p *planReview) ownHint(t *wording) string {
	var parts []string
	if n := len(p.comments); n > 0 {
		parts = append(parts, t.n(n, "%s comment", "%s comments"))
	}
	if p.rewritten() {
		parts = append(parts, t.tr("your changes"))
	}
	if len(parts) == 0 {
		return t.tr("Type what to change")
	}
	return t.tr("Send %s as feedback, or type more", strings.Join(parts, t.tr(" and ")))
}

// option is o as it is shown. The options of a plan are ours (APR-41), all
// others the agent's.
func (m *Model) option(q *prompts.Question, o prompts.Option) prompts.Option {
	if q.Document != "" {
		o.Label, o.Description = m.known(o.Label), m.known(o.Description)
	}
	return o
}

// measure is the widest that prose is easy to read in.
const measure = 110

// planBody draws the document with the comments under their lines, or what has
// changed since the last revision.
func (m *Model) planBody(w *waiting) body {
	p, th := w.plan, &m.theme
	width := m.width - m.contentsWidth(w)
	inner := width - margin - 1
	if p.changes {
		return changesBody(w, th, inner)
	}
	inner = min(inner, measure)
	var b body
	p.lines, p.headings = nil, nil
	put := func(rows ...string) { // rows of ours stand for no line of the plan
		for range rows {
			p.lines = append(p.lines, 0)
		}
		b.addRows(indent(rows, margin)...)
	}
	doc := m.document(w, inner)
	next, from := 0, 0
	for at := 0; at <= len(doc.rows); at++ {
		for next < len(p.comments) && at > 0 && (at == len(doc.rows) || doc.rows[at].line > p.comments[next].Line) {
			// A comment stands under the last row of its line.
			b.add(doc.block(from, at))
			from = at
			put(beside(th.warn.Render("  ✎"), 4, paragraphs(p.comments[next].Text, inner-4), th.warn)...)
			next++
		}
		if at == len(doc.rows) {
			break
		}
		if r := doc.rows[at]; r.level > 0 {
			p.headings = append(p.headings, heading{len(p.lines), r.line, r.level, r.title})
		}
		p.lines = append(p.lines, doc.rows[at].line)
	}
	b.add(doc.block(from, len(doc.rows)))
	put("")
	put(paragraphs(m.known(w.question.Text), inner)...)
	options := m.longOptions(w, inner)
	put(options.rows(0, options.n)...)
	b.head = b.n
	return b
}

func changesBody(w *waiting, th *theme, inner int) body {
	var b body
	if !w.ready {
		b.addRows(indent([]string{th.muted.Render(th.tr("the changes are being compared …"))}, margin)...)
	}
	for _, d := range w.diffs {
		o := diffview.RenderOptions{Width: inner, Style: th.diff, Wrap: true, Unchanged: th.unchanged}
		if d.Len(o) == 0 {
			b.addRows(indent([]string{th.muted.Render(th.tr("nothing has changed since the revision that you saw last"))}, margin)...)
		}
		rows := hunkRows(d, o)
		for h := range d.Hunks {
			b.hunks = append(b.hunks, b.n+rows[h])
			b.of = append(b.of, diffPart{d, o, rows[h], rows[h+1]})
		}
		b.add(block{n: d.Len(o), draw: func(from, to int) []string { return indent(d.Slice(o, from, to), margin) }})
	}
	b.head = b.n
	return b
}

// planChange is the change since the revision that the person saw last.
func planChange(w *waiting) []gate.Change {
	return []gate.Change{{Path: "plan.md", Before: []byte(w.question.Before), After: []byte(w.question.Document)}}
}

// hasChanges reports whether there is an earlier revision to compare with. A
// document among several questions is shown without.
func (m *Model) hasChanges() bool {
	w := m.queue.current()
	return w != nil && w.plan != nil && w.question.Before != "" && w.group == nil
}

// mayAnswerPlan reports whether Enter answers: what is sent back doesn't wait for
// all of a long plan.
func (m *Model) mayAnswerPlan() bool {
	w := m.queue.current()
	return !m.pushedAside(w) && (!w.laying() || w.plan.remarked() || m.drafting())
}

// showsPlan reports whether the plan itself is shown, and not what has changed.
func (m *Model) showsPlan() bool { return !m.queue.current().plan.changes }

// showsHeadings reports whether the plan is shown, with headings to go through.
func (m *Model) showsHeadings() bool { return m.showsPlan() && m.queue.current().plan.several() }

// toggleChanges shows what has changed since the last revision, and back. Each
// view keeps its place and what of it was read.
func (m *Model) toggleChanges() tea.Cmd {
	w := m.queue.current()
	p := w.plan
	p.changes = !p.changes
	p.version++
	w.reader, p.other = p.other, w.reader
	w.broken, p.width = p.width != m.width, m.width
	return nil
}

// unreadPlan is how much of the document was never on the screen, whatever is
// shown now.
func (w *waiting) unreadPlan() int {
	if w.plan.changes {
		return w.plan.other.unseen()
	}
	return w.unseen()
}

// submitPlan answers with the highlighted option, or sends back what the
// person has to say. Only the first needs the document to have been read.
func (m *Model) submitPlan(w *waiting) tea.Cmd {
	p, typed := w.plan, w.words.value()
	own := w.choice >= len(w.question.Options)
	if typed == "" && !p.remarked() && own {
		m.say(m.tr("type what to change, then Enter"))
		return nil
	}
	if means, ok := m.answerWord(typed); ok {
		m.wordAlone(w, typed, means)
		return nil
	}
	if typed != "" || p.remarked() {
		return m.sendPlan(w, prompts.Answer{Text: typed, Comments: p.comments})
	}
	if !w.refusing() && m.waitsForText(w) {
		return nil
	}
	if w.unreadPlan() > 0 && !w.asked && !w.refusing() {
		if p.changes {
			m.toggleChanges()
			m.layOut()
		}
		return m.showRest(w)
	}
	return m.sendPlan(w, w.choices())
}

// wordAlone says that a word which answers elsewhere is no feedback, and
// highlights what it seems to mean. Only the next key takes that.
func (m *Model) wordAlone(w *waiting, typed string, means meaning) {
	w.words.clear()
	if w.plan.remarked() {
		m.say(w.plan.noOption(&m.wording))
		return
	}
	refusal := w.question.Refusal - 1
	switch {
	case means == meansYes && refusal != 0 && len(w.question.Options) > 0:
		w.choice = 0
	case means == meansNo && refusal >= 0:
		w.choice = refusal
	}
	m.say(m.tr("“%s” alone is no feedback: choose an option", line(typed)))
}

// pickPlan is a digit. With remarks an option isn't taken, so that none gets
// lost.
func (m *Model) pickPlan(i int) tea.Cmd {
	w := m.queue.current()
	if w.plan.remarked() && i < len(w.question.Options) {
		m.say(w.plan.noOption(&m.wording))
		return nil
	}
	return m.pick(i)
}

// sendPlan answers with a and what the person has made of the document.
func (m *Model) sendPlan(w *waiting, a prompts.Answer) tea.Cmd {
	if w.plan.rewritten() {
		a.Document = w.plan.text
	}
	if w.group != nil {
		return m.keep(w, a)
	}
	return m.reply(w, []prompts.Answer{a}, nil)
}

// unified is a diff as text for the agent.
func unified(d *diffview.Diff) string {
	var b strings.Builder
	for _, h := range d.Hunks {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines() {
			fmt.Fprintf(&b, "%s%s\n", l.Op, l.Text)
		}
	}
	return b.String()
}

func (m *Model) openEditor() tea.Cmd {
	w := m.queue.current()
	return editingPlan(m.opts, w.id, w.plan.text)
}

// edited takes the document back from the editor. Comments stay on the lines
// that they quote.
func (m *Model) edited(msg editedMsg) {
	m.tookBack() // keys may have been meant for the editor
	w := m.queue.find(msg.id)
	if w == nil || w.plan == nil {
		return // withdrawn meanwhile
	}
	p := w.plan
	switch {
	case msg.err != nil:
		m.say(m.tr("the editor failed, the plan is as it was: %v", msg.err))
		return
	case strings.TrimSpace(msg.text) == "":
		m.say(m.tr("the plan came back empty: it is as it was"))
		return
	}
	p.text = msg.text
	if p.sameText() {
		p.text = p.shown // an editor may end the last line
	}
	p.changes = false
	p.version++
	w.broken = true
	p.moveComments()
}

func (p *planReview) sameText() bool {
	return strings.TrimRight(p.text, "\n") == strings.TrimRight(p.shown, "\n")
}

// moveLine moves the cursor to the next source line that is drawn, and the
// window with it.
func (m *Model) moveLine(by int) {
	w := m.queue.current()
	p := w.plan
	if p.changes {
		w.scroll(by)
		return
	}
	at, source := p.row(p.cursor), sourceLines(p.text)
	for i := at + by; i >= 0 && i < len(p.lines); i += by {
		if p.lines[i] != p.cursor && w.body.n > 0 && says(source, p.lines[i]) {
			p.cursor = p.lines[i]
			break
		}
	}
	w.reveal(p.row(p.cursor))
}

// says reports whether there is something on a line of the source that a comment
// could be about.
func says(source []string, line int) bool {
	return line > 0 && line <= len(source) && strings.TrimSpace(source[line-1]) != ""
}

// row is the first row of a source line.
func (p *planReview) row(line int) int {
	for i, l := range p.lines {
		if l >= line {
			return i
		}
	}
	return max(0, len(p.lines)-1)
}

// reveal scrolls as little as shows a row.
func (r *reader) reveal(row int) {
	switch {
	case row < r.offset:
		r.scroll(row - r.offset)
	case row >= r.end():
		r.scroll(row - r.end() + 1)
	}
}

// follow keeps the cursor on the screen after the window has moved.
func (w *waiting) follow() {
	p := w.plan
	if p == nil || p.changes || len(p.lines) == 0 {
		return
	}
	row := p.row(p.cursor)
	to := max(w.offset, min(row, w.end()-1))
	if to == row {
		return
	}
	source := sourceLines(p.text)
	for i := to; i < min(w.end(), len(p.lines)); i++ {
		if says(source, p.lines[i]) {
			p.cursor = p.lines[i]
			return
		}
	}
	for i := min(to, len(p.lines)-1); i >= w.offset; i-- {
		if says(source, p.lines[i]) {
			p.cursor = p.lines[i]
			return
		}
	}
}

// jumpHeading goes to the next heading, or to the one before.
func (m *Model) jumpHeading(by int) {
	w := m.queue.current()
	p := w.plan
	if p.changes {
		m.jump(by)
		return
	}
	to := -1
	for i, h := range p.headings {
		if by > 0 && h.line > p.cursor && to < 0 || by < 0 && h.line < p.cursor {
			to = i
		}
	}
	if to < 0 {
		m.say(m.tr("no more headings that way"))
		return
	}
	p.cursor = p.headings[to].line
	w.scroll(p.headings[to].row - w.offset)
}
