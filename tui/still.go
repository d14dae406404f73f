package tui

import (
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Still is one frame of what is asked, drawn without a terminal: for
// documentation, pictures, and tests of what people see.
type Still struct {
	// Frame is the screen, its rows separated by newlines, in 24-bit colour.
	Frame string
	// Page is which part of the request is on it, from 1, of Pages. Pages
	// don't overlap.
	Page, Pages int
	// Hidden is how many rows come after this page, those that are cut off
	// included.
	Hidden int
}

// StillOptions say how a [Still] is drawn.
type StillOptions struct {
	Width, Height int
	Expanded      bool // everything, full screen
	View          StillView
	Page          int // from 1; 0 means 1, too large means the last
}

// A StillView is what a [Still] shows of a request.
type StillView uint8

const (
	// StillRequest is the request with its answers.
	StillRequest StillView = iota
	// StillSaves is what the answer always would save, before it is saved. A
	// request without that answer is drawn as [StillRequest].
	StillSaves
	// StillWhy is why it is asked.
	StillWhy
)

// Draw draws the frame that the request p gets on an otherwise empty screen,
// as someone sees it who may answer now and has read all of it.
func Draw(o Options, p gate.Prompt, s StillOptions) Still {
	m := newStill(o, s)
	w := &waiting{id: 1, approval: &Approval{ID: 1, Prompt: p}, full: s.Expanded, choice: firstChoice(&p), diffs: m.noted(compute(p.Request.Diff)), ready: true}
	m.queue.add(w)
	m.readAll()
	shown := &w.reader
	switch {
	case m.lay.small:
	case s.View == StillSaves && p.Offers(gate.Always):
		m.over = saveSheet
	case s.View == StillWhy:
		m.showWhy()
		shown = &m.sheet
	}
	return m.still(s, shown)
}

// DrawQuestions draws the first of the questions of one call, such as a plan,
// as Draw draws a request.
func DrawQuestions(o Options, qs []prompts.Question, s StillOptions) Still {
	m := newStill(o, s)
	if len(qs) == 1 {
		m.askQuestion(Question{ID: 1, Question: qs[0]})
	} else {
		m.askGroup(Questions{ID: 1, Questions: qs})
	}
	m.readAll()
	if w := m.queue.current(); w != nil {
		return m.still(s, &w.reader)
	}
	return m.still(s, &reader{})
}

// DrawTasks draws the whole checklist, as Draw draws a request.
func DrawTasks(o Options, list prompts.TodoList, s StillOptions) Still {
	m := newStill(o, s)
	m.tasks = list
	m.showTasks()
	return m.still(s, &m.sheet)
}

func newStill(o Options, s StillOptions) *Model {
	if o.Theme.Ground == GroundAuto {
		o.Theme.Ground = GroundDark
	}
	m := New(o)
	m.width, m.height = s.Width, s.Height
	return m
}

// readAll has what waits read and armed.
func (m *Model) readAll() {
	m.refresh()
	m.arming.armed = true
	if w := m.queue.current(); w != nil {
		w.seen = w.total
	}
}

// still draws the part of what is shown that s asks for.
func (m *Model) still(s StillOptions, shown *reader) Still {
	m.refresh()
	m.arming.armed = true
	still := Still{Page: 1, Pages: 1}
	w := m.queue.current()
	if w != nil && m.lay.small {
		still.Hidden = w.body.n // a notice stands in its place
	} else if shown.height > 0 {
		pages := max(1, (shown.limit+shown.height-1)/shown.height)
		still.Pages = pages + m.turnOptions(s.Page-pages)
		still.Page = min(max(s.Page, 1), still.Pages)
		shown.offset = (min(still.Page, pages) - 1) * shown.height
		still.Hidden = shown.total - shown.end() + m.lay.below
	}
	if cmd := m.coloring(); cmd != nil {
		cmd() // here the colours are waited for
	}
	rows := m.rows()
	for i, r := range rows {
		rows[i] = fit(r, m.width)
	}
	still.Frame = strings.Join(rows, "\n")
	return still
}

// turnOptions moves the highlight of a question so many pages of its options
// on, and returns how many there are.
func (m *Model) turnOptions(by int) (pages int) {
	w := m.queue.current()
	choices := []int{0}
	for ; m.lay.below > 0; m.layOut() {
		w.choice++
		for _, s := range m.lay.spots {
			w.choice = max(w.choice, s.choice)
		}
		choices = append(choices, w.choice)
	}
	if pages = len(choices) - 1; pages > 0 {
		w.choice = choices[min(max(by, 0), pages)]
		m.layOut()
	}
	return pages
}
