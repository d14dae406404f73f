package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// View draws the screen. It changes nothing.
func (m *Model) View() tea.View {
	rows := m.rows()
	// On a terminal of two rows the line that is written stays, not the header.
	rows = rows[max(0, len(rows)-m.height):]
	for i, r := range rows {
		rows[i] = fit(r, m.width)
	}
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen = true
	v.WindowTitle = m.windowTitle()
	v.ProgramStatus = m.programStatus()
	v.ReportFocus = m.opts.Notify != NotifyOff || m.opts.Mouse
	if m.opts.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	// Terminals that can tell a held key from a new one are asked to.
	v.KeyboardEnhancements.ReportEventTypes = true
	if x, y := m.cursorColumn(), m.cursorRow(); writes(m.screen()) && (!m.lay.noCursor || m.lay.aside > 0) && x < m.width && y >= 0 && y < m.height {
		v.Cursor = tea.NewCursor(x, y)
	}
	return v
}

func (m *Model) rows() []string {
	if m.width <= 0 || m.height <= 0 {
		return nil
	}
	switch m.screen() {
	case endScreen:
		return m.endRows()
	case smallScreen:
		return m.smallRows()
	case sheetScreen:
		return m.overlayRows()
	}
	if m.rules != nil {
		return m.rulesRows()
	}
	rows := m.topRows()
	rows = append(rows, m.middleRows()...)
	if m.queue.current() == nil {
		if m.lay.trust {
			rows = append(rows, m.trustLine())
		}
		if m.lay.reminds {
			rows = append(rows, m.reminderRow())
		}
		if m.lay.roomy {
			rows = append(rows, m.rule("", ""))
		}
		rows = append(rows, m.inputRows()...)
		return append(rows, m.homeHints())
	}
	if m.lay.list {
		rows = append(rows, m.queueRow())
	}
	if m.lay.reminds {
		rows = append(rows, m.reminderRow())
	}
	rows = append(rows, m.panelRows()...)
	rows = append(rows, m.lay.bottom...)
	return append(rows, m.inputRows()...)
}

// middleRows are the transcript and, beside it, the checklist.
func (m *Model) middleRows() []string {
	h := m.lay.transcript
	if h <= 0 {
		return nil
	}
	rows := m.transcript.window(h)
	if len(rows) == 0 && m.queue.current() == nil {
		rows = m.welcome(h)
	}
	for len(rows) < h {
		rows = append(rows, "")
	}
	if m.transcript.up > 0 {
		rows[h-1] = spread(rows[h-1], m.theme.accent.Render("▼ "+m.n(m.transcript.up, "%s row", "%s rows")+" "), m.textWidth())
	}
	if !m.lay.side {
		return rows
	}
	column := tasksColumn(m.tasksTitle(tasksWidth-10), m.tasks, h, &m.theme)
	for i := range rows {
		rows[i] = pad(rows[i], m.textWidth()) + m.theme.rule.Render("│ ")
		if i < len(column) {
			rows[i] += column[i]
		}
	}
	return rows
}

func (m *Model) textWidth() int {
	if m.lay.side {
		return m.width - tasksWidth
	}
	return m.width
}

// welcome is what stands there when nothing has happened yet.
func (m *Model) welcome(height int) []string {
	th := &m.theme
	if len(m.opts.Welcome) > 0 {
		return m.welcomeLines(height)
	}
	lines := []string{
		m.tr("Nothing has happened yet."),
		m.tr("What the agent wants to do is asked here, with everything that it would change."),
	}
	rows := make([]string, max(0, height/2-1))
	for _, l := range lines {
		for _, r := range words(l, max(1, m.textWidth()-4)) {
			rows = append(rows, strings.Repeat(" ", max(0, (m.textWidth()-diffview.Width(r))/2))+th.muted.Render(r))
		}
	}
	return rows[:min(len(rows), height)]
}

// welcomeLines are the caller's own words, which may be longer than two lines.
func (m *Model) welcomeLines(height int) []string {
	rows := []string{""}
	for _, l := range m.opts.Welcome {
		text := strings.TrimLeft(l, " ")
		by := 3 + len(l) - len(text)
		rows = append(rows, indent(words(m.known(text), max(1, m.textWidth()-by-2)), by)...)
	}
	for i, r := range rows {
		rows[i] = m.theme.muted.Render(r)
	}
	return rows[:min(len(rows), height)]
}

func (m *Model) inputRows() []string {
	th := &m.theme
	prompt := m.prompt()
	if m.over == saveSheet || m.lay.inBottom {
		return nil
	}
	if m.shownLine().empty() {
		return []string{th.key.Render(prompt) + th.muted.Render(short(m.placeholder(), m.width-diffview.Width(prompt)))}
	}
	return beside(th.key.Render(prompt), diffview.Width(prompt), m.lay.input, th.text)
}

