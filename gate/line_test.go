package gate

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// BEY-01: what is asked comes in the order in which it joined, whatever takes
// how long; what is settled without being asked, and what ends, holds up nobody.
func TestLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var line Line
		var order []int
		put := func(ctx context.Context, n int) { InLine(ctx, func() { order = append(order, n) }) }
		join := func() (context.Context, func()) { return line.Join(t.Context()) }
		first, leaveFirst := join()
		_, leaveSecond := join() // settled by a rule
		cancelled, cancel := context.WithCancel(t.Context())
		third, leaveThird := line.Join(cancelled)
		fourth, leaveFourth := join()
		leaveSecond()
		go put(third, 3)
		go put(fourth, 4)
		time.Sleep(time.Minute)
		if len(order) > 0 {
			t.Fatalf("%v went before the first", order)
		}
		cancel()
		synctest.Wait()
		leaveThird()
		put(first, 1)
		synctest.Wait()
		put(first, 1) // asked once more
		leaveFirst()
		leaveFourth()
		late, leaveLate := join()
		put(late, 5)
		leaveLate()
		put(t.Context(), 6) // in no line
		if want := []int{1, 4, 1, 5, 6}; !slices.Equal(order, want) {
			t.Errorf("got %v, want %v", order, want)
		}
	})
}
