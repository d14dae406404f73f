package tui

import (
	"strings"
)

// A textLine is a line of markdown with its number in the source, from 1.
type textLine struct {
	n    int
	text string
}

// A textRow is a drawn row with the source line that it begins with.
type textRow struct {
	line int
	text string
	// level is that of a heading, in the first of its rows, and title its text,
	// escaped and without marks; else 0 and empty.
	level int
	title string
}

// markdown draws what an agent writes: headings, lists, quotes, fenced code,
// tables, rules and, inside a paragraph, code, strong and stressed words. It
// drops nothing: marks that it doesn't know stay as text.
func markdown(s string, width int, th *theme) []string {
	drawn := markdownRows(s, width, th)
	rows := make([]string, len(drawn))
	for i, r := range drawn {
		rows[i] = r.text
	}
	return rows
}

// markdownRows is [markdown] with line numbers.
func markdownRows(s string, width int, th *theme) []textRow {
	var lines []textLine
	for i, l := range sourceLines(s) {
		lines = append(lines, textLine{i + 1, l})
	}
	for len(lines) > 0 && isBlank(lines[len(lines)-1].text) {
		lines = lines[:len(lines)-1]
	}
	return blocks(lines, width, 0, newPen(th))
}

// sourceLines are the lines of a document as comments count them.
func sourceLines(s string) []string {
	return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
}

// maxNesting bounds how deep quotes and lists are drawn inside each other;
// what is deeper stays text.
const maxNesting = 6

// blocks draws the lines of a document, a quote or a list item.
func blocks(lines []textLine, width, depth int, p *pen) (rows []textRow) {
	for len(lines) > 0 {
		var drawn []textRow
		used := 1
		l := lines[0]
		trimmed := strings.TrimLeft(l.text, " \t")
		nests := depth < maxNesting && width >= 8
		switch {
		case isBlank(trimmed):
			drawn = []textRow{{line: l.n}}
		case fenceMark(trimmed) != "":
			drawn, used = fence(lines, width, p)
		case isRule(trimmed):
			drawn = []textRow{{line: l.n, text: p.line.draw(strings.Repeat("─", width))}}
		case headingLevel(trimmed) > 0:
			level := headingLevel(trimmed)
			drawn = inline([]textLine{{l.n, strings.TrimSpace(trimmed[level:])}}, width, p.head)
			drawn[0].level, drawn[0].title = level, unmarked(trimmed[level:], p.head)
		case strings.HasPrefix(trimmed, ">") && nests:
			drawn, used = quote(lines, width, depth, p)
		case isListItem(trimmed) && nests:
			drawn, used = listItem(lines, width, depth, p)
		case isTable(lines):
			drawn, used = table(lines, width, p)
		default:
			drawn, used = paragraph(lines, width, p)
		}
		rows = append(rows, drawn...)
		lines = lines[used:]
	}
	return rows
}

// paragraph draws lines up to the next block as one text that flows.
func paragraph(lines []textLine, width int, p *pen) ([]textRow, int) {
	n := 1
	for n < len(lines) && !startsBlock(lines[n].text) && !isTable(lines[n:]) {
		n++
	}
	return inline(lines[:n], width, p.plain), n
}

// startsBlock reports whether a line ends the paragraph before it.
func startsBlock(l string) bool {
	l = strings.TrimLeft(l, " \t")
	return isBlank(l) || fenceMark(l) != "" || isRule(l) || headingLevel(l) > 0 || l[0] == '>' || isListItem(l)
}

// fence draws fenced code as it is.
func fence(lines []textLine, width int, p *pen) (rows []textRow, used int) {
	open := strings.TrimLeft(lines[0].text, " \t")
	margin := len(lines[0].text) - len(open)
	mark := fenceMark(open)
	bar := p.line.draw("│")
	if name := strings.TrimSpace(open[len(mark):]); name != "" {
		rows = append(rows, textRow{line: lines[0].n, text: bar + " " + p.muted.Render(short(name, width-2))})
	}
	for i, l := range lines[1:] {
		if closes(l.text, mark) {
			return rows, i + 2
		}
		for _, r := range beside(bar, 2, wrap(outdent(l.text, margin), width-2), p.theme.code) {
			rows = append(rows, textRow{line: l.n, text: r})
			bar = p.line.draw("│")
		}
	}
	return rows, len(lines)
}

// closes reports whether the line l ends the fence that mark begins.
func closes(l, mark string) bool {
	l = strings.TrimSpace(l)
	return strings.HasPrefix(l, mark) && strings.Trim(l, mark[:1]) == ""
}