func (m *Model) placeholder() string {
	w := m.queue.current()
	switch {
	case m.over == noteLine:
		return m.tr("a note beside your answer")
	case m.over == commentLine:
		return m.tr("a comment on the marked line; empty takes it back")
	case m.over == reasonLine && m.agrees:
		return m.tr("a comment that goes with your yes")
	case m.over == reasonLine:
		return m.tr("a reason that goes with your no")
	case w == nil && m.opts.Several:
		return m.tr("nothing waits · agents ask here")
	case w == nil && m.starting != "":
		return m.tr("starting %s · what you type is sent when it is ready", m.starting)
	case w == nil && m.gone:
		return m.tr("the agent is gone · ctrl+d leaves")
	case w == nil && m.turn:
		return m.tr("the agent works · type what's next")
	case w == nil:
		return m.tr("type the next prompt")
	}
	return m.tr("or type, to refuse with a message")
}

func (m *Model) cursorRow() int {
	switch {
	case m.lay.aside > 0:
		return m.height - m.lay.aside
	case m.lay.inBottom:
		return m.height - len(m.lay.bottom) + m.lay.y
	case m.queue.current() == nil:
		return m.height - 1 - len(m.lay.input) + m.lay.y
	}
	return m.height - len(m.lay.input) + m.lay.y
}

func (m *Model) cursorColumn() int {
	switch {
	case m.lay.aside > 0:
		return m.lay.asideX
	case m.lay.inBottom:
		return m.lay.x
	}
	return diffview.Width(m.prompt()) + m.lay.x
}

func (m *Model) homeHints() string {
	if m.notice != "" {
		return " " + m.theme.warn.Render(short(m.notice, m.width-2))
	}
	rows := flow(m.hintCells(), 1, m.width)
	if len(rows) > 1 {
		rows = flow(m.hintCells("mode", "tasks"), 1, m.width) // the list of keys has them
	}
	return rows[0]
}

func (m *Model) windowTitle() string {
	w := m.queue.current()
	switch {
	case m.quitting:
		return ""
	case w == nil && m.opts.Workspace != "":
		return "blitz-approve · " + short(m.opts.Workspace, 40)
	case w == nil:
		return "blitz-approve"
	case w.question != nil:
		return "[!] " + m.tr("question waiting")
	}
	return "[!] " + m.tr("approval waiting")
}

// programStatus tells terminals that know it what the program waits for. It
// outlives the program, so that the last one must be idle.
func (m *Model) programStatus() *tea.ProgramStatus {
	s := &tea.ProgramStatus{App: "blitz-approve", State: tea.ProgramStateIdle}
	w := m.queue.current()
	switch {
	case m.quitting || m.finished != nil:
	case w != nil && w.question != nil:
		s.State, s.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindQuestion
	case w != nil:
		s.State, s.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindPermission
	case m.turn:
		s.State = tea.ProgramStateWorking
	}
	return s
}

func (m *Model) endRows() []string {
	th := &m.theme
	rows := []string{"", "  " + th.heading.Render(m.tr("Done")), ""}
	for _, l := range m.finished {
		rows = append(rows, indent(prose(l, max(1, m.width-4)), 2)...)
	}
	rows = rows[:min(len(rows), max(0, m.height-2))]
	hint := m.tr("◌ a moment …")
	if m.arming.armed {
		hint = m.tr("any key leaves")
	}
	return append(rows, "", "  "+th.muted.Render(hint))
}

// smallRows is the notice on a terminal without room for a request and its
// answers. No key allows anything there.
func (m *Model) smallRows() []string {
	text := m.n(m.queue.current().body.n, "Too small (%[2]d×%[3]d) to show what is asked, %[1]s line. Nothing is approved here: make it larger.",
		"Too small (%[2]d×%[3]d) to show what is asked, %[1]s lines. Nothing is approved here: make it larger.", m.width, m.height)
	rows := words(text, m.width)
	return rows[:min(len(rows), m.height)]
}

func (m *Model) overlayRows() []string {
	th := &m.theme
	rows := []string{m.header(), m.rule("", "")}
	body := indent(m.sheetRows[m.sheet.offset:m.sheet.end()], 1)
	for len(body) < m.height-3 {
		body = append(body, "")
	}
	rows = append(rows, body...)
	left := "  " + th.key.Render("Esc") + " " + th.muted.Render(m.tr("back"))
	if below := m.sheet.total - m.sheet.end(); below > 0 {
		count := th.warn.Render("▼ " + m.n(below, "%s more line", "%s more lines"))
		if left += "   " + count; rowWidth(left) > m.width {
			left = count // a number that is cut would be another one
		}
	}
	return append(rows, left)
}
