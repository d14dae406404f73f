package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// leftStep is how many columns a diff scrolls sideways at once.
const leftStep = 16

// A diffLook is how the person wants the diffs of one request drawn.
type diffLook struct {
	split splitting
	// cut shows the beginning of long lines, with a count of the rest, or
	// what comes after the first left columns. Rows that are cut don't count
	// as read (BEY-03).
	cut  bool
	left int
}

type splitting uint8

const (
	splitAuto splitting = iota
	splitOn
	splitOff
)

// splitFrom is the width from which diffs are split by themselves.
const splitFrom = 140

func (l diffLook) splits(width int) bool {
	return l.split == splitOn || l.split == splitAuto && width >= splitFrom
}

func (m *Model) toggleSplit() tea.Cmd {
	w := m.queue.current()
	if w.splits(m.width) {
		w.split = splitOff
	} else {
		w.split = splitOn
	}
	return nil
}

// toggleWrap folds long lines, or cuts them.
func (m *Model) toggleWrap() tea.Cmd {
	w := m.queue.current()
	w.cut, w.left = !w.cut, 0
	return nil
}

// scrollSide scrolls what is cut, and cuts it first.
func (m *Model) scrollSide(by int) {
	w := m.queue.current()
	longest := 0
	for _, d := range w.diffs {
		longest = max(longest, d.Columns())
	}
	if longest <= leftStep {
		m.say(m.tr("no line of a change is long"))
		return
	}
	w.cut = true
	w.left = max(0, min(w.left+by*leftStep, longest-leftStep))
}

func sideBy(n int) func(*Model) tea.Cmd { return do(func(m *Model) { m.scrollSide(n) }) }

// window is what was last asked to be coloured.
type window struct {
	drawn    drawn
	from, to int
}

// coloring finds the colours of the code that is on the screen.
func (m *Model) coloring() tea.Cmd {
	w := m.queue.current()
	if w == nil || m.lay.small || m.opts.Theme.PlainCode || m.opts.Theme.on(m.dark, m.colors).NoColor || !w.ready || len(w.diffs) == 0 {
		return nil
	}
	now := window{w.drawn, w.offset, w.end()}
	if now == w.colored {
		return nil
	}
	w.colored = now
	return highlighting(w.body.parts(now.from, now.to))
}

// A diffPart is rows of one diff.
type diffPart struct {
	diff     *diffview.Diff
	options  diffview.RenderOptions
	from, to int
}

// parts are the rows of diffs in the rows [from, to) of a body.
func (b *body) parts(from, to int) []diffPart {
	var parts []diffPart
	start := 0
	for _, bl := range b.blocks {
		lo, hi := max(from-start, 0), min(to-start, bl.n)
		if c := bl.code; c != nil && lo < hi {
			parts = append(parts, diffPart{c.diff, c.options, c.from + lo, c.from + hi})
		}
		start += bl.n
	}
	return parts
}
