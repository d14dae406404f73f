package diffview

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// greekLookalikes are the Greek letters that pass for Latin ones; the others
// stand beside Latin letters in honest names (Δt, μs).
const greekLookalikes = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρυι"

// disguised tells whether a word of the text mixes ASCII letters with letters
// that look the same. Changed lines of that kind are drawn with escapes: the
// old and the new line would look alike otherwise.
func disguised(text []byte) bool {
	if ascii(text) {
		return false
	}
	latin, other := false, false
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch {
		case r < utf8.RuneSelf && unicode.IsLetter(r):
			latin = true
		case lookalike(r):
			other = true
		case r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			latin, other = false, false
		}
		if latin && other {
			return true
		}
	}
	return false
}

func lookalike(r rune) bool {
	switch {
	case r < 0x370:
		return false
	case r >= 0xff21 && r <= 0xff5a, r >= 0x1d400 && r <= 0x1d7ff: // fullwidth, mathematical
		return true
	}
	return unicode.In(r, unicode.Cyrillic, unicode.Armenian, unicode.Cherokee) || strings.ContainsRune(greekLookalikes, r)
}
