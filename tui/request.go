package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

const (
	margin = 2  // columns that are ours, left of everything
	labels = 13 // columns for the label of a fact
)

// requestBody draws a request: what will run, who asks and why, the facts, and
// the content. Column 0 and the labels are drawn by us only.
func (m *Model) requestBody(w *waiting) body {
	if m.summarized(w) {
		return m.summaryBody(w)
	}
	var b body
	b.head = m.addRequest(&b, w)
	return b
}

// addRequest adds all there is to see of a request, and returns how many rows
// come before its content.
func (m *Model) addRequest(b *body, w *waiting) (head int) {
	th, width := &m.theme, m.width
	p := &w.approval.Prompt
	inner := width - margin - 1
	b.add(headline(p.Request, th, inner).indent(margin))
	b.include(facts(p, th, inner, factsView{covers: m.coversLabel(p), full: w.full, grants: m.modeOf(w) == gate.AlwaysAskCached}), margin)
	b.addRows(indent(w.editedRows(th, inner), margin)...)
	head = b.n
	if rows := detail(p.Request, th, inner); len(rows) > 0 {
		b.addRows(indent(rows, margin)...)
	}
	if !w.ready {
		b.addRows(strings.Repeat(" ", margin) + th.muted.Render(m.tr("the changes are being compared …")))
	}
	for i, d := range w.diffs {
		if rows := w.fileRows(i, th, inner); len(rows) > 0 {
			b.addRows(indent(rows, margin)...)
		}
		o := diffview.RenderOptions{Width: inner, Style: th.diff, Split: w.splits(width), Wrap: !w.cut, Left: w.left, LineRows: -1, Unchanged: m.unchanged}
		w.addDiff(b, i, d, o, th)
	}
	return head
}

// detail is what will run, when the headline doesn't say it all.
func detail(r gate.Request, th *theme, width int) []string {
	headlined := len(r.Targets) == 0 && r.Kind != gate.NoKind && r.Kind != gate.MCPTool || slices.Equal(r.Targets, []string{r.Detail})
	if r.Detail == "" || headlined || slices.Contains(addresses(r), r.Detail) {
		return nil
	}
	return prefixed(th.rule.Render("│ "), wrap(r.Detail, width-2))
}

// prefixed puts the same mark before every row.
func prefixed(mark string, rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = mark + r
	}
	return out
}

// fileRows names a file above its diff, unless the headline does.
func (w *waiting) fileRows(i int, th *theme, width int) []string {
	r := &w.approval.Prompt.Request
	c := r.Diff[i]
	if len(r.Diff) == 1 && len(r.Targets) == 1 && r.Targets[0] == c.Path {
		return nil
	}
	name := diffview.Wrap(line(c.Path), max(1, width-labels-14))
	rows := beside(th.label.Render(th.tr("file")), labels, name, th.strong)
	changes := th.muted.Render(th.tr("binary"))
	if !w.diffs[i].Binary {
		added, removed := w.kept(i)
		changes = counts(added, removed, th)
	}
	rows[len(rows)-1] += "  " + changes
	return rows
}

func counts(added, removed int, th *theme) string {
	return th.added.Render(fmt.Sprintf("+%d", added)) + " " + th.removed.Render(fmt.Sprintf("−%d", removed))
}
