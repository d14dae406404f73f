package tui

import (
	"strconv"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// plainRequest is everything that there is to read about a request: the facts
// of the screen, and each changed line with its number and what becomes of it.
// Rows of content begin with words or blanks of ours.
func plainRequest(p *gate.Prompt, diffs []*diffview.Diff, mode gate.Mode, t *wording, width int) []string {
	th := &theme{wording: *t}
	rows := headline(p.Request, th, width).all()
	said := facts(p, th, width, factsView{full: true, grants: mode == gate.AlwaysAskCached})
	rows = append(rows, said.rows(0, said.n)...)
	rows = append(rows, detail(p.Request, th, width)...)
	for i, d := range diffs {
		rows = append(rows, plainDiff(p.Request.Diff[i].Path, d, t, width)...)
	}
	return rows
}

// plainDiff reads a diff line by line, counts first.
func plainDiff(path string, d *diffview.Diff, t *wording, width int) []string {
	said := t.tr("%s added, %s removed", t.n(d.Added, "%s line", "%s lines"), t.n(d.Removed, "%s line", "%s lines"))
	if d.Binary {
		said = t.tr("binary")
	}
	rows := plainRow("", t.tr("changes in %s: %s", line(path), said), t, width)
	for _, n := range d.Notes {
		rows = append(rows, plainRow(t.fact(t.tr("note"), ""), t.known(n), t, width)...)
	}
	for i := range d.Hunks {
		lines := d.Hunks[i].Lines()
		if len(d.Hunks) > 1 {
			rows = append(rows, t.tr("change %d of %d", i+1, len(d.Hunks)))
		}
		for at := 0; at < len(lines); {
			n := empties(lines[at:])
			rows = append(rows, plainLines(lines[at:at+n], t, width)...)
			at += n
		}
	}
	return rows
}

// empties is how many empty lines of one kind l begins with, but at least 1.
func empties(l []diffview.Line) int {
	n := 0
	for n < len(l) && len(l[n].Text) == 0 && l[n].Op == l[0].Op {
		n++
	}
	return max(n, 1)
}

// plainLines reads one line, or several that are all empty.
func plainLines(l []diffview.Line, t *wording, width int) []string {
	number := func(l diffview.Line) string {
		if l.Op == diffview.Removed {
			return strconv.Itoa(l.Old)
		}
		return strconv.Itoa(l.New)
	}
	lead := t.tr("line %s", number(l[0]))
	if len(l) > 1 {
		lead = t.tr("lines %s to %s", number(l[0]), number(l[len(l)-1]))
	}
	switch l[0].Op {
	case diffview.Removed:
		lead = t.tr("%s removed", lead)
	case diffview.Added:
		lead = t.tr("%s added", lead)
	}
	if len(l[0].Text) == 0 {
		return []string{t.tr("%s, empty", lead)}
	}
	return plainRow(t.fact(lead, ""), diffview.Escape(string(l[0].Text)), t, width)
}

// plainRow is escaped text behind a lead, on as many rows as it needs. Further
// rows say that they go on.
func plainRow(lead, text string, t *wording, width int) []string {
	on := "   " + t.fact(t.tr("goes on"), "")
	rows := diffview.Wrap(text, max(width-max(diffview.Width(lead), diffview.Width(on))-1, 10))
	for i := range rows {
		rows[i] = lead + rows[i]
		lead = on
	}
	return rows
}
