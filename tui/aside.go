package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// What somebody types to the agent when something is asked stays the next
// prompt. As long as they go on without a pause, keys write and send it as if
// nothing waited. After a pause, when what is asked takes answers, it is set
// aside, and comes back when nothing waits.

// goesOn reports whether what is typed is still the next prompt although
// something is asked: nobody has had the time to look at it. The desk has no
// agent to send a prompt to.
func (m *Model) goesOn() bool {
	w := m.queue.current()
	return w != nil && m.alone() && m.over == noSheet && m.rules == nil && !m.aside && !w.met
}

// meet notes that what is shown takes answers from now on: it was on the screen
// while nothing was typed. Pages of one call are met together.
func (m *Model) meet() {
	w := m.queue.current()
	switch s := m.screen(); {
	case s == homeScreen:
		m.aside = false
	case w == nil, w.met, m.rules != nil, s == sheetScreen, s == smallScreen:
	default:
		w.pushed = m.goesOn() && !m.composer.empty()
		m.aside = m.aside || w.pushed
		w.met = true
		if w.group != nil {
			for _, page := range w.group.pages {
				page.met = true
			}
		}
	}
}

// mistaken reports whether Enter may be meant for the prompt that was set aside
// just now: it answers nothing before an answer was chosen.
func (m *Model) mistaken(w *waiting) bool {
	if !m.pushedAside(w) {
		return false
	}
	m.say(m.tr("your prompt is kept for later; an arrow key chooses an answer"))
	return true
}

// pushedAside reports whether w has set a prompt aside, and no key has chosen or
// written an answer since.
func (m *Model) pushedAside(w *waiting) bool { return w.pushed && !m.drafting() }

// takesEnter reports whether Enter answers the question that is shown.
func (m *Model) takesEnter() bool { return m.laidAll() && !m.pushedAside(m.queue.current()) }

// salvage keeps what was written about w, which is no longer asked.
func (m *Model) salvage(w *waiting) {
	text := w.words.take()
	switch {
	case text == "":
	case !m.alone():
		m.transcript.add(entry{kind: noticeEntry, text: m.fact(m.tr("Not sent"), text)})
	default:
		if draft := m.composer.take(); draft != "" {
			text = draft + "\n\n" + text
		}
		m.composer.insert(text)
	}
}

// layOutAside gives the next prompt a row of its own under what is asked. On a
// small screen that takes no row of what is asked.
func (m *Model) layOutAside(l *layout, w *waiting) {
	if !m.keepsPrompt() {
		return
	}
	row, x := m.asideRow()
	switch {
	case l.roomy:
		l.bottom = append(l.bottom, row)
		l.aside = 1 + len(l.input)
	case w.question == nil && w.words.empty():
		l.bottom, l.input, l.inBottom = append(l.bottom, row), nil, true
		l.aside, l.noCursor = 1, true
	case w.question != nil && m.goesOn():
		l.bottom[len(l.bottom)-1] = row
		l.aside = 1
	}
	if m.goesOn() {
		l.asideX = x
	} else {
		l.aside = 0
	}
}

// keepsPrompt reports whether a prompt was begun before what is asked.
func (m *Model) keepsPrompt() bool {
	return m.queue.current() != nil && m.alone() && m.over == noSheet && !m.composer.empty()
}

// shownLine is the line at the bottom. The next prompt has a row of its own while
// something is asked.
func (m *Model) shownLine() *composer {
	if m.goesOn() {
		return &m.queue.current().words
	}
	return m.field()
}

// asideRow draws the next prompt in one row, and says where in it the cursor is
// while it is being written.
func (m *Model) asideRow() (row string, x int) {
	th := &m.theme
	if !m.goesOn() {
		text := strings.Join(strings.Fields(m.composer.value()), " ")
		return "  " + th.muted.Render(short(m.tr("kept for later: %s", text), m.width-3)), 0
	}
	lead := " " + m.tr("next prompt") + " › "
	if diffview.Width(lead) > m.width/2 {
		lead = " › "
	}
	from := diffview.Width(lead)
	rows, x, _ := m.composer.rows(max(2, m.width-from), 1)
	return th.muted.Render(lead) + th.text.Render(rows[0]), from + x
}
