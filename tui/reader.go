package tui

// A block is a run of rows that are drawn when they are needed.
type block struct {
	n    int
	draw func(from, to int) []string

	code *diffPart // the rows of a diff that these are, or nil
}

func rowsBlock(rows []string) block {
	return block{n: len(rows), draw: func(from, to int) []string { return rows[from:to] }}
}

// indent puts blanks before each row.
func (b block) indent(by int) block {
	draw := b.draw
	b.draw = func(from, to int) []string { return indent(draw(from, to), by) }
	return b
}

// all are the rows, drawn.
func (b block) all() []string { return b.draw(0, b.n) }

// body is the content of a request or a question: its rows from first to
// last.
type body struct {
	blocks []block
	n      int
	// head is how many rows come before the content proper.
	head int
	// short says that the head stands for all of it, and that the rest is
	// shown in full screen only.
	short bool
	// hunks are the rows in which the hunks of the diffs begin.
	hunks []int
	at    []hunkAt   // which those are
	of    []diffPart // and their rows
}

func (b *body) add(bl block) {
	if bl.n > 0 {
		b.blocks = append(b.blocks, bl)
		b.n += bl.n
	}
}

func (b *body) addRows(rows ...string) { b.add(rowsBlock(rows)) }

// include adds what o holds, with blanks before each row.
func (b *body) include(o body, by int) {
	for _, bl := range o.blocks {
		b.add(bl.indent(by))
	}
}

// rows draws the rows [from, to).
func (b *body) rows(from, to int) []string {
	var out []string
	start := 0
	for _, bl := range b.blocks {
		lo, hi := max(from-start, 0), min(to-start, bl.n)
		if lo < hi {
			out = append(out, bl.draw(lo, hi)...)
		}
		start += bl.n
	}
	return out
}

// reader is a window on a body that remembers which rows were on the screen
// (BEY-03).
type reader struct {
	total  int // rows in all
	limit  int // rows that can be reached in the present view
	height int // rows of the window
	offset int // the window's first row
	seen   int // the rows before this one were all on the screen

	// The rows from head to past were read before those above them changed.
	head, past int
}

// measure takes over new sizes. When the rows were broken anew, what was seen
// is seen no longer, unless it was everything.
func (r *reader) measure(total, limit, height int, broken bool) {
	if broken {
		all := r.total > 0 && r.seen >= r.total
		r.offset, r.seen, r.head, r.past = 0, 0, 0, 0
		if all {
			r.seen = total
		}
	}
	r.total, r.limit, r.height = total, min(limit, total), max(0, height)
	r.scroll(0)
}

func (r *reader) scroll(by int) {
	r.offset = max(0, min(r.offset+by, r.limit-r.height))
}

// page scrolls a window's height, less one row to find one's place by.
func (r *reader) page(by int) { r.scroll(by * max(1, r.height-1)) }

func (r *reader) end() int { return max(0, min(r.offset+r.height, r.limit)) }

// mark notes that the window was on the screen.
func (r *reader) mark() {
	if r.offset <= r.seen {
		r.seen = max(r.seen, r.end())
	}
	if r.seen >= r.head {
		r.seen = max(r.seen, r.past)
	}
}

// rehead notes that other rows stand above the content, is in place of was.
// They have to be read; the content keeps its place, and what of it was read.
func (r *reader) rehead(was, is int) {
	past := max(r.past-r.head, r.seen-was, 0)
	r.seen, r.head, r.past = 0, is, is+past
	if r.offset > 0 {
		r.offset = max(0, r.offset+is-was)
	}
}

// unseen is how many rows were never on the screen.
func (r *reader) unseen() int { return max(0, r.total-r.seen) }

// fresh moves to the first row that was never on the screen.
func (r *reader) fresh() { r.scroll(r.seen - r.offset) }
