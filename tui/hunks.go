package tui

import (
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// hunkAt is one hunk of one file of a request.
type hunkAt struct{ file, hunk int }

// addDiff adds a diff, each hunk as a block of its own, so that one can be
// marked as the one that x leaves out, or as left out. The marks stand in
// columns that are ours.
func (w *waiting) addDiff(b *body, file int, d *diffview.Diff, o diffview.RenderOptions, th *theme) {
	ends := hunkRows(d, o)
	plain := func(from, to int) block {
		return block{n: to - from, code: &diffPart{d, o, from, to}, draw: func(lo, hi int) []string { return indent(d.Slice(o, from+lo, from+hi), margin) }}
	}
	b.add(plain(0, ends[0]))
	for h := range d.Hunks {
		at := hunkAt{file, h}
		from, to := ends[h], ends[h+1]
		left := w.rev.left[at]
		if left {
			b.addRows("✗ " + th.warn.Render(th.tr("left out: this isn't written")))
		}
		b.hunks = append(b.hunks, b.n)
		b.at = append(b.at, at)
		b.of = append(b.of, diffPart{d, o, from, to})
		b.add(block{n: to - from, code: &diffPart{d, o, from, to}, draw: func(lo, hi int) []string {
			rows := d.Slice(o, from+lo, from+hi)
			var changes []bool
			if left {
				changes = d.Changes(o, from+lo, from+hi)
			}
			for i, r := range rows {
				mark := "  "
				if left && changes[i] {
					mark, r = "✗ ", th.struck.Render(strings.TrimRight(ansi.Strip(r), " "))
				}
				if i == 0 && w.points(at) { // the first row of it that is on the screen
					mark = th.key.Render("▸ ")
				}
				rows[i] = mark + r
			}
			return rows
		}})
	}
}

// hunkRows are the rows in which the hunks of a diff begin, and the one behind
// the last of them.
func hunkRows(d *diffview.Diff, o diffview.RenderOptions) []int {
	rows := make([]int, 0, len(d.Hunks)+1)
	for h := range d.Hunks {
		rows = append(rows, d.HunkRow(o, h))
	}
	return append(rows, d.Len(o))
}

// keepPlace keeps the window where it was when nothing but the marks of hunks
// has changed: before is the body without them, and at the hunk that was marked.
func (w *waiting) keepPlace(before body, at int) {
	if at < 0 || at >= len(before.hunks) || at >= len(w.body.hunks) {
		w.broken = true
		return
	}
	was, by := before.hunks[at], w.body.hunks[at]-before.hunks[at]
	switch head := w.body.head - before.head; {
	case w.offset > was:
		w.offset += by
	case w.offset > 0:
		w.offset = max(0, w.offset+head)
	}
	if w.seen >= before.n {
		w.seen = w.body.n
	} else {
		w.seen = max(0, w.seen+by)
	}
}

// kept is how many lines the diff of one file adds and removes, without the
// hunks that are left out.
func (w *waiting) kept(file int) (added, removed int) {
	d := w.diffs[file]
	added, removed = d.Added, d.Removed
	for h := range d.Hunks {
		if !w.rev.left[hunkAt{file, h}] {
			continue
		}
		for _, l := range d.Hunks[h].Lines() {
			switch l.Op {
			case diffview.Added:
				added--
			case diffview.Removed:
				removed--
			}
		}
	}
	return added, removed
}

// points reports whether at is the hunk that x leaves out.
func (w *waiting) points(at hunkAt) bool {
	shown, ok := w.hunkShown()
	return ok && shown == at && w.approval.Prompt.Request.Editable
}

// hunkShown is the hunk that was jumped to if it is in the window, else the
// first one in it.
func (w *waiting) hunkShown() (hunkAt, bool) {
	if i := w.hunkIndex(); i >= 0 {
		return w.body.at[i], true
	}
	return hunkAt{}, false
}

// hunkIndex prefers a hunk of which a change is on the screen to one that is there
// with unchanged lines alone.
func (w *waiting) hunkIndex() int {
	visible := func(i int) bool {
		if i >= len(w.body.hunks) {
			return false
		}
		to := w.body.n
		if i+1 < len(w.body.hunks) {
			to = w.body.hunks[i+1]
		}
		return w.body.hunks[i] < w.end() && to > w.offset
	}
	at := -1
	if visible(w.hunk) {
		if at = w.hunk; w.drawsHunk(at) {
			return at
		}
	}
	for i := range w.body.hunks {
		switch {
		case !visible(i):
		case w.drawsHunk(i):
			return i
		case at < 0:
			at = i
		}
	}
	return at
}

// leaveOut leaves the hunk at the mark out of what is approved, or takes it
// back (BEY-06).
func (m *Model) leaveOut() tea.Cmd {
	w := m.queue.current()
	if why := w.fixed(&m.wording); why != "" {
		m.say(why)
		return nil
	}
	at, ok := w.hunkShown()
	switch {
	case !w.ready:
		m.say(m.tr("the changes are still being compared"))
		return nil
	case !ok && w.body.short:
		m.say(m.tr("ctrl+o shows the hunks"))
		return nil
	case !ok:
		m.say(m.tr("no hunk is on the screen"))
		return nil
	case w.diffs[at.file].Binary:
		m.say(m.tr("binary content is taken as a whole"))
		return nil
	}
	w.hunk = w.hunkIndex() // the next x is about the same one
	if !w.drawsHunk(w.hunk) {
		m.showHunk(w.hunk)
		w.rev.refused++ // a key may be meant for it without the hunk
		m.say(m.tr("this is what %s leaves out: once more does it", m.leaveOutKey()))
		return nil
	}
	left := maps.Clone(w.rev.left)
	if left == nil {
		left = map[hunkAt]bool{}
	}
	if left[at] {
		delete(left, at)
	} else {
		left[at] = true
	}
	switch {
	case w.rev.written == nil && w.leavesNothing(left):
		w.rev.refused++
		m.say(m.tr("nothing would be changed any more: %s refuses it", m.denyKey()))
		return nil
	case len(left) == 0 && w.rev.written == nil:
		w.rev.serial++
		w.rev.marks++
		w.rev.edit, w.rev.left, w.rev.barred = nil, nil, ""
		w.approval.Prompt = w.rev.first
		w.choice, w.asked = firstChoice(&w.rev.first), false
		return nil
	}
	return m.revise(w, without(w.diffs, left, w.rev.written), left)
}

// leavesNothing reports whether no hunk is kept.
func (w *waiting) leavesNothing(left map[hunkAt]bool) bool {
	n := 0
	for _, d := range w.diffs {
		if len(d.Hunks) == 0 {
			return false // it writes something that has none
		}
		n += len(d.Hunks)
	}
	return len(left) == n
}

// without is the edit that leaves hunks out of what was written.
func without(diffs []*diffview.Diff, left map[hunkAt]bool, written *gate.Edit) *gate.Edit {
	e := &gate.Edit{Files: map[string][]byte{}}
	if written != nil {
		maps.Copy(e.Files, written.Files)
	}
	for i, d := range diffs {
		some := false
		for h := range d.Hunks {
			if left[hunkAt{i, h}] {
				some = true
				e.LeftOut = append(e.LeftOut, d.File.Path+" "+linesOf(&d.Hunks[h]))
			}
		}
		if some {
			e.Files[d.File.Path] = d.Apply(func(h int) bool { return !left[hunkAt{i, h}] })
		}
	}
	return e
}

// linesOf names the changed lines of a hunk, by their numbers in what was
// proposed, or in what was there where they are only removed.
func linesOf(h *diffview.Hunk) string {
	span := func(op diffview.Op, number func(diffview.Line) int) (first, last int) {
		for _, l := range h.Lines() {
			if l.Op != op {
				continue
			}
			if n := number(l); first == 0 {
				first, last = n, n
			} else {
				last = n
			}
		}
		return first, last
	}
	what := ""
	first, last := span(diffview.Added, func(l diffview.Line) int { return l.New })
	if first == 0 {
		what = " of the old file"
		first, last = span(diffview.Removed, func(l diffview.Line) int { return l.Old })
	}
	if first == last {
		return fmt.Sprintf("line %d%s", first, what)
	}
	return fmt.Sprintf("lines %d–%d%s", first, last, what)
}
