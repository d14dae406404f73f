package diffview

// EachLine draws exactly one row for each of the piece's lines, which git
// asks of a filter for interactive commands: it counts them.
func (p Piece) EachLine(o RenderOptions) []string {
	o.Wrap, o.Split = false, false
	o = o.withDefaults()
	pens := newPalette(o.Style)
	heading := func(pen pen, line []byte) string { return pen.draw(Truncate(Escape(string(line)), o.Width)) }
	rows := make([]string, 0, len(p.Lines))
	for _, line := range p.Lines[:p.Header] {
		rows = append(rows, heading(pens.note, line))
	}
	if p.Diff == nil {
		return rows
	}
	paint := &painter{diff: p.Diff, layout: p.Diff.layout(o), options: o, palette: pens}
	hunk := -1
	var drawn []string
	for _, line := range p.Lines[p.Header:] {
		switch {
		case len(drawn) == 0 && isHunk(line):
			hunk++
			rows = append(rows, heading(pens.hunk, line))
			if hunk < len(p.Diff.Hunks) {
				drawn = paint.unified(&p.Diff.Hunks[hunk])
			}
		case len(line) > 0 && line[0] == '\\', len(drawn) == 0:
			rows = append(rows, heading(pens.note, line))
		default:
			rows, drawn = append(rows, drawn[0]), drawn[1:]
		}
	}
	return rows
}

// unified draws one row for each line of a hunk.
func (p *painter) unified(h *Hunk) []string {
	var rows []string
	for _, b := range h.blocks {
		marks := p.diff.marks(b)
		for i := range b.unified() {
			rows = append(rows, p.line(p.read(b, i, marks), p.layout.frames[0], false)...)
		}
	}
	return rows
}
