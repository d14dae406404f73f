package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// marked is the hunk that has the mark.
func (b *bench) marked() int { return b.queue.current().hunkIndex() }

// BEY-03, BEY-06: ] and [ show the changes of the hunk that they mark, not only
// the unchanged lines before them.
func TestJumpShowsTheChanges(t *testing.T) {
	for _, height := range []int{16, 24, 50} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: 80, Height: height})
			b.decided(manyHunks(6))
			change := func(i int) string { return fmt.Sprintf("+ LINE %d", 16+30*i) }
			for _, key := range strings.Fields("] ] ] ] ] [ [ [ [ [") {
				was := b.marked()
				b.key(key)
				by := map[string]int{"]": 1, "[": -1}[key]
				if b.marked() != was+by {
					t.Fatalf("height %d: %s goes from hunk %d to %d\n%s", height, key, was, b.marked(), b.text())
				}
				b.wantText(change(b.marked()))
			}
			b.key("[")
			b.wantText("no more hunks that way")
		})
	}
}

// BEY-06: x leaves out nothing whose changes aren't on the screen. It shows them
// first.
func TestLeaveOutShowsFirst(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.WindowSizeMsg{Width: 80, Height: 12})
		b.decided(manyHunks(2))
		w := b.queue.current()
		for range 20 {
			if b.marked() >= 0 {
				break
			}
			b.key("j")
		}
		b.wantText("▸")
		b.wantNoText("LINE 16") // only that lines come before it
		b.settle()
		b.key("x")
		if len(w.rev.left) > 0 {
			t.Fatalf("left out unseen\n%s", b.text())
		}
		b.wantText("this is what x leaves out", "+ LINE 16", "◌")
		b.settle()
		b.key("x")
		b.wantText("✗      16 + LINE 16")
	})
}
