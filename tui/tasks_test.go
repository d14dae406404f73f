package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// checklist has n tasks, of which those before active are done.
func checklist(n, active int) Tasks {
	list := prompts.TodoList{Total: n, Done: active}
	for i := range n {
		t := prompts.Todo{Content: fmt.Sprintf("task number %d", i+1), Status: prompts.Pending}
		switch {
		case i < active:
			t.Status = prompts.Done
		case i == active:
			t = prompts.Todo{Content: "the task that is under way, with a description that is far too long for one row of the column", Status: prompts.InProgress}
		}
		list.Items = append(list.Items, t)
	}
	return Tasks{List: list}
}

// APR-43: under 100 columns one row says how far it is and what is under way.
func TestTasksFold(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(checklist(50, 20))
		b.wantText("20/50 ▸ the task that is under way")
		b.send(checklist(3, 0))
		b.wantText("0/3 ▸ the task")
		list := checklist(3, 3)
		b.send(list)
		b.wantText("3/3 tasks done")
		list.List.Items[1].Status, list.List.Done = prompts.Pending, 2
		b.send(list)
		b.wantText("2/3 ○ task number 2")
		b.key("ctrl+t")
		b.wantNoText("2/3")
	})
}

// APR-43: 50 tasks stand beside the transcript, the one under way in full and
// in view, and what is left out is counted.
func TestManyTasks(t *testing.T) {
	for _, active := range []int{0, 1, 25, 49, 50} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: 120, Height: 24})
			b.send(checklist(50, active))
			b.wantText(fmt.Sprintf("%d/50", active))
			if active < 50 {
				b.wantText("▸ the task that is under way,", "with a description that is", "the column")
			}
			if active == 25 {
				b.wantText("▲ ", "✓ task number 25", "○ task number 27")
			}
			if active < 49 {
				b.wantText("▼ ")
			}
			if active == 50 {
				b.wantText("✓ task number 50")
			}
		})
	}
}

// The whole list is read on a sheet of its own.
func TestAllTasks(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.key("alt+t")
		b.wantText("no checklist")
		b.send(checklist(50, 2))
		b.key("alt+t")
		b.wantText("2 of 50 done", "  1 ✓ task number 1", "  3 ▸ the task that is under way", "far too long", "more lines")
		seen := b.text()
		for range 10 {
			b.key("pgdown")
			seen += b.text()
		}
		if !strings.Contains(seen, " 50 ○ task number 50") {
			t.Errorf("the last task isn't reached\n%s", seen)
		}
		b.key("esc")
		b.wantText("2/50")
	})
}

// APR-43: the checklist is shown and hidden while a question waits, and opens on
// a sheet over a plan, which takes the whole screen.
func TestTasksWhileSomethingIsAsked(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(checklist(50, 20))
		b.question(several())
		b.wantText("20/50 ▸ the task that is under way")
		b.key("ctrl+t")
		b.wantNoText("20/50")
		b.key("ctrl+t")
		b.wantText("20/50 ▸ the task that is under way")
		b.key("alt+t")
		b.wantText("21 ▸ the task that is under way")
	})
	bubble(t, Options{}, func(b *bench) {
		b.send(checklist(50, 20))
		b.question(pagerPlan)
		b.wantNoText("20/50")
		b.key("ctrl+t")
		b.wantText("21 ▸ the task that is under way")
	})
}
