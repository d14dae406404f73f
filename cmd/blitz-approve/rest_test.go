package main

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A screen on which nothing happens leaves the processors to others, and has them
// back before it sees the next message.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var used []int
		r := newRest(8, func(n int) { used = append(used, n) })
		step := func(wait time.Duration, want ...int) {
			t.Helper()
			<-time.After(wait)
			synctest.Wait()
			if !slices.Equal(used, want) {
				t.Errorf("after %v: used %v, not %v", wait, used, want)
			}
		}
		step(stillness - 1)
		r.end(nil, "a key")
		step(stillness - 1)
		step(1, 1)
		step(stillness, 1)
		if msg := r.end(nil, "a key"); msg != "a key" {
			t.Errorf("the message became %v", msg)
		}
		step(0, 1, 8)
		r.end(nil, "a key")
		step(stillness-1, 1, 8)
		step(1, 1, 8, 1)
	})
}
