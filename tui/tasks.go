package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/prompts"
)

const (
	// tasksFrom is the width of the screen from which the checklist stands
	// beside the transcript; below, it folds to one line.
	tasksFrom  = 100
	tasksWidth = 34
	// activeRows is how many rows the task in progress may take there.
	activeRows = 4
)

// currentTask is the one that matters now: the first in progress, else the first
// that isn't done; -1 when all are done.
func currentTask(items []prompts.Todo) int {
	pending := -1
	for i, t := range items {
		switch {
		case t.Status == prompts.InProgress:
			return i
		case t.Status == prompts.Pending && pending < 0:
			pending = i
		}
	}
	return pending
}

// tasksLine is the folded checklist: how far it is, and what matters now.
func tasksLine(list prompts.TodoList, width int, th *theme) string {
	left := fmt.Sprintf("  %d/%d ", list.Done, list.Total)
	i := currentTask(list.Items)
	if i < 0 {
		return fit(th.muted.Render(left+th.tr("tasks done")), width)
	}
	mark, style := taskStyle(list.Items[i].Status, th)
	return fit(th.muted.Render(left)+mark+" "+style.Render(short(list.Items[i].Content, width-len(left)-4)), width)
}

// tasksTitle heads the checklist: whose it is, where there are several agents.
func (m *Model) tasksTitle(width int) string {
	if m.tasksOf == "" {
		return m.tr("Tasks")
	}
	return short(m.tasksOf, width)
}

// tasksColumn is the checklist in height rows, around the task that matters
// now, which may take several.
func tasksColumn(title string, list prompts.TodoList, height int, th *theme) []string {
	head := spread(th.strong.Render(title), th.muted.Render(fmt.Sprintf("%d/%d", list.Done, list.Total)), tasksWidth-3)
	var rows []string
	now := currentTask(list.Items)
	at := 0
	for i, t := range list.Items {
		limit := 1
		if i == now {
			limit, at = activeRows, len(rows)
		}
		rows = append(rows, taskRows(t, tasksWidth-3, limit, th)...)
	}
	if now < 0 {
		at = len(rows)
	}
	return append([]string{head}, around(rows, at, max(1, height-1), th)...)
}

// around cuts rows to a window with the row at in its upper part, and counts
// what is left out.
func around(rows []string, at, height int, th *theme) []string {
	if len(rows) <= height {
		return rows
	}
	first := max(0, min(at-height/3, len(rows)-height))
	cut := append([]string{}, rows[first:first+height]...)
	if first > 0 && height > 2 {
		cut[0] = th.muted.Render("▲ " + th.n(first+1, "%s row above", "%s rows above"))
	}
	if below := len(rows) - first - height; below > 0 {
		cut[height-1] = th.muted.Render("▼ " + th.n(below+1, "%s more row", "%s more rows"))
	}
	return cut
}

// taskRows draws one task in at most limit rows.
func taskRows(t prompts.Todo, width, limit int, th *theme) []string {
	mark, text := taskStyle(t.Status, th)
	rows := words(t.Content, width-2)
	if len(rows) > limit {
		rows = rows[:limit]
		rows[limit-1] = diffview.Truncate(rows[limit-1]+" …", width-2)
	}
	return beside(mark, 2, rows, text)
}

func taskStyle(s prompts.Status, th *theme) (mark string, text *brush) {
	switch s {
	case prompts.Done:
		return th.good.Render("✓"), th.struck
	case prompts.InProgress:
		return th.accent.Render("▸"), th.strong
	}
	return th.muted.Render("○"), th.text
}

// showTasks opens the whole checklist, each task in full.
func (m *Model) showTasks() tea.Cmd {
	if m.tasks.Total == 0 {
		m.say(m.tr("the agent has made no checklist"))
		return nil
	}
	cmd := m.open(tasksSheet, func() []string {
		rows, _ := m.allTasks()
		return rows
	})
	_, now := m.allTasks()
	m.sheet.scroll(now - m.height/3)
	return cmd
}

// allTasks are the rows of the whole checklist, and the one with the task that
// matters now.
func (m *Model) allTasks() (rows []string, now int) {
	th := &m.theme
	done := th.muted.Render(m.tr("%d of %d done", m.tasks.Done, m.tasks.Total))
	current := currentTask(m.tasks.Items)
	rows = []string{spread(th.heading.Render(m.tasksTitle(m.width/2)), done, m.width-margin-1), ""}
	for i, t := range m.tasks.Items {
		if i == current {
			now = len(rows)
		}
		number := th.muted.Render(fmt.Sprintf("%3d ", i+1))
		for _, r := range taskRows(t, max(1, m.width-margin-6), 1000, th) {
			rows = append(rows, pad(number, 4)+r)
			number = ""
		}
	}
	return rows, now
}
