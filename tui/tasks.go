package tui

import (
	"fmt"

	"github.com/blitz-approve/blitz-approve/prompts"
)

const (
	// tasksFrom is the width of the screen from which the checklist stands
	// beside the transcript; below, it folds to one line.
	tasksFrom  = 100
	tasksWidth = 34
)

// tasksLine is the folded checklist.
func tasksLine(list prompts.TodoList, width int, th *theme) string {
	left := fmt.Sprintf("  %d/%d ", list.Done, list.Total)
	for _, t := range list.Items {
		if t.Status == prompts.InProgress {
			return fit(th.muted.Render(left)+th.accent.Render("▸ ")+th.strong.Render(short(t.Content, width-len(left)-4)), width)
		}
	}
	return fit(th.muted.Render(left+"tasks done"), width)
}

// tasksColumn is the checklist in height rows, around the task in progress.
func tasksColumn(list prompts.TodoList, height int, th *theme) []string {
	head := spread(th.strong.Render("Tasks"), th.muted.Render(fmt.Sprintf("%d/%d", list.Done, list.Total)), tasksWidth-3)
	rows := []string{head}
	active, n := 0, len(list.Items)
	for i, t := range list.Items {
		if t.Status == prompts.InProgress {
			active = i
			break
		}
	}
	room := max(0, height-1)
	first := max(0, min(active-room/2, n-room))
	for _, t := range list.Items[first:min(n, first+room)] {
		rows = append(rows, taskRow(t, th))
	}
	if rest := n - first - room; rest > 0 && len(rows) > 1 {
		rows[len(rows)-1] = th.muted.Render("⋯ " + count(rest+1, "more task"))
	}
	return rows
}

func taskRow(t prompts.Todo, th *theme) string {
	text := short(t.Content, tasksWidth-5)
	switch t.Status {
	case prompts.Done:
		return th.good.Render("✓ ") + th.struck.Render(text)
	case prompts.InProgress:
		return th.accent.Render("▸ ") + th.strong.Render(text)
	}
	return th.muted.Render("○ ") + th.text.Render(text)
}
