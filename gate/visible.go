package gate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// visible is a text on one line in which nothing hides or acts on a terminal.
func visible(s string) string { return escaped(s, "") }

// VisibleLines is a text of several lines in which nothing else hides or acts on
// a terminal: what can't be seen is drawn as its escape.
func VisibleLines(s string) string { return escaped(s, "\n") }

// VisibleCode is [VisibleLines] of a text in which tabs are nothing unusual.
func VisibleCode(s string) string { return escaped(s, "\n\t") }

// escaped writes as escapes what isn't text and what can't be seen; those of
// keep stay.
func escaped(s, keep string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case !unseen.Rune(r), strings.ContainsRune(keep, r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		s = s[n:]
	}
	return b.String()
}
