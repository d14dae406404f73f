package filediff

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// Patch prints a unified diff; what is none passes through, escaped. With
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
		if eachLine {
			p.eachLine(ctx, piece)
		} else if piece.Diff == nil {
			p.text(piece.Lines[0])
		} else if err := p.diff(ctx, output.Printable(piece.Diff.File.Path), piece.Diff); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// text prints a line that isn't part of a diff.
func (p *Printer) text(line []byte) {
	for _, row := range diffview.Wrap(output.Printable(string(line)), p.options.Width) {
		p.row(row)
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
