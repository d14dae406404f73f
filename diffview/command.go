package diffview

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// EscapeCommand is Escape for one line of a command, or of a rule or label that
// tells of one. What decides where it goes is drawn as by [EscapeWord]: the
// names, which are those of its programs, hosts in addresses, and words that mix
// ASCII letters with letters that look the same. Arguments in any language stay.
func EscapeCommand(s string, names []string) string {
	if clean(s) {
		return s
	}
	sc := newScanner([]byte(s))
	sc.names = strictSpans(s, names)
	return drawAll(sc)
}

// EscapeCommandLines is [EscapeLines] with the rows of [EscapeCommand].
func EscapeCommandLines(s string, names []string) []string {
	return escapeLines(s, func(l string) string { return EscapeCommand(l, names) })
}

var (
	// hostPart finds what stands where an address has user and host.
	hostPart = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s/\\?#'"]*`)
	// wordPart finds what a word may be mixed of.
	wordPart = regexp.MustCompile(`[\pL\pN\pM_]+`)
)

// strictSpans are the parts of s that are drawn as names are, in their order.
func strictSpans(s string, names []string) []Span {
	if ascii(s) {
		return nil
	}
	var spans []Span
	for _, name := range names {
		for at := 0; name != ""; {
			i := strings.Index(s[at:], name)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(name)
			if !insideWord(s, from, to) {
				for _, m := range wordPart.FindAllStringIndex(name, -1) { // signs pass for nothing
					spans = append(spans, Span{from + m[0], from + m[1]})
				}
			}
			at = to
		}
	}
	for _, m := range hostPart.FindAllStringIndex(s, -1) {
		spans = append(spans, Span{m[0], m[1]})
	}
	for _, m := range wordPart.FindAllStringIndex(s, -1) {
		if disguised([]byte(s[m[0]:m[1]])) {
			spans = append(spans, Span{m[0], m[1]})
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	return spans
}

// insideWord tells a name from the middle of a longer word.
func insideWord(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(s[to:])
	return from > 0 && wordPart.MatchString(string(before)) || to < len(s) && wordPart.MatchString(string(after))
}

// named tells whether the byte at i is part of a name.
func (s *scanner) named(i int) bool {
	for len(s.names) > 0 && s.names[0].To <= s.pos {
		s.names = s.names[1:]
	}
	for _, n := range s.names {
		if n.From > i {
			return false
		}
		if i < n.To {
			return true
		}
	}
	return false
}

// hostWhole finds the scheme and the host of an address in escaped text.
var hostWhole = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#'"]*`)

// WrapCommand is [Wrap], but breaks no host in an address that fits on a row:
// its end says where it is (P09). Joined together the rows are s again.
func WrapCommand(s string, width int) []string {
	hosts := hostWhole.FindAllStringIndex(s, -1)
	if len(hosts) == 0 {
		return Wrap(s, width)
	}
	var rows []string
	row, at := "", 0
	add := func(part string) {
		used := Width(row)
		parts := Wrap(strings.Repeat(" ", used)+part, width)
		parts[0] = row + parts[0][used:]
		last := len(parts) - 1
		rows, row = append(rows, parts[:last]...), parts[last]
	}
	for _, h := range hosts {
		add(s[at:h[0]])
		host := s[h[0]:h[1]]
		if used, wide := Width(row), Width(host); used > 0 && used+wide > width && wide <= width {
			rows, row = append(rows, row), ""
		}
		add(host)
		at = h[1]
	}
	add(s[at:])
	return append(rows, row)
}
