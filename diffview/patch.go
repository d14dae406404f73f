package diffview

import (
	"bufio"
	"bytes"
	"io"
)

// A Piece is what a [PatchReader] finds next: a file's diff or, with a nil
// Diff, a line that belongs to none.
type Piece struct {
	Diff *Diff
	// Lines are the lines of the input that were read for it, raw and without
	// their endings: those of the file's header, then those of the hunks.
	Lines  [][]byte
	Header int // how many of them come before the first hunk
	// Printed are the same lines with the colours that git gave them.
	Printed [][]byte
}

// A PatchReader reads a unified diff, as git and diff write them, one file at
// a time. What is no diff comes back line by line; a hunk that is shorter than
// it says ends where it ends, and nothing of the input is left out.
type PatchReader struct {
	in   *bufio.Reader
	next []patchLine // those that were looked at and not yet taken
	err  error
	dyes dyes
}

// A patchLine is one line without git's colours, and with them.
type patchLine struct{ plain, printed []byte }

// NewPatchReader reads from r.
func NewPatchReader(r io.Reader) *PatchReader {
	return &PatchReader{in: bufio.NewReaderSize(r, 1<<16)}
}

// Next returns the next piece, and at the end [io.EOF].
func (r *PatchReader) Next() (Piece, error) {
	line := r.peek(0)
	switch {
	case line == nil:
		return Piece{}, r.err
	case bytes.HasPrefix(line, []byte("diff --git ")):
		return r.file(), nil
	case bytes.HasPrefix(line, []byte("--- ")) && bytes.HasPrefix(r.peek(1), []byte("+++ ")) && isHunk(r.peek(2)):
		return r.file(), nil
	}
	p := Piece{Header: 1}
	r.take(&p)
	return p, nil
}

// peek looks at line i from here; nil is the end, or a failure.
func (r *PatchReader) peek(i int) []byte {
	for len(r.next) <= i && r.err == nil {
		line, err := r.in.ReadBytes('\n')
		if err != nil {
			r.err = err
		}
		if len(line) > 0 || err == nil {
			line = bytes.TrimSuffix(line, []byte{'\n'})
			r.next = append(r.next, patchLine{r.dyes.undye(line), line})
		}
	}
	if i < len(r.next) {
		return r.next[i].plain
	}
	return nil
}

// take adds the next line to a piece.
func (r *PatchReader) take(p *Piece) {
	line := r.next[0]
	r.next[0] = patchLine{}
	r.next = r.next[1:]
	p.Lines, p.Printed = append(p.Lines, line.plain), append(p.Printed, line.printed)
}

// file reads one file's header and hunks.
func (r *PatchReader) file() Piece {
	var p Piece
	h := patchHeader{}
	for line := r.peek(0); line != nil && !isHunk(line); line = r.peek(0) {
		if !h.read(line, len(p.Lines) == 0) {
			break
		}
		r.take(&p)
	}
	p.Header = len(p.Lines)
	b := patchBuilder{diff: &Diff{File: h.file(), patch: true}}
	for isHunk(r.peek(0)) {
		r.take(&p)
		b.open(p.Lines[len(p.Lines)-1])
		for line := r.peek(0); line != nil && b.add(line); line = r.peek(0) {
			r.take(&p)
		}
		b.close()
	}
	p.Diff = b.finish(&h)
	return p
}

// A patchBuilder turns hunks of a patch into a Diff, whose texts are the
// patch's own lines.
type patchBuilder struct {
	diff     *Diff
	old, new bytes.Buffer
	oldN     int // lines in old
	newN     int
	hunk     Hunk
	left     point // lines that the hunk still needs
	from     point
	run      block // the block that grows
	last     byte  // sign of the last line

	oldEnds, newEnds bool // the last line of each side has no newline
}

