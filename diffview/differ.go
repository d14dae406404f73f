package diffview

import (
	"context"
	"sort"
)

const (
	// Stretches of more lines than this are first cut at lines that occur
	// once in each version: such hunks read better than the shortest ones.
	anchorsFrom = 256
	// maxSteps bounds the whole search (about a fifth of a second), so that
	// the result depends on the input and not on how busy the machine is.
	maxSteps = 1 << 26
)

// A differ finds which elements of two sequences of numbers to take as
// changed. It marks them; what is left over on both sides is equal.
type differ struct {
	ctx      context.Context
	a, b     []int32 // only elements that occur on both sides
	atA, atB []int   // where they stand in the full sequences
	goneA    []bool  // of the full sequences
	goneB    []bool
	seenA    []int32 // occurrences by number, 0 between uses
	seenB    []int32
	lastB    []int
	forth    []int // furthest points of the two searches
	back     []int
	maxEdits int
	steps    int
	coarse   bool
}

func newDiffer(ctx context.Context, a, b []int32, numbers, maxEdits int) *differ {
	d := &differ{
		ctx: ctx, maxEdits: maxEdits,
		goneA: make([]bool, len(a)), goneB: make([]bool, len(b)),
		seenA: make([]int32, numbers), seenB: make([]int32, numbers), lastB: make([]int, numbers),
	}
	for _, id := range a {
		d.seenA[id]++
	}
	for _, id := range b {
		d.seenB[id]++
	}
	d.a, d.atA = shared(a, d.seenB, d.goneA)
	d.b, d.atB = shared(b, d.seenA, d.goneB)
	clear(d.seenA)
	clear(d.seenB)
	return d
}

// shared keeps the elements that the other side has too, and marks the rest:
// no common subsequence can hold them.
func shared(ids, other []int32, gone []bool) (kept []int32, at []int) {
	kept, at = make([]int32, 0, len(ids)), make([]int, 0, len(ids))
	for i, id := range ids {
		if other[id] == 0 {
			gone[i] = true
			continue
		}
		kept = append(kept, id)
		at = append(at, i)
	}
	return kept, at
}

// A box is a stretch of both sequences.
type box struct{ a0, a1, b0, b1 int }

func (d *differ) run() {
	d.compare(box{0, len(d.a), 0, len(d.b)})
}

func (d *differ) compare(x box) {
	x = d.trim(x)
	if x.a0 == x.a1 || x.b0 == x.b1 {
		d.mark(x)
		return
	}
	if x.a1-x.a0 > anchorsFrom || x.b1-x.b0 > anchorsFrom {
		if anchors := d.anchors(x); len(anchors) > 0 {
			for _, p := range anchors {
				d.compare(box{x.a0, p.a, x.b0, p.b})
				x.a0, x.b0 = p.a+1, p.b+1
			}
			d.compare(x)
			return
		}
	}
	d.shortest(x)
}

// trim drops equal ends.
func (d *differ) trim(x box) box {
	for x.a0 < x.a1 && x.b0 < x.b1 && d.a[x.a0] == d.b[x.b0] {
		x.a0++
		x.b0++
	}
	for x.a0 < x.a1 && x.b0 < x.b1 && d.a[x.a1-1] == d.b[x.b1-1] {
		x.a1--
		x.b1--
	}
	return x
}

func (d *differ) mark(x box) {
	for i := x.a0; i < x.a1; i++ {
		d.goneA[d.atA[i]] = true
	}
	for i := x.b0; i < x.b1; i++ {
		d.goneB[d.atB[i]] = true
	}
}

// spend takes steps from the budget and tells whether there is any left.
func (d *differ) spend(n int) bool {
	d.steps += n
	return d.steps <= maxSteps && d.ctx.Err() == nil
}

type point struct{ a, b int }

// anchors are the elements that occur once on each side of the box, as many
// as keep their order (patience diff).
func (d *differ) anchors(x box) []point {
	if !d.spend(x.a1 - x.a0 + x.b1 - x.b0) {
		return nil
	}
	for _, id := range d.a[x.a0:x.a1] {
		d.seenA[id]++
	}
	for i, id := range d.b[x.b0:x.b1] {
		d.seenB[id]++
		d.lastB[id] = x.b0 + i
	}
	var unique []point
	for i, id := range d.a[x.a0:x.a1] {
		if d.seenA[id] == 1 && d.seenB[id] == 1 {
			unique = append(unique, point{x.a0 + i, d.lastB[id]})
		}
	}
	for _, id := range d.a[x.a0:x.a1] {
		d.seenA[id] = 0
	}
	for _, id := range d.b[x.b0:x.b1] {
		d.seenB[id] = 0
	}
	return rising(unique)
}

// rising is the longest part of points, ordered by a, in which b rises too.
func rising(points []point) []point {
	var ends []int // the point with the least b that ends a chain of each length
	before := make([]int, len(points))
	for i, p := range points {
		n := sort.Search(len(ends), func(k int) bool { return points[ends[k]].b > p.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	chain := make([]point, len(ends))
	if len(ends) == 0 {
		return nil
	}
	for k, i := len(ends)-1, ends[len(ends)-1]; k >= 0; k, i = k-1, before[i] {
		chain[k] = points[i]
	}
	return chain
}

// edits turns the marks into edits of texts whose sequences begin at line
// head.
func (d *differ) edits(head int) []edit {
	var edits []edit
	for i, j := 0, 0; i < len(d.goneA) || j < len(d.goneB); {
		e := edit{old: head + i, new: head + j}
		for i < len(d.goneA) && d.goneA[i] {
			i++
		}
		for j < len(d.goneB) && d.goneB[j] {
			j++
		}
		e.oldN, e.newN = head+i-e.old, head+j-e.new
		if e.oldN+e.newN > 0 {
			edits = append(edits, e)
		}
		for i < len(d.goneA) && j < len(d.goneB) && !d.goneA[i] && !d.goneB[j] {
			i++
			j++
		}
	}
	return edits
}
