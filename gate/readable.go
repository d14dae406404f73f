package gate

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxIndent is how deep JSON may be and still be indented. Deeper, the margins
// would soon be more than all of the text.
const maxIndent = 40

// ReadableJSON is JSON as a person reads it: indented, and with the letters that
// its escapes stand for, so that "\u0072\u006d" is seen to be rm. Only what would
// end a string or a line in it stays escaped. Order and members that come twice
// are kept, and text that is no JSON stays as it is. The result holds whatever
// the strings hold: escape it before it is drawn.
func ReadableJSON(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) {
		return string(raw)
	}
	if !deeper(raw, maxIndent) {
		var b bytes.Buffer
		if json.Indent(&b, raw, "", "  ") == nil {
			raw = b.Bytes()
		}
	}
	var b strings.Builder
	quoted := false
	for i := 0; i < len(raw); {
		n := 1
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
			b.WriteByte(c)
		case quoted && c == '\\':
			var text string
			text, n = unescaped(raw[i:])
			b.WriteString(text)
		default:
			b.WriteByte(c)
		}
		i += n
	}
	return b.String()
}

// unescaped is what the escape that b begins with stands for, and its length.
func unescaped(b []byte) (text string, n int) {
	switch b[1] {
	case '/':
		return "/", 2
	case 'b':
		return "\b", 2
	case 'f':
		return "\f", 2
	case 'u':
	default:
		return string(b[:2]), 2
	}
	r, n := codeUnit(b), 6
	if utf16.IsSurrogate(r) {
		if r = utf16.DecodeRune(r, codeUnit(b[6:])); r == utf8.RuneError {
			return string(b[:6]), 6 // half a character
		}
		n = 12
	}
	switch r {
	case '\n':
		return `\n`, n
	case '\r':
		return `\r`, n
	case '\t':
		return `\t`, n
	case '"', '\\':
		return `\` + string(r), n
	}
	return string(r), n
}

// codeUnit is the number of an escape such as \u0072, and -1 where none stands.
func codeUnit(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}

// deeper reports more than most brackets that are open at once.
func deeper(raw []byte, most int) bool {
	open, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{', c == '[':
			open++
		case c == '}', c == ']':
			open--
		}
		if open > most {
			return true
		}
	}
	return false
}
