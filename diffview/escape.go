package diffview

import (
	"fmt"
	"strings"
)

// blankLines empty lines or more are drawn as a count.
const blankLines = 3

// Escape makes one line of s: newlines are escaped like every other control
// character, as \u000a. Hidden and misleading characters are drawn as \u202e
// or \U000e0041, one for one, bytes that aren't UTF-8 as \xff; a backslash
// before text that would read as such an escape is doubled. A tab is drawn as
// ⇥, a trailing space as ␣, and eight spaces or more as their count (BEY-03).
func Escape(s string) string {
	if clean(s) {
		return s
	}
	return drawAll(newScanner([]byte(s)))
}

// EscapeLines is Escape for text of many lines: one string for each line. A
// carriage return shows, and three or more empty lines are one counted mark.
// There is always at least one line; a final newline gives an empty last one.
func EscapeLines(s string) []string { return escapeLines(s, Escape) }

func escapeLines(s string, escape func(string) string) []string {
	lines := strings.Split(s, "\n")
	rows := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		n := 0
		for i+n < len(lines) && lines[i+n] == "" {
			n++
		}
		if n >= blankLines {
			rows = append(rows, countedLines(n))
			i += n
			continue
		}
		rows = append(rows, escape(lines[i]))
		i++
	}
	return rows
}

func countedLines(n int) string {
	return fmt.Sprintf("%c%d blank lines⟩", countMark, n)
}

// EscapeWord is Escape for a word that names a program, a tool or a server:
// every letter that isn't ASCII is drawn as its escape, so that a look-alike
// can't pass.
func EscapeWord(s string) string {
	if clean(s) {
		return s
	}
	sc := newScanner([]byte(s))
	sc.word = true
	return drawAll(sc)
}

func drawAll(sc *scanner) string {
	var b strings.Builder
	b.Grow(len(sc.src) + 16)
	for g, ok := sc.next(); ok; g, ok = sc.next() {
		b.Write(g.text)
	}
	return b.String()
}

// clean tells whether s is sure to be its own escaped form.
func clean[T string | []byte](s T) bool {
	run := 0
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c > 0x7e || c == '\\' {
			return false
		}
		if c != ' ' {
			run = 0
		} else if run++; run == longRun {
			return false
		}
	}
	return run == 0
}
