package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

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
	descriptionPiece           // its description
	previewPiece
)

// laid are the rows of pieces, for one width of the screen.
type laid struct {
	screen int
	rows   map[piece][]string
	coming map[piece]bool // those that are being laid out
	serial int            // counts what came
}

// laidOut are the rows of a piece of the question w. They are escaped, not
// styled, and must not be changed.
func (m *Model) laidOut(w *waiting, kind pieceKind, of, width int) []string {
	l := &w.laid
	if l.rows == nil || l.screen != m.width {
		*l = laid{m.width, map[piece][]string{}, map[piece]bool{}, l.serial}
	}
	p := piece{kind, of, width}
	rows, ok := l.rows[p]
	if ok {
		return rows
	}
	text := m.pieceText(w.question, p)
	switch {
	case len(text) <= longText:
		l.rows[p] = p.breakRows(text)
	case !l.coming[p]:
		l.coming[p] = true
		m.later(w.layPiece(p, text))
		fallthrough
	default:
		return []string{short(m.stillLaying(text), width)}
	}
	return l.rows[p]
}

// layPiece lays out a long text. Its rows are dropped when the screen has another
// width by then.
func (w *waiting) layPiece(p piece, text string) laying {
	screen := w.laid.screen
	return func() func(time.Duration) tea.Cmd {
		rows := p.breakRows(text)
		return func(time.Duration) tea.Cmd {
			if w.laid.screen == screen && w.laid.coming[p] {
				delete(w.laid.coming, p)
				w.laid.rows[p] = rows
				w.laid.serial++
			}
			return nil
		}
	}
}

// pieceText is the text of a piece.
func (m *Model) pieceText(q *prompts.Question, p piece) string {
	switch p.kind {
	case questionPiece:
		return q.Text
	case previewPiece:
		return q.Options[p.of].Preview
	case labelPiece:
		return m.option(q, q.Options[p.of]).Label
	}
	return m.option(q, q.Options[p.of]).Description
}

func (p piece) breakRows(text string) []string {
	switch p.kind {
	case previewPiece:
		return wrap(text, p.width)
	case descriptionPiece:
		return words(text, p.width)
	}
	return paragraphs(text, p.width)
}

// lazily are rows that are drawn when they are on the screen.
func lazily(rows []string, draw func([]string) []string) block {
	return block{n: len(rows), draw: func(from, to int) []string { return draw(rows[from:to]) }}
}
