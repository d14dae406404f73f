package diffview

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// colourful has every role in its own style, with backgrounds.
func colourful() Style {
	s := lipgloss.NewStyle
	return Style{
		Added: s().Foreground(lipgloss.Color("2")).Background(lipgloss.Color("22")), Removed: s().Foreground(lipgloss.Color("1")),
		AddedMark: s().Bold(true), RemovedMark: s().Underline(true), Escape: s().Reverse(true),
		Gutter: s().Faint(true), Hunk: s().Foreground(lipgloss.Color("#112233")), Note: s().Italic(true).Padding(1).Margin(2),
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// checkRows holds a drawing to P01, P03, P08, P15 and P17: nothing but our own
// colours beside text that shows, no row too wide, and each row beginning as
// only ours do.
func checkRows(t interface{ Fatalf(string, ...any) }, d *Diff, o RenderOptions) []string {
	rows := d.Rows(o)
	if len(rows) != d.Len(o) {
		t.Fatalf("%d rows, but Len is %d", len(rows), d.Len(o))
	}
	for _, row := range rows {
		plain := sgr.ReplaceAllString(row, "")
		checkDrawable(t, plain)
		if w := max(ansi.StringWidth(plain), ansi.StringWidthWc(plain)); w > o.Width {
			t.Fatalf("%q takes %d of %d columns", row, w, o.Width)
		}
		if o.Width > 30 && !o.Split && !ours.MatchString(plain) {
			t.Fatalf("row %q doesn't begin like a row", plain)
		}
	}
	return rows
}

// ours is how rows begin: a note, a fold, or a gutter with two numbers, the
// old, the new or none.
var ours = regexp.MustCompile(`^(! |⋯ \d+ unchanged line| *\d+ +\d+   | *\d+ +- | *\d+ \+ | +[-+ ] )`)

func options(t *rapid.T) RenderOptions {
	o := RenderOptions{
		Width: rapid.IntRange(1, 200).Draw(t, "width"),
		Split: rapid.Bool().Draw(t, "split"),
		Wrap:  rapid.Bool().Draw(t, "wrap"),
		Left:  rapid.SampledFrom([]int{0, 0, 1, 5, 1000}).Draw(t, "left"),
	}
	o.LineRows = rapid.SampledFrom([]int{0, 1, 3, -1}).Draw(t, "line rows")
	if rapid.Bool().Draw(t, "colour") {
		o.Style = colourful()
	}
	return o
}

func TestRows_P01_P03_P08(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d *Diff
		if rapid.Bool().Draw(t, "nasty") {
			d = compute(nasty().Draw(t, "before"), nasty().Draw(t, "after"))
		} else {
			before, after := file(t)
			d = compute(before, after)
		}
		o := options(t)
		rows := checkRows(t, d, o)
		from := rapid.IntRange(-2, len(rows)+2).Draw(t, "from")
		to := rapid.IntRange(-2, len(rows)+2).Draw(t, "to")
		want := []string(nil)
		if lo, hi := max(from, 0), min(to, len(rows)); lo < hi {
			want = rows[lo:hi]
		}
		if got := d.Slice(o, from, to); !slices.Equal(got, want) {
			t.Fatalf("Slice(%d, %d)\n%q, but Rows has\n%q", from, to, got, want)
		}
		for i := range d.Hunks {
			if at := d.HunkRow(o, i); at < 0 || at >= len(rows) {
				t.Fatalf("hunk %d begins at row %d of %d", i, at, len(rows))
			}
		}
	})
}

// P04: wrapped, every character of every line is there.
func TestWrappedRowsHoldEverything_P04(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(nasty().Draw(t, "text"), "\n", "")
		d := Compute(context.Background(), File{After: []byte("x\n" + text + "\n")}, Limits{})
		if d.Binary {
			return
		}
		width := rapid.IntRange(24, 90).Draw(t, "width")
		o := RenderOptions{Width: width, Wrap: true, LineRows: -1}
		var got strings.Builder
		frame := d.layout(o.withDefaults()).frames[0]
		for _, row := range d.Rows(o)[len(d.layout(o.withDefaults()).sections)-1:] {
			if strings.HasPrefix(row, noteSign) {
				continue
			}
			got.WriteString(row[min(frame.gutter(), len(row)):])
		}
		want := strings.TrimPrefix(drawAll(lineScanner(Line{Op: Added, Text: []byte(text)}, frame.text)), "")
		if !strings.HasSuffix(got.String(), want) {
			t.Fatalf("%q, want %q", got.String(), want)
		}
	})
}

