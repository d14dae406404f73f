package shell

import (
	"fmt"
	"strconv"
	"strings"
)

// maxBraces is how many words one brace expansion may make before it is not
// followed any further.
const maxBraces = 64

// maxBraced is the longest word, in bytes, whose braces are expanded.
const maxBraced = 512

// braced reports whether pieces hold an unquoted { with a , or .. after it.
func braced(pieces []piece) bool {
	open := false
	for _, p := range pieces {
		if p.quoted || p.dynamic {
			continue
		}
		s := p.text
		if !open {
			at := strings.IndexByte(s, '{')
			if at < 0 {
				continue
			}
			open, s = true, s[at:]
		}
		if strings.Contains(s, ",") || strings.Contains(s, "..") {
			return true
		}
	}
	return false
}

// expandBraces makes every word that the braces stand for, in order. It is
// not sure when braces are left over, or when there are too many words.
func expandBraces(pieces []piece) (lists [][]piece, sure bool) {
	bytes := split(pieces)
	if len(bytes) > maxBraced {
		return [][]piece{pieces}, false
	}
	lists = expand(bytes)
	sure = len(lists) <= maxBraces
	if !sure {
		lists = lists[:maxBraces]
	}
	for i, list := range lists {
		for _, p := range list {
			if !p.quoted && !p.dynamic && strings.ContainsAny(p.text, "{}") && len(lists) > 1 {
				sure = false
			}
		}
		lists[i] = merge(list)
	}
	return lists, sure
}

// split cuts unquoted text into single bytes, so that a brace, a comma or a
// dot is a piece of its own.
func split(pieces []piece) []piece {
	var out []piece
	for _, p := range pieces {
		if p.quoted || p.dynamic {
			out = append(out, p)
			continue
		}
		for i := range len(p.text) {
			out = append(out, piece{text: p.text[i : i+1]})
		}
	}
	return out
}

// merge joins neighbouring unquoted bytes again.
func merge(pieces []piece) []piece {
	var out []piece
	for _, p := range pieces {
		if n := len(out); n > 0 && !p.quoted && !p.dynamic && !out[n-1].quoted && !out[n-1].dynamic {
			out[n-1].text += p.text
			continue
		}
		out = append(out, p)
	}
	return out
}

func (p piece) is(b string) bool { return !p.quoted && !p.dynamic && p.text == b }

func expand(pieces []piece) [][]piece {
	for open := range pieces {
		if !pieces[open].is("{") {
			continue
		}
		elems, end := elements(pieces, open)
		if elems == nil {
			continue
		}
		tails := expand(pieces[end+1:])
		var out [][]piece
		for _, elem := range elems {
			for _, middle := range expand(elem) {
				for _, tail := range tails {
					word := append([]piece{}, pieces[:open]...)
					word = append(append(word, middle...), tail...)
					if out = append(out, word); len(out) > maxBraces {
						return out
					}
				}
			}
		}
		return out
	}
	return [][]piece{pieces}
}

// elements returns what the brace at open lists, and where it closes; nil
// when it is not a brace expansion.
func elements(pieces []piece, open int) (elems [][]piece, end int) {
	depth, start := 0, open+1
	for i := open; i < len(pieces); i++ {
		switch {
		case pieces[i].is("{"):
			depth++
		case pieces[i].is(",") && depth == 1:
			elems = append(elems, pieces[start:i])
			start = i + 1
		case pieces[i].is("}"):
			if depth--; depth > 0 {
				continue
			}
			if elems == nil {
				return sequence(pieces[open+1 : i]), i
			}
			return append(elems, pieces[start:i]), i
		}
	}
	return nil, 0
}

// sequence expands the inside of {1..3}, {a..c} and {1..9..2}.
func sequence(pieces []piece) (elems [][]piece) {
	var text strings.Builder
	for _, p := range pieces {
		if p.quoted || p.dynamic {
			return nil
		}
		text.WriteString(p.text)
	}
	ends := strings.Split(text.String(), "..")
	if len(ends) < 2 || len(ends) > 3 {
		return nil
	}
	from, to, show := bounds(ends[0], ends[1])
	if show == nil {
		return nil
	}
	step := 1
	if len(ends) == 3 {
		n, err := strconv.Atoi(ends[2])
		if err != nil {
			return nil
		}
		step = max(n, -n, 1)
	}
	for n := from; len(elems) <= maxBraces; n += step {
		elems = append(elems, []piece{{text: show(n)}})
		if step > 0 && from > to {
			step = -step
		}
		if n == to || step > 0 && n+step > to || step < 0 && n+step < to {
			return elems
		}
	}
	return elems
}

func bounds(a, b string) (from, to int, show func(int) string) {
	from, errA := strconv.Atoi(a)
	to, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		width := 0
		if padded(a) || padded(b) {
			width = max(len(a), len(b))
		}
		return from, to, func(n int) string { return fmt.Sprintf("%0*d", width, n) }
	}
	if len(a) == 1 && len(b) == 1 && letter(a[0]) && letter(b[0]) {
		return int(a[0]), int(b[0]), func(n int) string { return string(rune(n)) }
	}
	return 0, 0, nil
}

func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
