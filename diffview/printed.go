package diffview

import (
	"strings"
)

// EscapePrinted is [Escape] for a line that a program such as git has printed
// and maybe coloured. Blanks stay as they are, and so do plain colours, which
// end with the line; a background of git's is drawn reversed. Whatever else is
// no text is escaped, and with it every way to draw text that can't be seen.
func EscapePrinted(line string) string {
	var b strings.Builder
	colored := false
	text := func(s string) {
		sc := newScanner([]byte(s))
		sc.blanks = true
		b.WriteString(drawAll(sc))
	}
	for {
		at := dye().FindStringIndex(line)
		if at == nil {
			break
		}
		text(line[:at[0]])
		if sgr, ok := plainColors(line[at[0]+2 : at[1]-1]); ok {
			b.WriteString("\x1b[" + sgr + "m")
			colored = strings.Trim(sgr, "0") != ""
		} else {
			text(line[at[0]:at[1]])
		}
		line = line[at[1]:]
	}
	text(line)
	if colored {
		b.WriteString("\x1b[m")
	}
	return b.String()
}

// plainColors are parameters of a colour sequence, if each of them leaves text
// readable: weights, and colours of letters but black and white.
func plainColors(params string) (string, bool) {
	list := strings.Split(params, ";")
	for i, p := range list {
		switch p {
		case "", "0", "1", "2", "3", "4", "7", "22", "23", "24", "27", "39", "49":
		case "31", "32", "33", "34", "35", "36", "91", "92", "93", "94", "95", "96":
		case "41", "42", "43", "44", "45", "46": // in the same colour, letters would be hidden
			list[i] = "7;3" + p[1:]
		default:
			return "", false
		}
	}
	return strings.Join(list, ";"), true
}
