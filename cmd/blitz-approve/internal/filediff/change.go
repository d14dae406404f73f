package filediff

import (
	"context"
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// Change prints what a change of a file would change, without colours.
func Change(w io.Writer, path string, before, after []byte) {
	d := diffview.Compute(context.Background(), diffview.File{Path: path, Before: before, After: after}, diffview.Limits{})
	width := 100
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if columns, _, err := term.GetSize(f.Fd()); err == nil && columns > 0 {
			width = columns
		}
	}
	fmt.Fprintf(w, "%s  +%d −%d\n", output.Printable(output.ShortPath(path)), d.Added, d.Removed)
	for _, row := range d.Rows(diffview.RenderOptions{Width: width, Wrap: true}) {
		fmt.Fprintln(w, row)
	}
}