// BEY-11: what is left out may be said in another language; it is escaped.
func TestUnchangedInOtherWords(t *testing.T) {
	lines := strings.Repeat("a\n", 20)
	d := Compute(t.Context(), File{Before: []byte(lines + "b\n"), After: []byte(lines + "c\n")}, Limits{})
	o := RenderOptions{Width: 40, Unchanged: func(n int) string { return fmt.Sprintf("%d gleich\x1b", n) }}
	if row := d.Rows(o)[0]; !strings.Contains(row, `⋯ 17 gleich\u001b`) {
		t.Errorf("the first row is %q", row)
	}
}

// P06: unchanged lines that aren't drawn are counted, at both ends and between.
func TestFoldsAreCounted_P06(t *testing.T) {
	lines := strings.Split(strings.Repeat("same\n", 60), "\n")
	lines[10], lines[40] = "one", "two"
	before := strings.Join(lines, "\n")
	lines[10], lines[40] = "1", "2"
	d := compute(before, strings.Join(lines, "\n"))
	var folds []string
	for _, row := range d.Rows(RenderOptions{Width: 40}) {
		if strings.HasPrefix(row, foldSign) {
			folds = append(folds, row)
		}
	}
	if want := []string{"⋯ 7 unchanged lines", "⋯ 23 unchanged lines", "⋯ 16 unchanged lines"}; !slices.Equal(folds, want) {
		t.Errorf("%q, want %q", folds, want)
	}
	if at := d.HunkRow(RenderOptions{Width: 40}, 1); d.Slice(RenderOptions{Width: 40}, at, at+1)[0] != folds[1] {
		t.Errorf("the second hunk is not at row %d", at)
	}
}

// P06: what a row hides is counted.
func TestLongLinesAreCounted_P06(t *testing.T) {
	d := compute("", strings.Repeat("x", 1<<20))
	rows := d.Rows(RenderOptions{Width: 40})
	if want := "      1 + xxxxxxxxxxxxxxxxxxxxx…+1048555"; !slices.Contains(rows, want) {
		t.Errorf("cut: %q", rows)
	}
	wrapped := d.Rows(RenderOptions{Width: 40, Wrap: true, LineRows: 5})
	if want := "        + …+1048426 characters"; wrapped[len(wrapped)-1] != want || len(wrapped) != 7 {
		t.Errorf("wrapped: %q", wrapped)
	}
}

// P19: without colour the rows say the same.
func TestColourSaysNothingAlone_P19(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := file(t)
		d := compute(before, after+nasty().Draw(t, "nasty"))
		o := options(t)
		o.Style = Style{}
		plain := d.Rows(o)
		if strings.Contains(strings.Join(plain, ""), "\x1b") {
			t.Fatalf("colours where there are none: %q", plain)
		}
		o.Style = colourful()
		for i, row := range d.Rows(o) {
			if got := strings.TrimRight(ansi.Strip(row), " "); got != strings.TrimRight(plain[i], " ") {
				t.Fatalf("row %d: %q in colour, %q without", i, got, plain[i])
			}
		}
	})
}

// A style with margins, borders or words of its own can't break the layout.
func TestStyleCannotWiden(t *testing.T) {
	d := compute("a\n", "b\n")
	odd := lipgloss.NewStyle().Width(50).Border(lipgloss.NormalBorder()).SetString("allowed")
	for _, s := range []Style{{Added: odd, Removed: odd, Gutter: odd, Note: odd, Hunk: odd, Escape: odd}} {
		checkRows(t, d, RenderOptions{Width: 20, Style: s})
	}
}