// open begins a hunk with its header, which has been looked at.
func (b *patchBuilder) open(line []byte) {
	h := parseHunk(line)
	h.diff = b.diff
	b.hunk, b.left = h, point{h.OldLines, h.NewLines}
	b.from = point{max(h.OldStart-1, 0) - b.oldN, max(h.NewStart-1, 0) - b.newN}
	if h.OldLines == 0 {
		b.from.a = h.OldStart - b.oldN
	}
	if h.NewLines == 0 {
		b.from.b = h.NewStart - b.newN
	}
	b.run, b.last = b.block(true), ' '
	b.hunk.OldLines, b.hunk.NewLines = 0, 0
}

// block is an empty block that begins here.
func (b *patchBuilder) block(same bool) block {
	return block{edit: edit{old: b.oldN, new: b.newN}, same: same, from: b.from}
}

// add takes one line of the hunk, or says that it isn't part of it.
func (b *patchBuilder) add(line []byte) bool {
	sign := byte(' ') // some programs cut the space off an empty line
	if len(line) > 0 {
		sign = line[0]
		line = line[1:]
	}
	switch {
	case sign == '\\':
		b.unended()
		return true
	case b.left == point{}:
		return false
	case sign == ' ' && b.left.a > 0 && b.left.b > 0, sign == '-' && b.left.a > 0, sign == '+' && b.left.b > 0:
	default:
		return false
	}
	if (sign == ' ') != b.run.same || sign == '-' && b.last == '+' {
		b.flush(sign == ' ')
	}
	if sign != '+' {
		b.old.Write(line)
		b.old.WriteByte('\n')
		b.oldEnds = false
		b.oldN, b.run.oldN, b.left.a, b.hunk.OldLines = b.oldN+1, b.run.oldN+1, b.left.a-1, b.hunk.OldLines+1
	}
	if sign != '-' {
		b.new.Write(line)
		b.new.WriteByte('\n')
		b.newEnds = false
		b.newN, b.run.newN, b.left.b, b.hunk.NewLines = b.newN+1, b.run.newN+1, b.left.b-1, b.hunk.NewLines+1
	}
	b.last = sign
	return true
}

// unended notes that the last line has no newline. A line that comes after it
// says otherwise.
func (b *patchBuilder) unended() {
	b.oldEnds = b.oldEnds || b.last != '+'
	b.newEnds = b.newEnds || b.last != '-'
}

// trimmed is a side without the newline of its last line. An empty line would
// be none without it.
func trimmed(side []byte, ends bool) []byte {
	if ends && len(side) > 1 && side[len(side)-2] != '\n' {
		return side[:len(side)-1]
	}
	return side
}

func (b *patchBuilder) flush(same bool) {
	if b.run.oldN+b.run.newN > 0 {
		b.hunk.blocks = append(b.hunk.blocks, b.run)
	}
	b.run = b.block(same)
}

func (b *patchBuilder) close() {
	b.flush(true)
	if len(b.hunk.blocks) > 0 {
		b.diff.Hunks = append(b.diff.Hunks, b.hunk)
	}
}

// finish is the diff of all hunks.
func (b *patchBuilder) finish(h *patchHeader) *Diff {
	d := b.diff
	d.File.Before, d.File.After = trimmed(b.old.Bytes(), b.oldEnds), trimmed(b.new.Bytes(), b.newEnds)
	d.old, d.new = readText(d.File.Before), readText(d.File.After)
	// What isn't in the patch may end otherwise, so that a carriage return is
	// part of an ending only if it is in all that is seen.
	d.old.crs = d.old.lf+d.new.lf == 0
	d.new.crs = d.old.crs
	for i := range d.Hunks {
		whole := d.Hunks[i].blocks
		d.Hunks[i].blocks = nil
		for _, run := range whole {
			d.Hunks[i].diff = d
			d.Hunks[i].add(run)
			if !run.same {
				d.Removed += run.oldN
				d.Added += run.newN
			}
		}
	}
	d.Binary = h.binary
	d.Notes = h.notes(d)
	return d
}