// fenceMark returns the run of three or more backquotes or tildes that l
// begins with.
func fenceMark(l string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(l) - len(strings.TrimLeft(l, c)); n >= 3 && (c == "~" || !strings.Contains(l[n:], "`")) {
			return l[:n]
		}
	}
	return ""
}

// outdent takes up to n blanks from the beginning of l.
func outdent(l string, n int) string {
	for n > 0 && l != "" && (l[0] == ' ' || l[0] == '\t') {
		l, n = l[1:], n-1
	}
	return l
}

func quote(lines []textLine, width, depth int, p *pen) ([]textRow, int) {
	var inner []textLine
	for _, l := range lines {
		rest, ok := strings.CutPrefix(strings.TrimLeft(l.text, " \t"), ">")
		if !ok && (len(inner) == 0 || startsBlock(l.text)) {
			break
		}
		if !ok {
			rest = l.text // a paragraph goes on without the mark
		}
		inner = append(inner, textLine{l.n, strings.TrimPrefix(rest, " ")})
	}
	rows := blocks(inner, width-2, depth+1, p)
	mark := p.line.draw("▌")
	for i := range rows {
		rows[i].text = mark + " " + rows[i].text
	}
	return rows, len(inner)
}

// listItem draws one item with all that belongs to it.
func listItem(lines []textLine, width, depth int, p *pen) ([]textRow, int) {
	first := strings.TrimLeft(lines[0].text, " \t")
	margin := len(lines[0].text) - len(first)
	bullet, rest := splitItem(first, p)
	content := margin + len(first) - len(rest)
	inner := []textLine{{lines[0].n, rest}}
	text := 0 // the next line with text
	for i, l := range lines[1:] {
		blank := isBlank(l.text)
		for text <= i+1 || text < len(lines) && isBlank(lines[text].text) {
			text++
		}
		goesOn := text < len(lines) && indentOf(lines[text].text) > margin
		switch {
		case blank && goesOn:
		case blank, indentOf(l.text) <= margin && (isBlank(lines[i].text) || startsBlock(l.text)):
			return drawItem(inner, bullet, width, depth, p), len(inner)
		}
		inner = append(inner, textLine{l.n, outdent(l.text, content)})
	}
	return drawItem(inner, bullet, width, depth, p), len(inner)
}

func isBlank(l string) bool { return strings.TrimSpace(l) == "" }

// indentOf counts the blanks that l begins with.
func indentOf(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }

func drawItem(inner []textLine, bullet string, width, depth int, p *pen) []textRow {
	column := rowWidth(bullet) + 1
	rows := blocks(inner, max(1, width-column), depth+1, p)
	for i := range rows {
		rows[i].text = pad(bullet, column) + rows[i].text
		bullet = ""
	}
	return rows
}

func isListItem(l string) bool { return markLength(l) > 0 }

// markLength is the length of a list mark with the blank after it; 0 for none.
func markLength(l string) int {
	digits := len(l) - len(strings.TrimLeft(l, "0123456789"))
	switch {
	case len(l) > 1 && strings.ContainsRune("-*+", rune(l[0])) && l[1] == ' ':
		return 2
	case digits > 0 && digits < 10 && len(l) > digits+1 && (l[digits] == '.' || l[digits] == ')') && l[digits+1] == ' ':
		return digits + 2
	}
	return 0
}

// splitItem splits a list item into the mark to draw and its text.
func splitItem(l string, p *pen) (bullet, rest string) {
	n := markLength(l)
	rest = strings.TrimLeft(l[n:], " ")
	if n > 2 {
		return p.mark.draw(l[:n-1]), rest
	}
	if after, ok := strings.CutPrefix(rest, "[ ] "); ok {
		return p.todo, after
	}
	for _, box := range []string{"[x] ", "[X] "} {
		if after, ok := strings.CutPrefix(rest, box); ok {
			return p.done, after
		}
	}
	return p.bullet, rest
}

func isRule(l string) bool {
	l = strings.ReplaceAll(strings.TrimSpace(l), " ", "")
	return len(l) >= 3 && (strings.Trim(l, "-") == "" || strings.Trim(l, "*") == "" || strings.Trim(l, "_") == "")
}

func headingLevel(l string) int {
	n := len(l) - len(strings.TrimLeft(l, "#"))
	if n > 6 || n == len(l) || n > 0 && l[n] != ' ' {
		return 0
	}
	return n
}
