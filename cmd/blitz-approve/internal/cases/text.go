package cases

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A Text is a text of a case that may hold bytes which aren't UTF-8, as
// commands and names of files do. In JSON they stand as they are, or as \udc80
// to \udcff, the way Python writes them; package json would replace both.
type Text string

// UnmarshalJSON reads a JSON string.
func (t *Text) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return json.Unmarshal(b, (*string)(t))
	}
	var text []byte
	body, from := b[1:len(b)-1], 0
	add := func(to int) error {
		var s string
		err := json.Unmarshal(slices.Concat([]byte{'"'}, body[from:to], []byte{'"'}), &s)
		text = append(text, s...)
		return err
	}
	for i, n := 0, 0; i < len(body); i += n {
		var raw byte
		if raw, n = textByte(body[i:]); raw == 0 {
			continue
		}
		if err := add(i); err != nil {
			return err
		}
		text, from = append(text, raw), i+n
	}
	err := add(len(body))
	*t = Text(text)
	return err
}

// textByte is the byte beyond UTF-8 that stands at the start of JSON, or 0, and
// how long what stands there is.
func textByte(b []byte) (raw byte, n int) {
	if b[0] != '\\' || len(b) < 2 || b[1] != 'u' {
		r, n := utf8.DecodeRune(b)
		switch {
		case b[0] == '\\':
			return 0, min(2, len(b))
		case r == utf8.RuneError && n == 1:
			return b[0], 1
		}
		return 0, n
	}
	code := func(at int) uint64 {
		if len(b) < at+6 || b[at] != '\\' || b[at+1] != 'u' {
			return 0
		}
		v, _ := strconv.ParseUint(string(b[at+2:at+6]), 16, 16)
		return v
	}
	switch c := code(0); {
	case c>>10 == 0xd800>>10 && code(6)>>10 == 0xdc00>>10:
		return 0, 12 // one character of two escapes
	case 0xdc80 <= c && c <= 0xdcff:
		return byte(c), 6
	}
	return 0, min(6, len(b))
}
