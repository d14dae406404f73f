package tui

import "slices"

// jump goes to the next hunk, or back to the one before, and shows everything
// when that one is cut off.
func (m *Model) jump(by int) {
	w := m.queue.current()
	i := w.hunkIndex()
	if w.approval != nil && w.fixed(&m.wording) == "" && i >= 0 {
		m.mark(i, by)
		return
	}
	to := -1
	for _, row := range w.body.hunks {
		if by > 0 && row > w.offset && to < 0 || by < 0 && row < w.offset {
			to = row
		}
	}
	if to < 0 {
		m.say(m.tr("no more hunks that way"))
		return
	}
	w.hunk = slices.Index(w.body.hunks, to)
	m.showHunk(w.hunk)
}

// mark moves the mark from hunk i to another one. Where that is on the screen
// nothing else moves; and a hunk that is there without its changes comes first.
func (m *Model) mark(i, by int) {
	w := m.queue.current()
	if first := w.body.changed(i); w.drawsHunk(i) || by > 0 && first < w.offset || by < 0 && first >= w.end() {
		i += by
	}
	if i < 0 || i >= len(w.body.hunks) {
		m.say(m.tr("no more hunks that way"))
		return
	}
	w.hunk = i
	to := w.body.hunks[i] + w.body.of[i].rows()
	if first := w.body.changed(i); first >= w.offset && (to <= w.end() || first < w.offset+w.height/3) {
		return
	}
	m.showHunk(i)
}

// showHunk scrolls to where hunk i begins, or on from there until its first
// change is in the upper third.
func (m *Model) showHunk(i int) {
	w := m.queue.current()
	if w.body.changed(i) >= w.limit {
		w.full = true
		m.layOut() // it may have other rows, but the same hunks
	}
	w.scroll(max(w.body.hunks[i], w.body.changed(i)-w.height/3) - w.offset)
}

// drawsHunk reports whether a change of hunk i is on the screen.
func (w *waiting) drawsHunk(i int) bool {
	from := w.body.hunks[i]
	p := &w.body.of[i]
	return slices.Contains(p.changes(w.offset-from, w.end()-from), true)
}

// changed is the row of the first change of hunk i. One without any, such as
// binary content, is a change as a whole.
func (b *body) changed(i int) int {
	p := &b.of[i]
	for from, n := 0, 64; from < p.rows(); from, n = from+n, 2*n {
		if at := slices.Index(p.changes(from, from+n), true); at >= 0 {
			return b.hunks[i] + from + at
		}
	}
	return b.hunks[i]
}

func (p *diffPart) rows() int { return p.to - p.from }

// changes says which of the rows [from, to) are of changed lines.
func (p *diffPart) changes(from, to int) []bool {
	return p.diff.Changes(p.options, p.from+max(0, from), p.from+max(0, min(to, p.rows())))
}
