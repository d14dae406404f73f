package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// patch prints a unified diff; what is none passes through, escaped.
func (d *differ) patch(ctx context.Context, in io.Reader) error {
	r := diffview.NewPatchReader(in)
	for {
		p, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the patch: %w", err)
		}
		d.differs = d.differs || p.Diff != nil
		if d.eachLine {
			d.out.eachLine(ctx, p)
		} else if p.Diff == nil {
			d.out.text(p.Lines[0])
		} else if err := d.out.diff(ctx, printable(p.Diff.File.Path), p.Diff); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// text prints a line that isn't part of a diff.
func (o *diffOutput) text(line []byte) {
	for _, row := range diffview.Wrap(printable(string(line)), o.options.Width) {
		o.row(row)
	}
}

// eachLine prints one row for each line of the patch.
func (o *diffOutput) eachLine(ctx context.Context, p diffview.Piece) {
	if p.Diff != nil {
		o.highlight(ctx, p.Diff, 0, p.Diff.Len(o.options))
	}
	for _, row := range p.EachLine(o.options) {
		o.row(row)
	}
}
