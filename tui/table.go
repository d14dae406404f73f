package tui

import (
	"strings"
)

// isTable reports whether lines begin with the head of a table and the row of
// dashes under it.
func isTable(lines []textLine) bool {
	if len(lines) < 2 || !strings.Contains(lines[0].text, "|") || !strings.Contains(lines[1].text, "-") {
		return false
	}
	dashes := cells(lines[1].text)
	for _, c := range dashes {
		c = strings.TrimSuffix(strings.TrimPrefix(c, ":"), ":")
		if c == "" || strings.Trim(c, "-") != "" {
			return false
		}
	}
	return len(dashes) == len(cells(lines[0].text))
}

// cells splits a row of a table. A bar after a backslash, or in code, is text.
func cells(l string) []string {
	l = strings.TrimSpace(l)
	l = strings.TrimPrefix(l, "|")
	if strings.HasSuffix(l, "|") && !strings.HasSuffix(l, `\|`) {
		l = l[:len(l)-1]
	}
	var list []string
	from, code := 0, false
	for i := range len(l) {
		switch {
		case l[i] == '`':
			code = !code
		case l[i] == '|' && !code && (i == 0 || l[i-1] != '\\'):
			list = append(list, strings.TrimSpace(l[from:i]))
			from = i + 1
		}
	}
	return append(list, strings.TrimSpace(l[from:]))
}

// narrowest is the least width of a column. A table that doesn't fit so is
// drawn as its source.
const narrowest = 6

// table draws a table with columns as wide as they need, or as there is room.
func table(lines []textLine, width int, p *pen) ([]textRow, int) {
	n := 2
	for n < len(lines) && strings.Contains(lines[n].text, "|") && strings.TrimSpace(lines[n].text) != "" {
		n++
	}
	columns := len(cells(lines[0].text))
	var grid [][]string
	for i, l := range lines[:n] {
		row := cells(l.text)
		if i == 1 {
			continue
		}
		if len(row) > columns { // nothing is dropped
			row = append(row[:columns-1:columns-1], strings.Join(row[columns-1:], " | "))
		}
		for len(row) < columns {
			row = append(row, "")
		}
		grid = append(grid, row)
	}
	widths, fits := columnWidths(grid, width-3*(columns-1), p)
	if !fits {
		return sourceRows(lines[:n], width, p), n
	}
	var rows []textRow
	for i, row := range grid {
		source, b := lines[0].n, p.strong
		if i > 0 {
			source, b = lines[i+1].n, p.plain
		}
		rows = append(rows, tableRow(row, widths, source, b, p)...)
		if i == 0 {
			var dashes []string
			for _, w := range widths {
				dashes = append(dashes, strings.Repeat("─", w))
			}
			rows = append(rows, textRow{line: lines[1].n, text: p.line.draw(strings.Join(dashes, "─┼─"))})
		}
	}
	return rows, n
}

func sourceRows(lines []textLine, width int, p *pen) (rows []textRow) {
	for _, l := range lines {
		for _, r := range wrap(l.text, width) {
			rows = append(rows, textRow{line: l.n, text: p.plain.base.draw(r)})
		}
	}
	return rows
}

// columnWidths shares room among the columns: each gets what it needs, and the
// widest give way.
func columnWidths(grid [][]string, room int, p *pen) (widths []int, fits bool) {
	widths = make([]int, len(grid[0]))
	if len(widths) > room {
		return nil, false
	}
	total := 0
	for i := range widths {
		for _, row := range grid {
			widths[i] = max(widths[i], 1, rowWidth(inline([]textLine{{1, row[i]}}, room, p.plain)[0].text))
		}
		widths[i] = min(widths[i], room)
		total += widths[i]
	}
	for total > room {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= narrowest {
			return nil, false
		}
		// At once down to the next wide one would be quicker; tables are small.
		widths[widest]--
		total--
	}
	return widths, true
}

func tableRow(row []string, widths []int, source int, b *brushes, p *pen) (rows []textRow) {
	drawn := make([][]textRow, len(row))
	height := 1
	for i, cell := range row {
		drawn[i] = inline([]textLine{{source, cell}}, widths[i], b)
		height = max(height, len(drawn[i]))
	}
	for y := range height {
		var parts []string
		for i := range row {
			text := ""
			if y < len(drawn[i]) {
				text = drawn[i][y].text
			}
			parts = append(parts, pad(text, widths[i]))
		}
		rows = append(rows, textRow{line: source, text: strings.Join(parts, p.line.draw(" │ "))})
	}
	return rows
}
