package diffview

// shortest marks the least that differs in the box, by Myers' algorithm in
// linear space: search from both corners until the two paths meet, then do the
// same on either side. Past the limits the whole box counts as replaced.
func (d *differ) shortest(x box) {
	for {
		x = d.trim(x)
		if x.a0 == x.a1 || x.b0 == x.b1 {
			d.mark(x)
			return
		}
		from, to, ok := d.middle(x)
		if !ok {
			d.coarse = true
			d.mark(x)
			return
		}
		d.shortest(box{x.a0, from.a, x.b0, from.b})
		x.a0, x.b0 = to.a, to.b
	}
}

// middle finds a stretch of equal elements, maybe none, that lies in the
// middle of a shortest path through the box. The box has no equal ends, and
// no empty side.
func (d *differ) middle(x box) (from, to point, ok bool) {
	n, m := x.a1-x.a0, x.b1-x.b0
	half := min((n+m+1)/2, (d.maxEdits+1)/2)
	zero := half + 1 // index of diagonal 0
	size := 2*zero + 1
	if len(d.forth) < size {
		d.forth, d.back = make([]int, size), make([]int, size)
	}
	forth, back := d.forth[:size], d.back[:size]
	clear(forth)
	clear(back)
	delta := n - m
	for h := 0; h <= half; h++ {
		if !d.spend(2*h + 2) {
			return from, to, false
		}
		// Diagonals that have left the box are not followed.
		low, high := -(h - 2*max(0, h-m)), h-2*max(0, h-n)
		for k := low; k <= high; k += 2 {
			i := furthest(forth, zero, k, h)
			start := point{x.a0 + i, x.b0 + i - k}
			for i < n && i-k < m && d.a[x.a0+i] == d.b[x.b0+i-k] {
				i++
			}
			forth[zero+k] = i
			if r := delta - k; delta&1 != 0 && -h < r && r < h && i+back[zero+r] >= n {
				return start, point{x.a0 + i, x.b0 + i - k}, true
			}
		}
		for k := low; k <= high; k += 2 {
			i := furthest(back, zero, k, h)
			end := point{x.a1 - i, x.b1 - i + k}
			for i < n && i-k < m && d.a[x.a1-1-i] == d.b[x.b1-1-i+k] {
				i++
			}
			back[zero+k] = i
			if r := delta - k; delta&1 == 0 && -h <= r && r <= h && i+forth[zero+r] >= n {
				return point{x.a1 - i, x.b1 - i + k}, end, true
			}
		}
	}
	return from, to, false
}

// furthest is where a path with h edits enters diagonal k: by a step down from
// the diagonal above, or to the right from the one below.
func furthest(v []int, zero, k, h int) int {
	if k == -h || k != h && v[zero+k-1] < v[zero+k+1] {
		return v[zero+k+1]
	}
	return v[zero+k-1] + 1
}
