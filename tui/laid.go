package tui

import "github.com/blitz-approve/blitz-approve/diffview"

// Agents may write options, previews and questions of any length. They are
// broken into rows once for each width; what is on the screen is styled when it
// is drawn.

// A piece says which text of a question rows were made of.
type piece struct {
	kind  pieceKind
	of    int // an option
	width int
}

type pieceKind uint8

const (
	questionPiece    pieceKind = iota
	labelPiece                 // of an option
	descriptionPiece           // its description on rows of its own
	besidePiece                // and on the row of the label
	previewPiece
)

// laid are the rows of pieces, for one width of the screen.
type laid struct {
	screen int
	rows   map[piece][]string
}

// laidOut are the rows of a piece of the question w. They are escaped, not
// styled, and must not be changed.
func (m *Model) laidOut(w *waiting, kind pieceKind, of, width int) []string {
	l := &w.laid
	if l.rows == nil || l.screen != m.width {
		*l = laid{m.width, map[piece][]string{}}
	}
	p := piece{kind, of, width}
	rows, ok := l.rows[p]
	if !ok {
		rows = m.breakRows(w, p)
		l.rows[p] = rows
	}
	return rows
}

func (m *Model) breakRows(w *waiting, p piece) []string {
	q := w.question
	if p.kind == questionPiece {
		return paragraphs(q.Text, p.width)
	}
	o := q.Options[p.of]
	if p.kind == previewPiece {
		return wrap(o.Preview, p.width)
	}
	o = m.option(q, o)
	switch p.kind {
	case labelPiece:
		return paragraphs(o.Label, p.width)
	case descriptionPiece:
		return words(o.Description, p.width)
	}
	// On the row of the label, where there is room for it there.
	if text := line(o.Description); diffview.Width(text) < p.width {
		return []string{text}
	}
	return nil
}

// lazily are rows that are drawn when they are on the screen.
func lazily(rows []string, draw func([]string) []string) block {
	return block{n: len(rows), draw: func(from, to int) []string { return draw(rows[from:to]) }}
}
