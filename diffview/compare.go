package diffview

import (
	"bytes"
	"context"
)

// An edit replaces oldN lines at old by newN lines at new; one of the counts
// may be 0.
type edit struct{ old, oldN, new, newN int }

// maxLines in both versions together are compared one by one; beyond that the
// changed middle counts as replaced, for the sake of memory.
const maxLines = 4 << 20

// compare finds the edits between two texts. Coarse tells that there may be
// fewer.
func compare(ctx context.Context, old, new *text, maxEdits int) (edits []edit, coarse bool) {
	head, tail := commonEnds(old, new)
	n, m := old.lines()-head-tail, new.lines()-head-tail
	switch {
	case n == 0 && m == 0:
		return nil, false
	case n == 0 || m == 0:
		return settle([]edit{{head, n, head, m}}, old, new), false
	case n+m > maxLines:
		return []edit{{head, n, head, m}}, true
	}
	in := newInterner(n + m)
	a, b := in.numbers(old, head, n), in.numbers(new, head, m)
	d := newDiffer(ctx, a, b, len(in.lines), maxEdits)
	d.run()
	return settle(d.edits(head), old, new), d.coarse
}

func (in *interner) numbers(t *text, from, n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = in.number(t.line(from + i))
	}
	return ids
}

// commonEnds counts the equal lines at both ends.
func commonEnds(old, new *text) (head, tail int) {
	n, m := old.lines(), new.lines()
	for head < min(n, m) && bytes.Equal(old.line(head), new.line(head)) {
		head++
	}
	for tail < min(n, m)-head && bytes.Equal(old.line(n-1-tail), new.line(m-1-tail)) {
		tail++
	}
	return head, tail
}

// settle moves each pure insertion and deletion to where a person would see
// it: ending before a blank line or, failing that, as far down as it goes.
func settle(edits []edit, old, new *text) []edit {
	for i := range edits {
		e := &edits[i]
		if e.oldN > 0 && e.newN > 0 {
			continue
		}
		up, down := 0, len(new.starts)
		if i > 0 {
			up = edits[i-1].new + edits[i-1].newN
		}
		if i+1 < len(edits) {
			down = edits[i+1].new
		}
		if e.newN > 0 {
			e.slide(new, e.new, e.newN, up-e.new, down-e.new-e.newN)
		} else {
			e.slide(old, e.old, e.oldN, up-e.new, down-e.new)
		}
	}
	return edits
}

// slide moves the run of n lines at start of t, by no more than low (up, not
// positive) and high.
func (e *edit) slide(t *text, start, n, low, high int) {
	const reach = 200
	lowest, highest := 0, 0
	for lowest > max(low, -reach) && start+lowest > 0 &&
		bytes.Equal(t.line(start+lowest-1), t.line(start+lowest+n-1)) {
		lowest--
	}
	for highest < min(high, reach) && start+highest+n < t.lines() &&
		bytes.Equal(t.line(start+highest), t.line(start+highest+n)) {
		highest++
	}
	by := highest
	for try := highest; try >= lowest; try-- {
		if start+try > 0 && blank(t.line(start+try+n-1)) && !blank(t.line(start+try)) {
			by = try
			break
		}
	}
	e.old += by
	e.new += by
}

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
