package tui

import (
	tea "charm.land/bubbletea/v2"
)

// face is what makes a frame look different to the person who answers. When
// it changes, what is asked has to be painted again before it can be answered
// or counts as read.
type face struct {
	asked         uint64
	page          int // of a group of questions
	screen        screen
	width, height int
	body          drawn
	saving        saving
	agrees        bool // the comment goes with a yes
	rest          bool // the rest is shown on the way to an approval
	refused       int  // edits that were refused
	returns       int  // how often the focus came back
	stray         int  // what was typed where nothing is written
	offset        int  // scrolling alone doesn't disarm
	reminds       bool // nor does what stands above what is asked
	rules         rulesFace
}

// refresh lays the screen out anew and, if it asks something else now,
// disarms it.
func (m *Model) refresh() tea.Cmd {
	m.layOut()
	if m.lay.small && m.over == saveSheet {
		// What can't be shown whole can't be saved (P20).
		m.over = noSheet
		m.say(m.tr("too small to show what would be saved"))
		m.layOut()
	}
	m.watchSpots()
	f := face{screen: m.screen(), width: m.width, height: m.height, returns: m.returns, stray: m.stray}
	if m.over == saveSheet {
		f.saving = m.saving
	}
	f.agrees = m.over == reasonLine && m.agrees
	f.reminds = m.lay.reminds && f.screen != sheetScreen
	if w := m.queue.current(); w != nil {
		f.asked, f.page, f.body, f.rest, f.offset, f.refused = w.id, w.index, w.drawn, w.asked, w.offset, w.rev.refused
		f.body.choice, f.body.left = 0, 0 // these move without disarming
	}
	if m.rules != nil {
		f.rules, f.offset = m.rules.face(), m.rules.window.offset
	}
	if f == m.frame {
		return nil
	}
	still := m.frame
	still.offset, still.reminds = f.offset, f.reminds
	if still != f {
		m.disarm(f)
		m.held, m.moved = nil, nil
		if m.rules != nil {
			m.layOut() // its hints say that keys wait
		}
	}
	m.frame = f
	m.frames++
	return after(paintTime, paintedMsg{m.frames})
}

// disarm begins the arming anew, since f is to be shown. Where f is what was
// armed before something was laid over it, nothing of it has to be looked at
// again; unless something was written meanwhile, which may go on.
func (m *Model) disarm(f face) {
	f.offset, f.reminds = 0, false
	if m.arming.armed && m.over != noSheet && m.over != saveSheet {
		m.under = m.frame
		m.under.offset, m.under.reminds = 0, false
	}
	back := m.over == noSheet && m.under == f && !m.arming.writing
	if m.over == noSheet {
		m.under = face{}
	}
	if back {
		m.arming.resume()
		return
	}
	m.arming.restart()
}

// painted notes that the present frame has reached the terminal: what it shows
// was seen, and from now on the arming counts.
func (m *Model) painted(msg paintedMsg) tea.Cmd {
	if msg.frame != m.frames {
		return nil
	}
	m.reminded()
	if m.rules != nil {
		m.rules.painted(m.screen())
	} else if w := m.queue.current(); w != nil && m.screen() != sheetScreen && m.screen() != smallScreen {
		if (!w.cut || len(w.diffs) == 0) && !w.laying() {
			w.mark()
		}
	}
	if !m.arming.painted.IsZero() {
		return nil
	}
	return m.reached()
}

func (m *Model) arm(msg armMsg) tea.Cmd {
	if msg.serial != m.arming.serial {
		return nil
	}
	if d := m.arming.tick(clock()); d > 0 {
		return after(d, msg)
	}
	if m.arming.armed {
		m.meet()
	}
	return nil
}
