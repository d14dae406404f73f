package desk

import "slices"

// A recent is about what was shown of one request, by renewal: what was shown
// first, and the last few after it. A request may wait for days while rules
// change, and only what is on the screen, or was a moment ago, is answered.
type recent[T any] struct {
	renewals []int
	values   []T
}

// keptShown is how many are kept after the first.
const keptShown = 8

func (r *recent[T]) add(renewal int, value T) {
	if at := slices.Index(r.renewals, renewal); at >= 0 {
		r.values[at] = value
		return
	}
	r.renewals, r.values = append(r.renewals, renewal), append(r.values, value)
	if len(r.values) > 1+keptShown {
		r.renewals, r.values = slices.Delete(r.renewals, 1, 2), slices.Delete(r.values, 1, 2)
	}
}

func (r *recent[T]) at(renewal int) (value T, ok bool) {
	if at := slices.Index(r.renewals, renewal); at >= 0 {
		return r.values[at], true
	}
	return value, false
}
