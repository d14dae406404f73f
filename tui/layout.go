package tui

import (
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// The smallest terminal on which requests can be answered.
const (
	minWidth  = 30
	minHeight = 8
	// roomyFrom is the height from which parts have space between them.
	roomyFrom = 14
)

// layout is how the rows of the screen are shared out. It is computed after
// each message, so that drawing only reads.
type layout struct {
	small      bool // too small for a request with its answers
	roomy      bool // there is space for rules between the parts
	whole      bool // what waits takes the place of the transcript
	airy       bool // and for one above the answers
	fold       bool // the checklist takes one row
	trust      bool // a row says that a project's settings wait for trust
	reminds    bool // and one what was not done
	side       bool // the checklist stands beside the transcript
	transcript int  // rows
	panel      int  // rows of the request's body
	panelTop   int  // the row in which its title stands
	bottom     []string
	spots      []spot // where the choices among them can be clicked
	input      []string
	x, y       int // the cursor in input, or in bottom
	inBottom   bool
	noCursor   bool
	aside      int  // the row of the next prompt from below, while it is written; 0 is nowhere
	asideX     int  // the cursor in it
	below      int  // rows of options that are under those shown
	list       bool // a row says what else waits
	contents   bool // a plan's headings stand beside it
}

func (m *Model) layOut() {
	l := layout{roomy: m.height >= roomyFrom, airy: m.height >= 30}
	if m.width <= 0 || m.height <= 0 {
		l.small = true
		m.lay = l
		return
	}
	if m.rules != nil {
		m.layOutRules(&l)
		m.lay = l
		m.layOutSheet()
		return
	}
	w := m.queue.current()
	l.whole = w != nil && (w.full || w.plan != nil)
	tasks := !m.hideTasks && m.tasks.Total > 0
	l.side = tasks && m.width >= tasksFrom
	l.fold = tasks && !l.side && l.roomy && !l.whole
	l.input, l.x, l.y = m.shownLine().rows(max(2, m.width-m.promptWidth()), max(1, min(6, m.height/4)))

	top := 1
	if l.roomy && !l.whole {
		top++
	}
	if l.fold {
		top++
	}
	if w == nil {
		l.transcript = max(0, m.height-top-len(l.input)-1)
		if l.roomy {
			l.transcript--
		}
		if l.trust = m.untrusted > 0 && l.transcript > 0; l.trust {
			l.transcript--
		}
		if l.reminds = m.reminder.text != "" && l.transcript > 0; l.reminds {
			l.transcript--
		}
	} else {
		m.layOutPanel(&l, w, top)
	}
	width := m.width
	if l.side {
		width -= tasksWidth
	}
	m.transcript.draw(width, &m.theme)
	m.transcript.scroll(0, l.transcript)
	m.lay = l
	m.layOutSheet()
}

// layOutPanel gives a request as many rows as it needs, and leaves the
// transcript a few where there are enough.
func (m *Model) layOutPanel(l *layout, w *waiting, top int) {
	laying := w.laying()
	hints := m.optionRoom(w, top)
	m.build(w)
	if w.laying() != laying { // other keys hold now
		hints = m.optionRoom(w, top)
		m.build(w)
	}
	limit := w.reach(m.opts.diffLines())
	switch {
	case m.over == saveSheet:
		l.input = nil
		l.bottom = m.saveRows(w, m.width)
	case m.over == noteLine:
		// What the note stands beside stays to be seen.
		hints := flow(m.hintCells(), 1, m.width)
		list := m.options(w, max(2, min(m.optionLimit(), m.height-top-len(hints)-len(l.input)-4)))
		l.bottom = slices.Concat(list.rows, hints)
	case m.over.line():
		l.bottom = flow(m.hintCells(), 1, m.width)
	case w.question != nil:
		l.input, l.inBottom = nil, true
		if w.lists {
			l.noCursor, l.bottom = true, hints
			break
		}
		list := m.options(w, w.room)
		l.bottom = slices.Concat(list.rows, hints)
		for y, option := range list.of {
			if option >= 0 {
				l.spots = append(l.spots, spot{y, 0, m.width, option})
			}
		}
		l.x, l.y, l.noCursor, l.below = list.x, list.y, list.y < 0, list.below
	default:
		l.bottom, l.spots = m.answerRows(w, m.width)
	}
	m.layOutAside(l, w)
	// Two rows are the panel's title and its status.
	room := m.height - top - 2 - len(l.bottom) - len(l.input)
	if l.airy {
		room-- // a rule above the answers
	}
	l.small = m.width < minWidth || m.height < minHeight || room < 2
	if l.small {
		l.panel, l.transcript = 0, 0
		return
	}
	if l.reminds = m.reminder.text != "" && room > 3; l.reminds {
		room--
	}
	keep := 0
	if !l.whole {
		keep = max(0, min(6, (m.height-22)/2))
	}
	l.contents = m.contentsWidth(w) > 0
	l.panel = room
	if limit <= room {
		keep = 0 // whole without a key is worth more than rows of the transcript
	}
	if !l.whole {
		l.panel = min(limit, room-keep)
		l.transcript = room - l.panel
		// It takes a row of the transcript, never one of what is asked.
		if l.list = m.listsQueue() && l.transcript > 1; l.list {
			l.transcript--
		}
	} else {
		limit = w.body.n
	}
	l.panelTop = top + l.transcript
	if l.reminds {
		l.panelTop++
	}
	if l.list {
		l.panelTop++
	}
	broken := w.broken
	w.broken = false
	w.measure(w.body.n, limit, l.panel, broken)
	w.follow()
}

// optionRoom finds how many rows the options of a question may take, and
// returns its hints.
func (m *Model) optionRoom(w *waiting, top int) (hints []string) {
	if w.question == nil {
		return nil
	}
	hints = m.askedHints()
	// Title, status and two rows of the question stay.
	rest := m.height - top - len(hints) - 4
	if m.keepsPrompt() && m.height >= roomyFrom {
		rest-- // its row
	}
	w.room = max(2, min(m.optionLimit(), rest))
	return hints
}

// build draws the body of w anew if what it depends on has changed.
func (m *Model) build(w *waiting) {
	d := drawn{
		width: m.width, themes: m.themes, ready: w.ready, split: w.splits(m.width), cut: w.cut, left: w.left,
		mode: m.modeOf(w), full: w.full && w.grants() != nil, short: m.summarized(w), revision: w.rev.serial - w.rev.marks, marks: w.rev.marks, verdicts: w.verdicts,
	}
	if w.question != nil {
		d.choice, d.height, d.room, d.mode, d.laid = w.choice, m.height, w.room, 0, w.laid.serial
	}
	if w.group != nil {
		d.version = w.group.version
	}
	if w.plan != nil {
		// The document looks the same whatever is highlighted.
		d.choice, d.version, d.changes = 0, w.plan.version, w.plan.changes
	}
	if d == w.drawn {
		return
	}
	before, was := w.body.n, w.drawn
	w.broken = w.broken || d.width != was.width || d.ready != was.ready || d.split != was.split || d.cut != was.cut ||
		d.mode != was.mode || d.full != was.full || d.short != was.short || d.revision != was.revision || d.laid != was.laid
	w.drawn = d
	switch {
	case w.approval != nil:
		before, at := w.body, w.hunkIndex()
		head := before.head
		w.body = m.requestBody(w)
		if d.marks != was.marks && !w.broken {
			w.keepPlace(before, at)
		}
		if d.verdicts != was.verdicts && !w.broken {
			w.rehead(head, w.body.head)
		}
	case w.lists:
		w.body = listBody(w.group, &m.theme, m.width)
	case w.plan != nil:
		w.body = m.planBody(w)
		if !w.broken && d.changes == was.changes && w.plan.row(w.plan.cursor) < w.seen {
			w.seen += w.body.n - before // a comment's rows are under one that was read
		}
	default:
		w.body = m.questionBody(w)
	}
}

// reach is how many rows of the body are shown before everything is asked
// for.
func (w *waiting) reach(lines int) int {
	if w.question != nil {
		return w.body.n
	}
	if w.body.short {
		return w.body.head
	}
	return min(w.body.n, w.body.head+lines)
}

// promptWidth is the width of what stands before the line that is written.
func (m *Model) promptWidth() int { return diffview.Width(m.prompt()) + 1 }

func (m *Model) prompt() string {
	switch m.over {
	case reasonLine:
		if m.agrees {
			return " " + m.tr("yes, and") + " › "
		}
		return " " + m.tr("no, because") + " › "
	case editLine:
		return " " + m.tr("run") + " › "
	case noteLine:
		return " " + m.tr("note") + " › "
	case commentLine:
		return " " + m.tr("line %d", m.queue.current().plan.cursor) + " › "
	}
	return " › "
}

// askedHints are the hints of a question: on a narrow screen one row of them, with
// the key for the list of all.
func (m *Model) askedHints() []string {
	cells := m.hintCells()
	rows := flow(cells, 1, m.width)
	for n := len(cells) - 1; m.width < terse && len(rows) > 1 && n > 0; n-- {
		rows = flow(slices.Concat(cells[:n-1], cells[len(cells)-1:]), 1, m.width)
	}
	return rows
}

// asksApproval reports whether a request is shown, whose answers stand among the
// hints.
func (m *Model) asksApproval() bool {
	w := m.queue.current()
	return w != nil && w.approval != nil
}

// hintCells are the hints of the present table, each with its keys, but those
// of the commands without.
func (m *Model) hintCells(without ...string) []string {
	th := &m.theme
	var hints []string
	keys := map[string][]string{}
	hint := func(text, key string) {
		if keys[text] == nil {
			hints = append(hints, text)
		}
		keys[text] = append(keys[text], keyName(key))
	}
	if w := m.queue.current(); m.rules == nil && !m.over.line() && w != nil && !w.words.empty() {
		hint(m.tr("clear"), "ctrl+c")
	}
	for _, b := range m.keys[m.screenFor()] {
		switch {
		case b.hint == "", slices.Contains(without, b.name), b.letter && m.written():
		case b.when != nil && !b.when(m), b.shown != nil && !b.shown(m):
		case m.width < terse && m.over == noSheet && m.asksApproval() && b.name != "help" && b.name != "close":
		default:
			hint(m.tr(b.hint), b.keys[0])
		}
	}
	cells := make([]string, len(hints))
	for i, text := range hints {
		cells[i] = "  " + th.key.Render(strings.Join(keys[text], "/")) + " " + th.muted.Render(text)
	}
	return cells
}

// screenFor is the screen whose hints are drawn. While the layout is computed
// it isn't known yet whether the terminal is too small.
func (m *Model) screenFor() screen {
	small := m.lay.small
	m.lay.small = false
	s := m.screen()
	m.lay.small = small
	return s
}
