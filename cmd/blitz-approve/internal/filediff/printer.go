package filediff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// syntaxTime is how long printing waits for colours.
const syntaxTime = 400 * time.Millisecond

// A Printer prints diffs in the order they come.
type Printer struct {
	w       *bufio.Writer
	options diffview.RenderOptions
	limit   int
	colored bool
	printed bool
	slow    bool // colours took too long: what follows is printed without
	differs bool
}

// New prints to out in the colours of a profile, of each file at most limit
// rows; 0 means all.
func New(out io.Writer, profile colorprofile.Profile, o diffview.RenderOptions, limit int) *Printer {
	w := bufio.NewWriterSize(&colorprofile.Writer{Forward: out, Profile: profile}, 1<<16)
	return &Printer{w: w, options: o, limit: limit, colored: profile > colorprofile.ASCII}
}

// Differs reports whether anything that was printed differs.
func (p *Printer) Differs() bool { return p.differs }

func (p *Printer) row(s string) {
	_, _ = io.WriteString(p.w, s)
	_ = p.w.WriteByte('\n') // the flush says what went wrong
	p.printed = true
}

// diff prints a title and, as they are ready, the rows below it.
func (p *Printer) diff(ctx context.Context, title string, d *diffview.Diff) error {
	if p.printed {
		p.row("")
	}
	for _, row := range p.title(title, d) {
		p.row(row)
	}
	to := d.Len(p.options)
	if p.limit > 0 && to > p.limit {
		to = p.limit
	}
	for from, end := 0, 0; from < to; from = end {
		end = min(from+partSize(from), to)
		p.rows(ctx, d, from, end)
		if err := errors.Join(ctx.Err(), p.Flush()); err != nil {
			return err
		}
	}
	if rest := d.Len(p.options) - to; rest > 0 {
		p.row(diffview.Truncate("▼ "+output.Counted(rest, "more row; without --lines it is printed too", "more rows; without --lines they are printed too"), p.options.Width))
	}
	return p.Flush()
}

// partSize is how many rows are printed at once. The first ones fill a screen,
// so that whoever reads a long file doesn't wait for colours below it.
func partSize(from int) int {
	if from == 0 {
		return 60
	}
	return 400
}

// rows prints the rows from up to to.
func (p *Printer) rows(ctx context.Context, d *diffview.Diff, from, to int) {
	p.highlight(ctx, d, from, to)
	for _, row := range d.Slice(p.options, from, to) {
		p.row(row)
	}
}

// highlight finds the colours of code, as far as there is time.
func (p *Printer) highlight(ctx context.Context, d *diffview.Diff, from, to int) {
	if !p.colored || p.slow {
		return
	}
	short, cancel := context.WithTimeout(ctx, syntaxTime)
	defer cancel()
	done := make(chan struct{})
	go func() {
		d.Highlight(short, p.options, from, to)
		close(done)
	}()
	select {
	case <-done:
	case <-short.Done():
		p.slow = true
	}
}

// title names the file and counts its lines.
func (p *Printer) title(name string, d *diffview.Diff) []string {
	s := p.options.Style
	rows := diffview.Wrap(name, p.options.Width)
	last := len(rows) - 1
	added, removed := fmt.Sprintf("+%d", d.Added), fmt.Sprintf("-%d", d.Removed)
	room := p.options.Width - diffview.Width(rows[last]) - len(added) - len(removed) - 3
	for i := range rows {
		rows[i] = s.Title.Inline(true).Render(rows[i])
	}
	if room >= 0 {
		rows[last] += "  " + s.Added.UnsetBackground().Render(added) + " " + s.Removed.UnsetBackground().Render(removed)
	}
	return rows
}

// Flush prints what is held back, and says what went wrong with anything before.
func (p *Printer) Flush() error { return p.w.Flush() }
