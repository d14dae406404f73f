package diffview

import (
	"sort"
	"strconv"
	"sync"
)

// RenderOptions say how a [Diff] is drawn.
type RenderOptions struct {
	Width int // columns; no row is wider
	Style Style
	// Split draws old and new side by side, from 40 columns on.
	Split bool
	// Words puts the words that differ between signs, ⟨-old-⟩ and ⟨+new+⟩, so
	// that they can be told without colours.
	Words bool
	// Wrap folds long lines; else they are cut, and what is hidden is counted
	// in the row.
	Wrap bool
	// Left is how many columns of each line are scrolled out on the left; it
	// has no effect with Wrap.
	Left int
	// LineRows is how many rows a wrapped line may take, the rest being
	// counted in one more; 0 means 400, a negative number no limit.
	LineRows int
	// Unchanged says how many lines are left out, in another language; nil
	// says it in English.
	Unchanged func(n int) string
}

func (o RenderOptions) withDefaults() RenderOptions {
	o.Width = max(o.Width, 1)
	o.Left = max(o.Left, 0)
	if o.LineRows == 0 {
		o.LineRows = 400
	}
	if o.Wrap {
		o.Left = 0
	}
	o.Split = o.Split && o.Width >= minSplit
	return o
}

// minSplit is the least width in which two columns make sense.
const minSplit = 40

// A frame is where things stand in a row.
type frame struct {
	width   int // of the row, or of its half
	digits  int // of a line number
	numbers int // columns of line numbers: 2, 1 or none
	text    int // columns for the text
}

// newFrame gives up line numbers where there is little room.
func newFrame(width, numbers, digits int) frame {
	f := frame{width: width, digits: digits, numbers: numbers}
	for f.gutter()+minText > width && f.numbers > 0 {
		f.numbers--
	}
	f.text = max(width-f.gutter(), 0)
	return f
}

// minText columns of text are worth more than a line number.
const minText = 16

// gutter is the columns before the text: numbers, sign and a space after each.
func (f frame) gutter() int {
	return min(f.numbers*(f.digits+1)+2, max(f.width-1, 1))
}

// A section is a part of the drawing whose rows are alike: a note, a row
// between hunks, or a block.
type section struct {
	row  int // of the first row
	note string
	fold int // unchanged lines left out
	// heading says what comes after the fold.
	heading string
	hunk    int
	block   block
	// starts holds the row of each item relative to the section, and their
	// sum at the end; nil if each item has one row.
	starts []int32
	items  int
}

func (s *section) rows() int {
	if s.starts != nil {
		return int(s.starts[s.items])
	}
	return s.items
}

// A layout tells what stands in which row.
type layout struct {
	key      layoutKey
	frames   [2]frame // the row or, if split, its halves
	sections []section
	hunks    []int // first section of each hunk
	rows     int
}

// A layoutKey holds the options on which a layout depends.
type layoutKey struct {
	width, lineRows int
	split, wrap     bool
	words           bool
}

// layouts keeps the last layout, as a screen asks for the same one with every
// frame.
type layouts struct {
	mu   sync.Mutex
	last *layout
}

func (d *Diff) layout(o RenderOptions) *layout {
	key := layoutKey{o.Width, o.LineRows, o.Split, o.Wrap, o.Words}
	d.layouts.mu.Lock()
	defer d.layouts.mu.Unlock()
	if l := d.layouts.last; l == nil || l.key != key {
		d.layouts.last = d.newLayout(key)
	}
	return d.layouts.last
}

func (d *Diff) newLayout(key layoutKey) *layout {
	l := &layout{key: key}
	digits := max(3, len(strconv.Itoa(d.lastLine())))
	if key.split {
		left := (key.width - Width(divider)) / 2
		l.frames = [2]frame{newFrame(left, 1, digits), newFrame(key.width-Width(divider)-left, 1, digits)}
	} else {
		l.frames[0] = newFrame(key.width, 2, digits)
	}
	for _, note := range d.Notes {
		for _, row := range Wrap(note, max(key.width-len(noteSign), 1)) {
			l.add(section{note: noteSign + row, items: 1})
		}
	}
	shown := 0 // old lines before the next row
	for i := range d.Hunks {
		h := &d.Hunks[i]
		l.hunks = append(l.hunks, len(l.sections))
		first := h.blocks[0].from.a + h.blocks[0].old
		l.fold(i, first-shown, h.Heading)
		for _, b := range h.blocks {
			l.block(d, i, b)
		}
		last := h.blocks[len(h.blocks)-1]
		shown = last.from.a + last.old + last.oldN
	}
	if len(d.Hunks) > 0 && !d.patch {
		l.fold(len(d.Hunks)-1, d.old.lines()-shown, "")
	}
	return l
}

// lastLine is the highest line number that may be drawn.
func (d *Diff) lastLine() int {
	last := max(d.old.lines(), d.new.lines())
	if d.patch {
		for _, h := range d.Hunks {
			last = max(last, h.OldStart+h.OldLines, h.NewStart+h.NewLines)
		}
	}
	return last
}

func (l *layout) fold(hunk, lines int, heading string) {
	if lines > 0 {
		l.add(section{fold: lines, heading: heading, hunk: hunk, items: 1})
	}
}

func (l *layout) add(s section) {
	s.row = l.rows
	l.rows += s.rows()
	l.sections = append(l.sections, s)
}

func (l *layout) block(d *Diff, hunk int, b block) {
	s := section{hunk: hunk, block: b}
	switch {
	case b.empties:
		s.items = 1
	case l.key.split:
		s.items = max(b.oldN, b.newN)
	default:
		s.items = b.unified()
	}
	if l.key.wrap && !b.empties {
		s.starts = make([]int32, s.items+1)
		m := marks{}
		if l.key.words {
			m = d.marks(b)
		}
		for i := range s.items {
			s.starts[i+1] = s.starts[i] + int32(l.height(d, b, i, m))
		}
	}
	l.add(s)
}

// height is how many rows item i of a block takes when wrapped.
func (l *layout) height(d *Diff, b block, i int, m marks) int {
	measure := func(i int, f frame) int {
		line := d.line(b, i, m)
		line.signs = l.key.words
		return height(line, f.text, l.key.lineRows)
	}
	if !l.key.split {
		return measure(i, l.frames[0])
	}
	rows := 1
	if i < b.oldN {
		rows = measure(i, l.frames[0])
	}
	if i < b.newN {
		right := i
		if !b.same {
			right += b.oldN
		}
		rows = max(rows, measure(right, l.frames[1]))
	}
	return rows
}

// at is the index of the section that holds a row.
func (l *layout) at(row int) int {
	return sort.Search(len(l.sections), func(i int) bool { return l.sections[i].row > row }) - 1
}

// item is which item of a section holds row i of it, and the rows of that item
// from first up to end.
func (s *section) item(i int) (item, first, end int) {
	if s.starts == nil {
		return i, i, i + 1
	}
	item = sort.Search(s.items, func(k int) bool { return int(s.starts[k+1]) > i })
	return item, int(s.starts[item]), int(s.starts[item+1])
}
