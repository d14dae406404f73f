package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// Text that didn't come from this package is escaped here, on its way into a
// row, and nowhere else: line for what must stay on one row, wrap for what may
// take several. What they return may be styled and joined, not escaped again.

// line escapes s into a single row.
func line(s string) string { return diffview.Escape(s) }

// short escapes s into a single row of at most width cells.
func short(s string, width int) string { return diffview.Truncate(line(s), max(1, width)) }

// wrap escapes s, keeps its lines and breaks what is wider than width cells.
func wrap(s string, width int) []string {
	var rows []string
	for _, l := range diffview.EscapeLines(s) {
		rows = append(rows, diffview.Wrap(l, max(1, width))...)
	}
	if len(rows) == 0 {
		return []string{""}
	}
	return rows
}

// prose escapes s, keeps its lines and breaks them between words where it can.
func prose(s string, width int) []string {
	var rows []string
	for _, l := range diffview.EscapeLines(s) {
		rows = append(rows, diffview.WrapWords(l, width)...)
	}
	if len(rows) == 0 {
		return []string{""}
	}
	return rows
}

// words escapes s as one line and breaks it between words where it can.
func words(s string, width int) []string {
	return diffview.WrapWords(line(s), width)
}

// rowWidth is how many cells a drawn row takes on the terminal that needs most.
func rowWidth(row string) int { return diffview.Width(bare(row)) }

// bare is a drawn row without what it is drawn with. Rows are measured often,
// and nearly all of them have nothing but the sequences of styles.
func bare(row string) string {
	if strings.IndexByte(row, '\x1b') < 0 {
		return row
	}
	text := make([]byte, 0, len(row))
	for rest := row; ; {
		i := strings.IndexByte(rest, '\x1b')
		if i < 0 {
			return string(append(text, rest...))
		}
		n := styling(rest[i:])
		if n == 0 {
			return ansi.Strip(row)
		}
		text, rest = append(text, rest[:i]...), rest[i+n:]
	}
}

// styling is how long the sequence is that s begins with, if it is one of a
// style (SGR), and else 0.
func styling(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';' && c != ':':
			return 0
		}
	}
	return 0
}

// fit cuts a drawn row to width cells.
func fit(row string, width int) string {
	if rowWidth(row) <= width {
		return row
	}
	for cut := width; cut > 0; cut-- {
		// It counts by graphemes, and some terminals need more.
		if part := ansi.Truncate(row, cut, "…"); rowWidth(part) <= width {
			return part
		}
	}
	return ""
}

// pad fills a drawn row up to width cells, or cuts it.
func pad(row string, width int) string {
	wide := rowWidth(row)
	if wide > width {
		row = fit(row, width)
		wide = rowWidth(row)
	}
	return row + strings.Repeat(" ", max(0, width-wide))
}

// spread puts left and right at the two ends of a row of width cells. Left
// gives way.
func spread(left, right string, width int) string {
	if right == "" {
		return fit(left, width)
	}
	right = fit(right, width)
	return pad(left, width-rowWidth(right)) + right
}

// beside puts rows to the right of a label; rows after the first are indented
// to the same column, so that no content reaches the label's columns.
func beside(label string, column int, rows []string, style *brush) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = pad(label, column) + style.Render(r)
		label = ""
	}
	return out
}

// flow puts cells one after the other, gap blanks between, on as many rows of
// width cells as they need. Cells are not broken.
func flow(cells []string, gap, width int) []string {
	rows, _ := flowAt(cells, gap, width)
	return rows
}

// flowAt is flow, and where each cell is.
func flowAt(cells []string, gap, width int) (rows []string, at []spot) {
	row, used := "", 0
	for i, c := range cells {
		from, wide := 0, rowWidth(c)
		switch {
		case row != "" && used+gap+wide <= width:
			from = used + gap
			row, used = row+strings.Repeat(" ", gap)+c, from+wide
		default:
			if row != "" {
				rows = append(rows, row)
			}
			row = fit(c, width)
			used = min(wide, width)
		}
		at = append(at, spot{len(rows), from, used, i})
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows, at
}

// indent puts blanks before each row.
func indent(rows []string, by int) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = strings.Repeat(" ", by) + r
	}
	return out
}
