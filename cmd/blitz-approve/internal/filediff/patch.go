package filediff

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// Patch prints a unified diff; what is none passes through with git's colours,
// and with all else escaped. With
// eachLine it prints exactly one row for each line.
func (p *Printer) Patch(ctx context.Context, in io.Reader, eachLine bool) error {
	r := diffview.NewPatchReader(in)
	for {
		piece, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the patch: %w", err)
		}
		p.differs = p.differs || piece.Diff != nil
		other := piece.Diff == nil || byWord(piece)
		if eachLine {
			p.eachLine(ctx, piece)
		} else if other {
			p.text(piece.Printed)
		} else if err := p.diff(ctx, output.Printable(piece.Diff.File.Path), piece.Diff); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// byWord reports a diff whose hunks change no line: git marks words in them, in
// a form of its own.
func byWord(p diffview.Piece) bool {
	return len(p.Lines) > p.Header && p.Diff.Added+p.Diff.Removed == 0
}

// text prints lines that are no part of a unified diff.
func (p *Printer) text(lines [][]byte) {
	for _, line := range lines {
		p.row(diffview.EscapePrinted(string(line)))
	}
}

// eachLine prints one row for each line of the patch.
func (p *Printer) eachLine(ctx context.Context, piece diffview.Piece) {
	if piece.Diff != nil {
		p.highlight(ctx, piece.Diff, 0, piece.Diff.Len(p.options))
	}
	for _, row := range piece.EachLine(p.options) {
		p.row(row)
	}
}
