package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// softBreak stands between the lines of a paragraph, hardBreak where a line
// ends in two blanks or a backslash. Escaped text holds neither.
const softBreak, hardBreak = '\n', '\v'

// A span is a run of escaped text in one style.
type span struct {
	text  string
	brush *brush
}

// inline escapes the lines of a paragraph, styles its code, strong and
// stressed words, and lets it flow in rows of width cells.
func inline(lines []textLine, width int, b *brushes) []textRow {
	var text strings.Builder
	for i, l := range lines {
		trimmed := strings.TrimSpace(l.text)
		hard := strings.HasSuffix(l.text, "  ") || strings.HasSuffix(trimmed, `\`)
		text.WriteString(line(trimmed))
		switch {
		case i == len(lines)-1:
		case hard:
			text.WriteRune(hardBreak)
		default:
			text.WriteRune(softBreak)
		}
	}
	f := flowing{width: max(1, width), lines: lines}
	spans(text.String(), b, f.add)
	return f.end()
}

// unmarked escapes s and leaves out the marks of its styles.
func unmarked(s string, b *brushes) string {
	var text strings.Builder
	spans(line(strings.TrimSpace(s)), b, func(part span) { text.WriteString(part.text) })
	return text.String()
}

// spans splits escaped text where its style changes.
func spans(s string, b *brushes, add func(span)) {
	put := func(text string, brush *brush) {
		if text != "" {
			add(span{text, brush})
		}
	}
	from := 0
	for i := 0; i < len(s); {
		mark, run, brush := markAt(s, i, b)
		if mark == "" {
			i += run
			continue
		}
		inner := s[i+len(mark):]
		end := closing(inner, mark)
		if end <= 0 {
			i += len(mark)
			continue
		}
		put(s[from:i], b.base)
		put(inner[:end], brush)
		i += len(mark) + end + len(mark)
		from = i
	}
	put(s[from:], b.base)
}

// markAt is the mark that opens a span at i, with the length of the run of its
// sign; an empty mark opens none.
func markAt(s string, i int, b *brushes) (mark string, run int, brush *brush) {
	rest := s[i:]
	if !strings.ContainsRune("`*_", rune(rest[0])) {
		return "", 1, nil
	}
	run = len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	opens := run < len(rest) && rest[run] != ' ' && rest[run] != softBreak && (i == 0 || !wordByte(s[i-1]))
	switch {
	case rest[0] == '`':
		return rest[:run], run, b.code
	case run == 2 && opens:
		return rest[:2], run, b.bold
	case run == 1 && opens:
		return rest[:1], run, b.italic
	}
	return "", run, nil
}

// longestSpan bounds the search for the end of a span.
const longestSpan = 4096

// closing is where mark closes what stands before; a run of another length
// doesn't.
func closing(s, mark string) int {
	s = s[:min(len(s), longestSpan)]
	for i := 0; i+len(mark) <= len(s); i++ {
		if s[i] != mark[0] {
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], mark[:1]))
		if run == len(mark) && (mark[0] == '`' || s[max(0, i-1)] != ' ' && (i+run == len(s) || !wordByte(s[i+run]))) {
			return i
		}
		i += run - 1
	}
	return -1
}

func wordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// flowing fills rows with words and keeps the source line of each row.
type flowing struct {
	width int
	lines []textLine
	at    int // the source line that is read
	from  int // the one that the row began with

	rows  []textRow
	row   strings.Builder
	brush *brush // what the end of the row is written with; nil is nothing
	used  int
	word  []span // spans of the word that isn't placed yet
	wide  int    // its width
	blank span   // stands before it
}

// add takes the next run of text.
func (f *flowing) add(s span) {
	start := 0
	for i, r := range s.text {
		if r != ' ' && r != softBreak && r != hardBreak {
			continue
		}
		f.letters(s.text[start:i], s.brush)
		start = i + 1
		f.place()
		switch r {
		case ' ', softBreak:
			f.blank = span{f.blank.text + " ", s.brush}
		case hardBreak:
			f.flush()
		}
		if r == softBreak {
			f.blank.text = " "
		}
		if r != ' ' {
			f.at++
			if f.used == 0 {
				f.from = f.at
			}
		}
	}
	f.letters(s.text[start:], s.brush)
}

func (f *flowing) letters(s string, brush *brush) {
	if s != "" {
		f.word = append(f.word, span{s, brush})
		f.wide += diffview.Width(s)
	}
}

// place puts the word into the row, or into a new one.
func (f *flowing) place() {
	if f.wide == 0 {
		return
	}
	if f.used > 0 && f.used+len(f.blank.text)+f.wide > f.width {
		f.flush()
	}
	if f.used == 0 {
		f.from, f.blank.text = f.at, ""
	}
	f.write(f.blank)
	f.used += len(f.blank.text)
	for _, s := range f.word {
		f.put(s)
	}
	f.word, f.wide, f.blank = f.word[:0], 0, span{}
}

// write puts text at the end of the row.
func (f *flowing) write(s span) {
	if s.text == "" {
		return
	}
	if s.brush != f.brush {
		f.lift()
		f.brush = s.brush
		before, _ := s.brush.ends()
		f.row.WriteString(before)
	}
	f.row.WriteString(s.text)
}

// lift ends what was written with one brush.
func (f *flowing) lift() {
	if f.brush != nil {
		f.row.WriteString(f.brush.after)
		f.brush = nil
	}
}

// put writes a part of a word, and breaks one that is wider than a row.
func (f *flowing) put(s span) {
	for s.text != "" {
		part := diffview.Prefix(beginning(s.text, f.width), f.width-f.used)
		if part == "" && f.used > 0 {
			f.flush()
			continue
		}
		if part == "" {
			part = s.text // a glyph that is wider than a row; fit cuts it
		}
		f.write(span{part, s.brush})
		f.used += diffview.Width(part)
		s.text = s.text[len(part):]
	}
}

// beginning is as much of s as can take width cells: to cut it costs what it
// holds.
func beginning(s string, width int) string {
	if most := 8 * (width + 1); len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		return s[:most]
	}
	return s
}

func (f *flowing) flush() {
	f.lift()
	f.rows = append(f.rows, textRow{line: f.lines[min(f.from, len(f.lines)-1)].n, text: f.row.String()})
	f.row.Reset()
	f.used, f.from = 0, f.at
	f.blank = span{}
}

func (f *flowing) end() []textRow {
	f.place()
	if f.used > 0 || len(f.rows) == 0 {
		f.flush()
	}
	return f.rows
}
