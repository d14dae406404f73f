package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// spot is where a choice can be clicked: on row y of what stands below the
// panel, in the columns [from, to).
type spot struct{ y, from, to, choice int }

// wheel scrolls what the mouse points at.
func (m *Model) wheel(msg tea.MouseWheelMsg) {
	by := 3
	switch msg.Button {
	case tea.MouseWheelUp:
		by = -3
	case tea.MouseWheelDown:
	default:
		return
	}
	w := m.queue.current()
	switch m.screen() {
	case sheetScreen:
		m.sheet.scroll(by)
		return
	case endScreen, smallScreen:
		return
	}
	if m.rules != nil {
		m.rules.wheel(by)
		return
	}
	if w != nil && msg.Y >= m.lay.panelTop {
		w.scroll(by)
		w.follow()
		return
	}
	m.transcript.scroll(by, m.lay.transcript)
}

// click takes the choice under the mouse (TAM-22). It is held to what holds for
// a key that answers, and to more: the click that brings the window to the
// front was meant for the window. Terminals tell of that, but some don't, and
// none before the first time; then the first click only highlights.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	// Two clicks at once are a key that is held: they answer once at most.
	mayAnswer := m.arming.press("click", false, clock())
	again := m.clicked
	m.clicked = clicked{}
	w := m.queue.current()
	choice, ok := m.choiceAt(msg.X, msg.Y)
	switch {
	case !m.opts.Mouse, msg.Button != tea.MouseLeft, msg.Mod != 0, !ok, m.focus == unfocused:
		return nil
	case w.approval != nil && m.drafting() && choice != m.highlighted(w):
		m.say(m.tr("with what you typed there is one answer; ctrl+c clears it"))
		return nil
	case !mayAnswer, clock().Sub(m.stands) < quietTime:
		m.arming.dropped = m.tr("click")
		return nil
	}
	m.heed("click")
	m.arming.dropped, m.held, m.moved = "", nil, nil
	if now := (clicked{m.frames, choice, true}); m.focus == focusUnknown && again != now {
		m.clicked = now
		m.say(m.tr("click once more to take it"))
		return nil
	}
	if w.approval != nil {
		w.choice, w.pushed = choice, false
		return m.enter()
	}
	if w.plan != nil {
		return m.pickPlan(choice)
	}
	return m.pick(choice)
}

// spotsTop is the row that spots count from.
func (m *Model) spotsTop() int {
	top := m.height - len(m.lay.bottom)
	if !m.lay.inBottom {
		top -= len(m.lay.input)
	}
	return top
}

// standing is where the choices can be clicked.
type standing struct {
	top   int
	spots []spot
}

// watchSpots notes when the choices move: a click that comes just after that
// was meant for what stood there before.
func (m *Model) watchSpots() {
	now := standing{m.spotsTop(), m.lay.spots}
	if now.top != m.stood.top || !slices.Equal(now.spots, m.stood.spots) {
		m.stood, m.stands = now, clock()
	}
}

// clicked is what was clicked once.
type clicked struct {
	frame, choice int
	set           bool
}

// choiceAt is the choice that is drawn at a place.
func (m *Model) choiceAt(x, y int) (int, bool) {
	w := m.queue.current()
	switch m.screen() {
	case requestScreen, fullScreen, questionScreen, planScreen:
	default:
		return 0, false
	}
	top := m.spotsTop()
	for _, s := range m.lay.spots {
		if s.y == y-top && x >= s.from && x < s.to {
			if w.approval != nil && s.choice >= len(m.offers(w)) {
				return 0, false // one of the hints
			}
			return s.choice, true
		}
	}
	return 0, false
}
