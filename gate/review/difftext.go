package review

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

// diffText writes changes as a unified diff. Every line of content begins
// with its sign and no other line does, so that content can't pass for the
// head of another file.
func diffText(ctx context.Context, changes []gate.Change) (string, error) {
	var b strings.Builder
	for _, c := range changes {
		d := diffview.Compute(ctx, diffview.File{Path: c.Path, From: c.From, Before: c.Before, After: c.After}, diffview.Limits{})
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case d.Binary:
			return "", fmt.Errorf("%w: %s", ErrUnreadable, Sentence(gate.VisibleCode(c.Path)))
		case d.Added+d.Removed > maxDiff:
			return "", diffTooLarge()
		}
		if !writeDiff(&b, d) {
			return "", diffTooLarge()
		}
	}
	return b.String(), nil
}

func diffTooLarge() error {
	return fmt.Errorf("%w: its diff has more than %d characters", ErrTooLarge, maxDiff)
}

// writeDiff reports whether everything so far fits.
func writeDiff(b *strings.Builder, d *diffview.Diff) bool {
	fmt.Fprintf(b, "file %s\n", plainJSON(gate.VisibleCode(d.File.Path)))
	for _, note := range d.Notes {
		fmt.Fprintf(b, "note: %s\n", note)
	}
	for i := range d.Hunks {
		h := &d.Hunks[i]
		fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, line := range h.Lines() {
			if len(line.Text) > utf8.UTFMax*maxDiff {
				return false
			}
			fmt.Fprintf(b, "%s%s\n", line.Op, gate.VisibleCode(string(line.Text)))
		}
	}
	return utf8.RuneCountInString(b.String()) <= maxDiff
}
