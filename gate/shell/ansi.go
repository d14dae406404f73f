package shell

import (
	"strconv"
	"strings"
)

// decodeANSI decodes the inside of $'…' as far as a deny rule needs it. The
// line keeps its doubt, so that an allow rule never depends on this.
func decodeANSI(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n', 't', 'r', 'a', 'b', 'f', 'v', 'e', 'E':
			b.WriteByte(controls[c])
		case 'x':
			i += number(&b, s[i+1:], 16, 2)
		case 'u':
			i += number(&b, s[i+1:], 16, 4)
		case 'U':
			i += number(&b, s[i+1:], 16, 8)
		case 'c':
			if i+1 < len(s) {
				i++
				b.WriteByte(s[i] & 0x1f)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += number(&b, s[i:], 8, 3) - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

var controls = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, 'E': 27,
}

// number writes the character whose code stands at the start of s, and
// returns how many digits it took.
func number(b *strings.Builder, s string, base, most int) int {
	n := 0
	for n < len(s) && n < most {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	code, err := strconv.ParseUint(s[:n], base, 32)
	switch {
	case err != nil:
	case code < 256 && most <= 3:
		b.WriteByte(byte(code))
	default:
		b.WriteRune(rune(code))
	}
	return n
}
