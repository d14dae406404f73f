package diffview

// An Op says what happened to a line. The zero Op is [Context].
type Op uint8

const (
	Context Op = iota // unchanged
	Removed
	Added
)

// String is the sign drawn before the line.
func (o Op) String() string {
	return [...]string{Context: " ", Removed: "-", Added: "+"}[o]
}

// A Line is one line of a hunk.
type Line struct {
	Op       Op
	Old, New int // numbers from 1; 0 on the side that doesn't have the line
	// Text is the line without the ending that all lines of its file have;
	// raw bytes, never to be drawn unescaped.
	Text []byte
	// Marks are the words that differ from the line it replaces, in order.
	Marks []Span

	syntax []syntaxSpan
	signs  bool // put signs around the marks
	first  int  // byte at which it begins to differ from that line, or 0
}

// A Span is a range of bytes.
type Span struct{ From, To int }

// A Hunk is a run of changes with the unchanged lines around them. Starts
// count from 1 and, when there are no lines on that side, name the line before.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	// Heading is what a patch says the lines belong to, such as a function;
	// raw bytes.
	Heading string

	diff   *Diff
	blocks []block
}

// A block is a run of lines of one kind: unchanged if same, else replaced. An
// empties block is three or more empty lines added, removed or unchanged, and
// is drawn as one row.
type block struct {
	edit
	same    bool
	empties bool
	// from is where in the file the texts' first lines stand. It is 0 unless a
	// patch, which holds a few lines of the file only, was read.
	from point
}

// Lines are the lines of the hunk in the order of a unified diff: in each
// change first what is removed, then what is added. They are made anew with
// each call; a created file of a million lines is one hunk.
func (h *Hunk) Lines() []Line {
	var lines []Line
	for _, b := range h.blocks {
		marks := h.diff.marks(b)
		for i := range b.unified() {
			lines = append(lines, h.diff.line(b, i, marks))
		}
	}
	return lines
}

// unified is how many lines the block has in a unified diff.
func (b block) unified() int {
	if b.same {
		return b.oldN
	}
	return b.oldN + b.newN
}

// line is line i of a block in unified order.
func (d *Diff) line(b block, i int, marks marks) Line {
	switch {
	case b.same:
		return Line{Op: Context, Old: b.from.a + b.old + i + 1, New: b.from.b + b.new + i + 1, Text: d.new.line(b.new + i)}
	case i < b.oldN:
		return Line{Op: Removed, Old: b.from.a + b.old + i + 1, Text: d.old.line(b.old + i), Marks: marks.old(i), first: marks.first(i, true)}
	}
	i -= b.oldN
	return Line{Op: Added, New: b.from.b + b.new + i + 1, Text: d.new.line(b.new + i), Marks: marks.new(i), first: marks.first(i, false)}
}

// hunks groups edits whose context would touch, or leave out a single line.
func hunks(d *Diff, edits []edit, context int) []Hunk {
	context = min(context, d.old.lines())
	var all []Hunk
	for i := 0; i < len(edits); {
		end := i + 1
		for end < len(edits) && edits[end].old-edits[end-1].old-edits[end-1].oldN <= 2*context+1 {
			end++
		}
		all = append(all, d.hunk(edits[i:end], context))
		i = end
	}
	return all
}

// reach is how many of n unchanged lines are context: all, if only one would be
// left out, since saying so takes a row too.
func reach(context, n int) int {
	if n <= context+1 {
		return n
	}
	return context
}

func (d *Diff) hunk(edits []edit, context int) Hunk {
	first, last := edits[0], edits[len(edits)-1]
	before := reach(context, first.old)
	after := reach(context, d.old.lines()-last.old-last.oldN)
	h := Hunk{diff: d}
	old, new := first.old-before, first.new-before
	h.OldStart, h.NewStart = old+1, new+1
	for _, e := range edits {
		h.add(block{edit: edit{old, e.old - old, new, e.new - new}, same: true})
		h.add(block{edit: e})
		old, new = e.old+e.oldN, e.new+e.newN
	}
	h.add(block{edit: edit{old, after, new, after}, same: true})
	h.OldLines, h.NewLines = old+after-h.OldStart+1, new+after-h.NewStart+1
	if h.OldLines == 0 {
		h.OldStart--
	}
	if h.NewLines == 0 {
		h.NewStart--
	}
	return h
}

// add appends a block, cut where three or more empty lines follow each other.
func (h *Hunk) add(b block) {
	if b.oldN+b.newN == 0 {
		return
	}
	t, start, n := h.diff.new, b.new, b.newN
	if n == 0 {
		t, start, n = h.diff.old, b.old, b.oldN
	}
	if b.oldN > 0 && b.newN > 0 && !b.same {
		if h.diff.old.empties(b.old, b.oldN) || h.diff.new.empties(b.new, b.newN) {
			h.add(block{edit: edit{b.old, b.oldN, b.new, 0}})
			h.add(block{edit: edit{b.old + b.oldN, 0, b.new, b.newN}})
			return
		}
		h.blocks = append(h.blocks, b)
		return
	}
	done := 0
	for i := 0; i < n; {
		run := t.empty(start+i, n-i)
		if run >= blankLines {
			h.cut(b, done, i-done, false)
			h.cut(b, i, run, true)
			done = i + run
		}
		i += max(run, 1)
	}
	h.cut(b, done, n-done, false)
}

// cut appends n lines of a one-sided or unchanged block.
func (h *Hunk) cut(b block, from, n int, empties bool) {
	if n == 0 {
		return
	}
	part := b
	part.empties = empties
	if b.oldN > 0 {
		part.old, part.oldN = b.old+from, n
	}
	if b.newN > 0 {
		part.new, part.newN = b.new+from, n
	}
	h.blocks = append(h.blocks, part)
}
