package diffview

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

const (
	noteSign = "! "
	divider  = " │ "
	foldSign = "⋯ "
)

// Rows draws the whole diff. No row is wider than o.Width or holds a control
// byte other than the colours of o.Style. A row of content begins with its
// line numbers and sign, or with spaces in their place; rows that begin
// otherwise, notes and folds, are ours (P08).
func (d *Diff) Rows(o RenderOptions) []string {
	return d.Slice(o, 0, d.Len(o))
}

// Len is how many rows there are. Without Wrap it takes no time. With Wrap the
// first call for a width measures every line, which for a file of 50 MB is a
// matter of a quarter of a second: make it where Compute is called.
func (d *Diff) Len(o RenderOptions) int {
	return d.layout(o.withDefaults()).rows
}

// HunkRow is the first row of hunk i, for jumping to it.
func (d *Diff) HunkRow(o RenderOptions, i int) int {
	l := d.layout(o.withDefaults())
	return l.sections[l.hunks[i]].row
}

// Slice draws only the rows from from up to, not including, to. Rows that
// don't exist are left out.
func (d *Diff) Slice(o RenderOptions, from, to int) []string {
	o = o.withDefaults()
	l := d.layout(o)
	from, to = max(from, 0), min(to, l.rows)
	if from >= to {
		return nil
	}
	p := &painter{diff: d, layout: l, options: o, palette: newPalette(o.Style)}
	rows := make([]string, 0, to-from)
	for i := l.at(from); i < len(l.sections) && l.sections[i].row < to; i++ {
		s := &l.sections[i]
		rows = p.section(rows, s, max(from-s.row, 0), min(to-s.row, s.rows()))
	}
	return rows
}

// Changes says of each of the rows that [Diff.Slice] draws whether it is of a
// line that is added or removed.
func (d *Diff) Changes(o RenderOptions, from, to int) []bool {
	l := d.layout(o.withDefaults())
	from, to = max(from, 0), min(to, l.rows)
	if from >= to {
		return nil
	}
	changes := make([]bool, to-from)
	for i := l.at(from); i < len(l.sections) && l.sections[i].row < to; i++ {
		s := &l.sections[i]
		for row := max(from, s.row); row < min(to, s.row+s.rows()); row++ {
			changes[row-from] = s.note == "" && s.fold == 0 && !s.block.same
		}
	}
	return changes
}

// A painter draws rows of one layout.
type painter struct {
	diff    *Diff
	layout  *layout
	options RenderOptions
	*palette
}

// section appends the rows from up to to of a section.
func (p *painter) section(rows []string, s *section, from, to int) []string {
	switch {
	case s.note != "":
		return append(rows, p.note.draw(Truncate(s.note, p.options.Width)))
	case s.fold > 0:
		text := foldSign + p.options.unchanged(s.fold)
		if s.heading != "" {
			text += " · " + Escape(s.heading)
		}
		return append(rows, p.hunk.draw(Truncate(text, p.options.Width)))
	}
	marks := p.diff.marks(s.block)
	for at := from; at < to; {
		item, first, end := s.item(at)
		drawn := p.item(s.block, item, marks)
		rows = append(rows, drawn[at-first:min(end, to)-first]...)
		at = end
	}
	return rows
}

func (o *RenderOptions) unchanged(n int) string {
	if o.Unchanged != nil {
		return Escape(o.Unchanged(n))
	}
	return count(n, "unchanged line")
}

// count is a number of things, in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// item draws all rows of one item of a block.
func (p *painter) item(b block, i int, marks marks) []string {
	frames := p.layout.frames
	switch {
	case b.empties:
		return p.emptiesRow(b)
	case !p.options.Split:
		return p.line(p.read(b, i, marks), frames[0], false)
	case b.same:
		left := p.read(b, i, marks)
		right := left
		left.New, right.Old = 0, 0
		return p.join(p.line(left, frames[0], true), p.line(right, frames[1], false))
	}
	var left, right []string
	if i < b.oldN {
		left = p.line(p.read(b, i, marks), frames[0], true)
	}
	if i < b.newN {
		right = p.line(p.read(b, b.oldN+i, marks), frames[1], false)
	}
	return p.join(left, right)
}

// read is line i of a block in unified order, with the colours known so far.
func (p *painter) read(b block, i int, marks marks) Line {
	l := p.diff.line(b, i, marks)
	l.signs = p.options.Words
	switch {
	case l.Op == Removed:
		l.syntax = p.diff.oldColors.line(b.old + i)
	case b.same:
		l.syntax = p.diff.newColors.line(b.new + i)
	default:
		l.syntax = p.diff.newColors.line(b.new + i - b.oldN)
	}
	return l
}

// emptiesRow stands for a run of empty lines.
func (p *painter) emptiesRow(b block) []string {
	old := Line{Op: Removed, Old: b.from.a + b.old + 1}
	new := Line{Op: Added, New: b.from.b + b.new + 1}
	both := Line{Op: Context, Old: old.Old, New: new.New}
	n := max(b.oldN, b.newN)
	f := p.layout.frames
	switch {
	case p.options.Split && b.same:
		left, right := both, both
		left.New, right.Old = 0, 0
		return p.join(p.counted(left, n, f[0], true), p.counted(right, n, f[1], true))
	case p.options.Split && b.oldN > 0:
		return p.join(p.counted(old, n, f[0], true), nil)
	case p.options.Split:
		return p.join(nil, p.counted(new, n, f[1], true))
	case b.same:
		return p.counted(both, n, f[0], false)
	case b.oldN > 0:
		return p.counted(old, n, f[0], false)
	}
	return p.counted(new, n, f[0], false)
}

// counted is a row for n empty lines that begin with l.
func (p *painter) counted(l Line, n int, f frame, pad bool) []string {
	text := Truncate(countedLines(n), f.text)
	row := p.gutter(l, f, true) + p.escape[l.Op].draw(text)
	if pad {
		row += strings.Repeat(" ", f.text-Width(text))
	}
	return []string{row}
}

// join puts halves side by side.
func (p *painter) join(left, right []string) []string {
	f := p.layout.frames
	rows := make([]string, max(len(left), len(right)))
	for i := range rows {
		l, r := strings.Repeat(" ", f[0].width), ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		rows[i] = l + p.palette.gutter.draw(divider) + r
	}
	return rows
}

// line draws all rows of one line.
func (p *painter) line(l Line, f frame, pad bool) []string {
	c := &canvas{palette: p.palette, line: l, width: f.text, pad: pad || p.fill[l.Op]}
	var texts []string
	if p.options.Wrap {
		texts = c.wrapped(p.options.LineRows)
	} else {
		texts = []string{c.cut(p.options.Left)}
	}
	for i := range texts {
		texts[i] = p.gutter(l, f, i == 0) + texts[i]
	}
	return texts
}

// gutter draws line numbers and sign. Further rows of a line have its sign
// only.
func (p *painter) gutter(l Line, f frame, first bool) string {
	var numbers bytes.Buffer
	column := func(n int) {
		if first && n > 0 {
			fmt.Fprintf(&numbers, "%*d ", f.digits, n)
		} else {
			fmt.Fprintf(&numbers, "%*s ", f.digits, "")
		}
	}
	switch f.numbers {
	case 2:
		column(l.Old)
		column(l.New)
	case 1:
		column(max(l.Old, l.New))
	}
	sign := l.Op.String()
	if f.gutter() > numbers.Len()+1 {
		sign += " "
	}
	var s strip
	if numbers.Len() > 0 {
		s.put(p.palette.gutter, numbers.Bytes())
	}
	s.put(p.text[l.Op], []byte(sign))
	return s.take()
}
