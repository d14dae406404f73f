package gate

import (
	"maps"
	"slices"
)

// A tree finds what stands under a sequence of words, such as the words of a
// command or the folders of a path, without looking at the rest: a value is
// kept where its own words end.
type tree[T any] struct {
	next map[string]*tree[T]
	here []T
}

func (t *tree[T]) add(words []string, value T) {
	for _, w := range words {
		below := t.next[w]
		if below == nil {
			if t.next == nil {
				t.next = map[string]*tree[T]{}
			}
			below = &tree[T]{}
			t.next[w] = below
		}
		t = below
	}
	t.here = append(t.here, value)
}

// walk returns the first value on the way along words that fits, and where
// the way ended: nil if the tree ends before the words do.
func (t *tree[T]) walk(words []string, fits func(T) bool) (found T, ok bool, end *tree[T]) {
	if found, ok = t.pick(fits); ok {
		return found, true, t
	}
	for _, w := range words {
		if t = t.next[w]; t == nil {
			return found, false, nil
		}
		if found, ok = t.pick(fits); ok {
			break
		}
	}
	return found, ok, t
}

func (t *tree[T]) pick(fits func(T) bool) (found T, ok bool) {
	for _, v := range t.here {
		if fits(v) {
			return v, true
		}
	}
	return found, false
}

// first is some value that stands here or below.
func (t *tree[T]) first() (value T, ok bool) {
	if len(t.here) > 0 {
		return t.here[0], true
	}
	for _, w := range slices.Sorted(maps.Keys(t.next)) {
		if value, ok = t.next[w].first(); ok {
			return value, true
		}
	}
	return value, false
}

func (t *tree[T]) empty() bool { return len(t.here) == 0 && len(t.next) == 0 }
