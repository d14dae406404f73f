package diffview

import (
	"bytes"
	"context"
	"io/fs"
	"time"
)

// A File is one file before and after a change. A nil Before means that the
// file is created, a nil After that it is deleted; empty is an empty file.
type File struct {
	Path   string
	From   string // the old path of a renamed file, else empty
	Before []byte
	After  []byte
	// BeforeMode and AfterMode are the file's modes; 0 is one that isn't known.
	BeforeMode, AfterMode fs.FileMode
}

// Limits bound the work of [Compute]. The zero value is good for a screen.
type Limits struct {
	// Context is the number of unchanged lines shown around a change; 0 means
	// 3, a negative number none.
	Context int
	// MaxEdits is how many lines in one stretch may differ before the diff is
	// coarse there; 0 means 4,000.
	MaxEdits int
	// Timeout ends the search for a better diff; 0 means 2 seconds.
	Timeout time.Duration
}

func (l Limits) withDefaults() Limits {
	switch {
	case l.Context == 0:
		l.Context = 3
	case l.Context < 0:
		l.Context = 0
	}
	if l.MaxEdits <= 0 {
		l.MaxEdits = 4000
	}
	if l.Timeout <= 0 {
		l.Timeout = 2 * time.Second
	}
	return l
}

// A Diff is the difference between two versions of a file. After [Compute]
// returned it only the colours of code are added, by [Diff.Highlight].
type Diff struct {
	File  File
	Hunks []Hunk // in the order of the file
	// Added and Removed count lines.
	Added, Removed int
	// Notes say, in sentences for a person, what is not a change of lines:
	// created, renamed, line endings, byte order mark, final newline, binary
	// content with sizes and hashes, "coarse diff". They are escaped.
	Notes []string
	// Binary content has no hunks. A text that takes its place has.
	Binary bool
	// Coarse tells that lines may be shown as changed that are not, because
	// finding the least difference would have taken too long.
	Coarse bool

	old, new *text
	patch    bool // read from a patch: the texts hold its lines only
	replaced bool // what was there is binary, and not in the texts
	layouts  layouts

	oldColors, newColors coloring
}

// Compute compares two versions of a file on their exact bytes. Lines are
// compared without the ending and the byte order mark that their whole file
// has in common; what changes there is said in a note. It never fails, and
// ends early when ctx does.
func Compute(ctx context.Context, f File, l Limits) *Diff {
	l = l.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()
	d := &Diff{File: f, old: &text{}, new: &text{}}
	d.Notes = pathNotes(f)
	was := binary(f.Path, f.Before)
	if binary(f.Path, f.After) || was && f.After == nil {
		d.Binary = true
		d.Notes = append(d.Notes, binaryNotes(f)...)
		return d
	}
	if was { // the text that takes its place is all new
		d.replaced = true
		d.Notes = append(d.Notes, "replaces binary content: "+summary(f.Before))
		f.Before = nil
	}
	d.old, d.new = readTexts(f.Before, f.After)
	d.Notes = append(d.Notes, textNotes(f, d.old, d.new)...)
	edits, coarse := compare(ctx, d.old, d.new, l.MaxEdits)
	for _, e := range edits {
		d.Removed += e.oldN
		d.Added += e.newN
	}
	d.Hunks = hunks(d, edits, l.Context)
	if d.Coarse = coarse; coarse {
		d.Notes = append(d.Notes, "coarse diff: too much differs, so lines may be shown as changed that are not")
	}
	if len(d.Notes) == 0 && len(edits) == 0 {
		d.Notes = append(d.Notes, "no change")
	}
	return d
}

// Columns is at least what the longest line of the hunks takes, for scrolling
// sideways.
func (d *Diff) Columns() int {
	longest := 0
	measure := func(t *text, from, n int) {
		for i := range n {
			line := t.line(from + i)
			switch width := len(line); {
			case ascii(line):
				longest = max(longest, width)
			case width*len(`\U00000000`) > longest: // what a byte can take
				longest = max(longest, drawnWidth(line))
			}
		}
	}
	for _, h := range d.Hunks {
		for _, b := range h.blocks {
			measure(d.old, b.old, b.oldN)
			measure(d.new, b.new, b.newN)
		}
	}
	return longest
}

func drawnWidth(line []byte) int {
	width := 0
	sc := newScanner(line)
	for g, ok := sc.next(); ok; g, ok = sc.next() {
		width += g.width
	}
	return width
}

// Changed tells whether the file is another one after the change, in content,
// name or mode.
func (d *Diff) Changed() bool {
	f := d.File
	known := f.BeforeMode != 0 && f.AfterMode != 0
	return d.patch || (f.Before == nil) != (f.After == nil) || !bytes.Equal(f.Before, f.After) ||
		f.From != "" && f.From != f.Path || known && len(modeNotes(f)) > 0
}
