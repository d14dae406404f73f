package acp

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"
)

// What comes in is checked once, as a whole line: [encoding/json] reads a text
// from its beginning at each look into it, and agents send files of many
// megabytes. From there on the functions of this file only cut it up. They want
// valid JSON, and of anything else make something that is no more than it.

// cut takes the first value off raw, with the blanks and marks before it. Both
// are nil where there is none.
func cut(raw []byte) (value, rest []byte) {
	raw = bytes.TrimLeft(raw, " \t\r\n,:")
	if len(raw) == 0 {
		return nil, nil
	}
	n := 0
	switch raw[0] {
	case '"':
		n = stringEnd(raw)
	case '{', '[':
		n = nestEnd(raw)
	case '}', ']':
		return nil, nil
	default:
		if n = bytes.IndexAny(raw, " \t\r\n,:]}"); n < 0 {
			n = len(raw)
		}
	}
	return raw[:n:n], raw[n:]
}

// stringEnd is how long the string is that raw begins with.
func stringEnd(raw []byte) int {
	for n := 1; ; {
		i := bytes.IndexByte(raw[n:], '"')
		if i < 0 {
			return len(raw)
		}
		n += i + 1
		escapes := 0
		for raw[n-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return n
		}
	}
}

// nestEnd is how long the object or array is that raw begins with.
func nestEnd(raw []byte) int {
	open := 0
	for n := 0; n < len(raw); n++ {
		switch raw[n] {
		case '"':
			n += stringEnd(raw[n:]) - 1
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				return n + 1
			}
		}
	}
	return len(raw)
}

// elements are those of an array; false for anything else.
func elements(raw json.RawMessage) (items []json.RawMessage, ok bool) {
	if len(raw) == 0 || raw[0] != '[' {
		return nil, false
	}
	for value, rest := cut(raw[1:]); value != nil; value, rest = cut(rest) {
		items = append(items, value)
	}
	return items, true
}

// unquote is the text of a string; false for anything else.
func unquote(raw json.RawMessage) (s string, ok bool) {
	if !quoted(raw) {
		return "", false
	}
	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside), true
	}
	return s, json.Unmarshal(raw, &s) == nil
}

func quoted(raw json.RawMessage) bool { return len(raw) > 1 && raw[0] == '"' }

// A token is a name of a member, a value without parts, or a bracket.
type token struct {
	raw  json.RawMessage
	name bool
}

// bracket is the token's bracket; 0 if it is none.
func (t token) bracket() byte {
	if c := t.raw[0]; c == '{' || c == '}' || c == '[' || c == ']' {
		return c
	}
	return 0
}

// tokens goes through all that is in raw, at any depth, in order.
func tokens(raw json.RawMessage) iter.Seq[token] {
	return func(yield func(token) bool) {
		var open []byte // brackets
		name := false   // comes next
		for n := 0; n < len(raw); {
			size := 1
			switch c := raw[n]; c {
			case ' ', '\t', '\r', '\n':
				n++
				continue
			case ':':
				name = false
				n++
				continue
			case ',':
				name = len(open) > 0 && open[len(open)-1] == '{'
				n++
				continue
			case '{', '[':
				open = append(open, c)
			case '}', ']':
				open = open[:max(len(open)-1, 0)]
			default:
				value, _ := cut(raw[n:])
				size = len(value)
			}
			t := token{raw: raw[n : n+size : n+size], name: name && raw[n] == '"'}
			if !yield(t) {
				return
			}
			name = raw[n] == '{'
			n += size
		}
	}
}
