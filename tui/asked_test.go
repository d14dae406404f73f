package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// richPlan has every kind of block that plans are written in.
var richPlan = func() prompts.Question {
	q := pagerPlan
	q.Header, q.Agent = "Plan", "opencode"
	q.Before = "# Fix the pager\n\nThe rounding is wrong.\n\n## Steps\n\n1. change it\n"
	q.Document = "# Fix the pager\n\nThe rounding is wrong when `total` isn't a multiple of\nthe *size*, so that the **last page**\nis lost.\n\n" +
		"## Steps\n\n1. change **Pages** in `pager.go`\n2. add a table test\n   - zero size\n   - exact multiple\n     which goes on\n\n- [x] find it\n- [ ] fix it\n\n" +
		"## Cases\n\n| items | size | pages |\n|---|:-:|---|\n| 25 | 10 | 3, since the last five need one of their own |\n| 20 | 10 | 2 |\n\n" +
		"```go\nreturn (p.total + p.size - 1) / p.size\n```\n\n## What stays\n\n> Nothing else changes,\n> not even `Bounds`.\n"
	return q
}()

var richPages = []prompts.Question{
	{Header: "Layout", Text: "How shall the pages be laid out?", Agent: "opencode", Position: 1, Of: 3, Options: []prompts.Option{
		{Label: "List", Description: "one below the other", Preview: "┌──────┐\n│ one  │\n│ two  │\n└──────┘"},
		{Label: "Grid", Description: "side by side", Preview: "┌───┬───┐\n│ 1 │ 2 │\n└───┴───┘"}, {Label: "As now"}}},
	{Header: "Cases", Text: "Which cases shall the test have?", Agent: "opencode", Position: 2, Of: 3, MultiSelect: true, Options: []prompts.Option{
		{Label: "A last page that isn't full", Description: "25 items on pages of 10"}, {Label: "No items"}, {Label: "A page size of 0", Description: "must not crash"}}},
	{Header: "Name", Text: "What is the branch called?", Agent: "opencode", Position: 3, Of: 3, Optional: true},
}

// The screens of questions, plans and the checklist (APR-40, APR-40a, APR-41,
// APR-43, P19). Look at the files when they change.
func TestGoldenAsked(t *testing.T) {
	group := func(m *Model) *group {
		m.Update(Questions{ID: 9, Questions: richPages})
		return m.queue.current().group
	}
	screens := map[string]func(m *Model){
		"question": func(m *Model) {
			m.Update(Question{ID: 9, Question: several()})
			m.queue.current().chosen[1] = true
		},
		"note": func(m *Model) {
			q := choice
			q.Notes = true
			m.Update(Question{ID: 9, Question: q})
			m.openNote()
			m.reason.insert("but a dark one")
		},
		"text":  func(m *Model) { m.Update(Question{ID: 9, Question: richPages[2]}) },
		"pages": func(m *Model) { group(m) },
		"several": func(m *Model) {
			g := group(m)
			g.pages[0].given = &prompts.Answer{Text: "Grid"}
			m.turnTo(g, 1)
			m.queue.current().chosen[2] = true
		},
		"answers": func(m *Model) {
			g := group(m)
			g.pages[0].given = &prompts.Answer{Text: "Grid", Note: "but not on phones"}
			m.turnTo(g, 3)
		},
		"other": func(m *Model) {
			group(m)
			m.queue.current().words.insert("a table, with a head that stays")
		},
		"review": func(m *Model) { m.Update(Question{ID: 9, Question: richPlan}) },
		"comments": func(m *Model) {
			m.Update(Question{ID: 9, Question: richPlan})
			p := m.queue.current().plan
			p.comment(3, "say by how much")
			p.comment(10, "and a size of 1")
			p.cursor = 10
		},
		"changes": func(m *Model) {
			m.Update(Question{ID: 9, Question: richPlan})
			w := m.queue.current()
			m.Update(diffsMsg{9, 0, compute(planChange(w))})
			m.toggleChanges()
		},
		"tasks":     func(m *Model) { m.Update(checklist(50, 20)) },
		"all-tasks": func(m *Model) { m.Update(checklist(50, 20)); m.showTasks() },
	}
	goldens(t, "asked/", begun(screens))
}

// Whatever an agent writes into questions, plans and tasks, no control byte
// gets through, no row is too wide, and content doesn't reach the margin.
func TestHostileQuestions(t *testing.T) {
	t.Parallel()
	for _, s := range append(hostile, strings.Repeat("> ", 400)+"x", strings.Repeat("  - ", 300)+"x", "|"+strings.Repeat("a|", 300)+"\n|"+strings.Repeat("-|", 300), strings.Repeat("*", 5000), strings.Repeat("*a ", 3000), "```"+strings.Repeat("\nx", 300)) {
		for _, size := range [][2]int{{40, 12}, {120, 40}} {
			bubble(t, Options{Agent: s}, func(b *bench) {
				b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				doc := "# " + s + "\n" + s + "\n\n- " + s + "\n\n> " + s + "\n\n| " + s + " | b |\n|---|---|\n| " + s + " | x |\n\n```" + s + "\n" + s + "\n"
				b.send(Tasks{List: prompts.TodoList{Total: 2, Items: []prompts.Todo{{Content: s, Status: prompts.InProgress}, {Content: s, Status: prompts.Pending}}}})
				checkControls(t, b.Model)
				q := prompts.Question{Header: s, Text: s, Agent: s, Notes: true, Options: []prompts.Option{{Label: s, Description: s, Preview: s}, {Label: "b" + s, Preview: "p"}}}
				b.group(q, q)
				checkControls(t, b.Model)
				b.fill()
				checkControls(t, b.Model)
				b.key("ctrl+c")
				q.Document, q.Before = doc, s
				b.question(q)
				checkControls(t, b.Model)
				b.key("f3")
				b.send(tea.PasteMsg{Content: s})
				b.key("enter")
				for range 5 {
					checkControls(t, b.Model)
					checkMargin(t, b)
					b.key("pgdown")
				}
				b.key("f4")
				checkControls(t, b.Model)
				b.key("esc", "esc")
				b.key("alt+t")
				checkControls(t, b.Model)
			})
		}
	}
}

func checkMargin(t *testing.T, b *bench) {
	t.Helper()
	w := b.queue.current()
	for _, row := range w.body.rows(w.offset, w.end()) {
		if plain := ansi.Strip(row); plain != "" && !strings.HasPrefix(plain, strings.Repeat(" ", margin)) {
			t.Fatalf("content in the margin: %q", plain)
		}
	}
}
