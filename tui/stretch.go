package tui

import "strings"

// stretchSize is the length from which a message that still grows is drawn in
// stretches: all of a stretch is drawn anew with each piece that is added.
const stretchSize = 8 << 10

// stretch is how much of a message can be drawn by itself, with all that
// follows drawn as if it hadn't been there; 0 for none of it. It ends after one
// empty line, outside of code, where the next line isn't indented: no paragraph,
// list, quote or table goes on there.
func stretch(text string) int {
	end, from, fence := 0, 0, ""
	blanks := 2 // nothing ends at the beginning
	for from < len(text) {
		next := strings.IndexByte(text[from:], '\n')
		if next < 0 {
			next = len(text) - from - 1 // not ended yet
		}
		l := strings.TrimRight(text[from:from+next+1], "\r\n")
		if blanks == 1 && fence == "" && !isBlank(l) && indentOf(l) == 0 {
			end = from
		}
		switch mark := fenceMark(l); {
		case fence != "" && closes(l, fence):
			fence = ""
		case fence != "":
		case mark != "":
			fence = mark
		case strings.Contains(l, "```"), strings.Contains(l, "~~~"):
			return end // code in a list or a quote ends in ways of its own
		}
		if blanks++; !isBlank(l) {
			blanks = 0
		}
		from += next + 1
	}
	return end
}
