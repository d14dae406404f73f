package tui

import (
	"fmt"
	"strings"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// Where arrows and Enter answer, the request leaves the composer its room: what
// it would do is one row, and all of it is behind ctrl+o (TAM-22). What that
// row leaves out hasn't been read, so that an approval shows it first (BEY-03).

// summarized reports whether w is drawn in short.
func (m *Model) summarized(w *waiting) bool {
	return m.opts.AnswerKeys == AnswerList && w.approval != nil && !w.full
}

// summaryBody is the request in short: one row of its details, who asks and
// why, and, out of reach, everything that this leaves out.
func (m *Model) summaryBody(w *waiting) body {
	th, inner := &m.theme, m.width-margin-1
	p := &w.approval.Prompt
	row, whole := w.summary(th, inner)
	var b body
	b.addRows(indent([]string{row}, margin)...)
	b.addRows(indent(w.editedNotice(th), margin)...)
	b.include(facts(p, th, inner, factsView{covers: m.coversLabel(p), brief: true, grants: m.modeOf(w) == gate.AlwaysAskCached}), margin)
	b.head, b.short = b.n, true
	if !whole {
		m.addRequest(&b, w)
	}
	return b
}

// summary is the first line of each detail of a request, in one row, and
// whether that is all of them. It is made from what will run.
func (w *waiting) summary(th *theme, width int) (row string, whole bool) {
	r := w.approval.Prompt.Request
	whole = len(r.Diff) == 0 && len(addressFacts(r, th, width)) == 0
	var details []string
	add := func(before string, lines []string) {
		if len(lines) > 1 {
			whole = false
			lines = []string{lines[0] + " …"}
		}
		details = append(details, before+lines[0])
	}
	for _, lines := range subject(r, &th.wording) {
		add("", lines)
	}
	if says := detail(r, th, width); len(says) > 0 {
		add("", compact(r.Detail))
	}
	for _, f := range r.Fields {
		f = th.told(f)
		add(line(f.Label)+": ", diffview.EscapeLines(f.Value))
	}
	if r.Dir != "" && r.Dir != r.Origin.Workspace {
		add(th.tr("in")+" ", diffview.EscapeLines(r.Dir))
	}
	for i, d := range w.diffs {
		changes := th.tr("binary")
		if !d.Binary {
			added, removed := w.kept(i)
			changes = fmt.Sprintf("+%d −%d", added, removed)
		}
		if len(w.fileRows(i, th, width)) > 0 {
			changes = line(r.Diff[i].Path) + " " + changes
		}
		details = append(details, changes)
	}
	label := kindLabel(r, th)
	room := max(1, width-labels)
	text := strings.Join(details, " · ")
	if diffview.Width(text) > room {
		whole = false
		text = diffview.Truncate(text, room)
	}
	return pad(label, labels) + th.headline.Render(text), whole
}

// compact is the escaped lines of a detail, JSON as one: its ends of lines are
// only there to make it easy to read.
func compact(detail string) []string {
	if !strings.HasPrefix(detail, "{\n") && !strings.HasPrefix(detail, "[\n") {
		return diffview.EscapeLines(detail)
	}
	lines := strings.Split(detail, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], " ")
	}
	return []string{line(strings.Join(lines, " "))}
}

// editedNotice says that the request is no longer what the agent sent.
func (w *waiting) editedNotice(th *theme) []string {
	if w.rev.written == nil {
		return nil
	}
	return beside(th.warn.Render(th.tr("you edited")), labels, []string{th.tr("this is yours, not what the agent proposed")}, th.text)
}
