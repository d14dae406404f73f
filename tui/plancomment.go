package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// moveComments puts each comment on the line nearest to where it was that
// reads as its quote; where there is none it keeps its number.
func (p *planReview) moveComments() {
	lines := sourceLines(p.text)
	moved := slices.Clone(p.comments)
	for i, c := range moved {
		moved[i].Line = min(c.Line, len(lines))
		best := -1
		for n, l := range lines {
			if strings.TrimSpace(l) == c.Quote && (best < 0 || abs(n+1-c.Line) < abs(best-c.Line)) {
				best = n + 1
			}
		}
		if best > 0 {
			moved[i].Line = best
		}
	}
	slices.SortStableFunc(moved, func(a, b prompts.Comment) int { return a.Line - b.Line })
	p.comments = moved
	p.cursor = min(p.cursor, len(lines))
}

func abs(n int) int { return max(n, -n) }

// openComment opens the line that comments on the line of the cursor, with the
// comment that it has.
func (m *Model) openComment() tea.Cmd {
	w := m.queue.current()
	p := w.plan
	if p.changes {
		m.say(m.tr("comments go on lines of the plan: leave the changes first"))
		return nil
	}
	m.over = commentLine
	m.reason.clear()
	if i, ok := p.commentOn(p.cursor); ok {
		m.reason.insert(p.comments[i].Text)
	}
	return nil
}

func (p *planReview) commentOn(line int) (int, bool) {
	return slices.BinarySearchFunc(p.comments, line, func(c prompts.Comment, l int) int { return c.Line - l })
}

// keepComment ends the line of a comment; an empty one takes the comment back.
func (m *Model) keepComment() tea.Cmd {
	w := m.queue.current()
	w.plan.comment(w.plan.cursor, m.reason.take())
	m.over = noSheet
	return nil
}

func (m *Model) dropComment() tea.Cmd {
	w := m.queue.current()
	if _, ok := w.plan.commentOn(w.plan.cursor); !ok {
		m.say(m.tr("line %d has no comment", w.plan.cursor))
		return nil
	}
	w.plan.comment(w.plan.cursor, "")
	return nil
}

func (p *planReview) comment(line int, text string) {
	i, found := p.commentOn(line)
	switch {
	case found && text == "":
		p.comments = slices.Delete(slices.Clone(p.comments), i, i+1)
	case found:
		p.comments = slices.Clone(p.comments)
		p.comments[i].Text = text
	case text != "":
		quote := sourceLines(p.text)[line-1]
		p.comments = slices.Insert(slices.Clone(p.comments), i, prompts.Comment{Line: line, Quote: strings.TrimSpace(quote), Text: text})
	}
	p.version++
}

// jumpComment goes to the next comment, round and round.
func (m *Model) jumpComment() {
	w := m.queue.current()
	p := w.plan
	if len(p.comments) == 0 || p.changes {
		m.say(m.tr("there are no comments yet: c makes one on the marked line"))
		return
	}
	next := p.comments[0].Line
	for _, c := range p.comments {
		if c.Line > p.cursor {
			next = c.Line
			break
		}
	}
	p.cursor = next
	w.reveal(p.row(next) + 1)
	w.reveal(p.row(next))
}
