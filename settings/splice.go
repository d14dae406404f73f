package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A splice puts text in the place of a part of a file.
type splice struct {
	span
	text string
}

// spliced applies splices, which are in order and don't overlap.
func spliced(data []byte, splices ...splice) []byte {
	var out []byte
	at := 0
	for _, s := range splices {
		out = append(append(out, data[at:s.from]...), s.text...)
		at = s.to
	}
	return append(out, data[at:]...)
}

func insert(at int, text string) splice { return splice{span{at, at}, text} }

// add returns the file with one more rule.
//
// Each kind of place gets its own form, so that no two files become the same
// one: this is how [edit.remove] knows what there was before.
func (e *edit) add(rule string) []byte {
	o := outlineOf(e.data, e.name)
	if o.list.found() {
		return spliced(e.data, addItem(e.data, o, rule)...)
	}
	eol := lineBreak(e.data)
	long := e.name + " = [" + eol + "  " + quoted(rule, '"') + "," + eol + "]"
	short := e.name + " = [ " + quoted(rule, '"') + " ]"
	switch {
	case o.braces.found() && o.last.found():
		return spliced(e.data, insert(o.last.to, ", "+short))
	case o.braces.found():
		return spliced(e.data, insert(o.braces.from+1, short))
	case o.dotted:
		return e.line(o.last.to, indented("permissions."+long, o.last.from, e.data))
	case o.last.found():
		return e.line(o.last.to, indented(long, o.last.from, e.data))
	case o.header.found():
		return e.line(o.header.to, short)
	}
	return e.table(eol, "[permissions]"+eol+long)
}

// indented gives lines the indent of the line of at.
func indented(lines string, at int, data []byte) string {
	indent, _ := indentOf(data, at)
	return indent + strings.ReplaceAll(lines, "\n", "\n"+indent)
}

// line puts text on lines of its own, below the line that ends behind at.
func (e *edit) line(at int, text string) []byte {
	end := lineEnd(e.data, at)
	eol := lineBreak(e.data)
	if n := breakAt(e.data, end); n > 0 {
		return spliced(e.data, insert(end+n, text+eol))
	}
	return spliced(e.data, insert(end, eol+text))
}

// table puts text at the end of the file, below an empty line.
func (e *edit) table(eol, text string) []byte {
	switch {
	case len(e.data) == 0:
		return []byte(text + eol)
	case bytes.HasSuffix(e.data, []byte("\n")):
		return slices.Concat(e.data, []byte(eol+text+eol))
	}
	return slices.Concat(e.data, []byte(eol+eol+text))
}

// addItem puts one more text behind the last of a list, in its manner.
func addItem(data []byte, o outline, rule string) []splice {
	eol := lineBreak(data)
	outer, _ := indentOf(data, o.list.from)
	if len(o.items) == 0 {
		text := quoted(rule, '"')
		at := bytes.LastIndexByte(data[o.list.from:o.list.to], '\n')
		if at < 0 {
			return []splice{insert(o.list.from+1, text)}
		}
		at += o.list.from
		if data[at-1] == '\r' {
			at--
		}
		return []splice{insert(at, eol+outer+"  "+text)}
	}
	last := o.items[len(o.items)-1]
	text := quoted(rule, data[last.from])
	indent, first := indentOf(data, last.from)
	if !first {
		indent = outer + "  "
	}
	at := last.to
	if last.comma >= 0 {
		at = last.comma + 1
	}
	end := lineEnd(data, at)
	switch {
	case last.comma >= 0 && end >= 0:
		return []splice{insert(end, eol+indent+text+",")}
	case last.comma >= 0:
		return []splice{insert(at, " "+text+",")}
	case end >= 0:
		return []splice{insert(at, ","), insert(end, eol+indent+text)}
	}
	return []splice{insert(at, ", "+text)}
}

// remove returns the file without the rule.
func (e *edit) remove(rule string) []byte {
	if rules := e.rules(); len(rules) == 1 {
		if before, ok := e.undo(rules[0]); ok {
			return before
		}
	}
	data := e.data
	for {
		rest := edit{path: e.path, effect: e.effect, name: e.name, data: data, root: parseDocument(data).root}
		i := slices.IndexFunc(rest.rules(), isRule(rule))
		if i < 0 {
			return data
		}
		data = spliced(data, removeItem(data, outlineOf(data, e.name), i)...)
	}
}

// undo finds the file that [edit.add] would make into this one with the only
// rule of the list.
func (e *edit) undo(rule string) ([]byte, bool) {
	o := outlineOf(e.data, e.name)
	var cuts []span
	if o.braces.found() {
		cuts = []span{{o.key, o.list.to}, {o.before, o.list.to}}
	} else if end := lineEnd(e.data, o.list.to); end >= 0 {
		end += breakAt(e.data, end)
		for _, from := range []int{o.key, o.header.from} {
			from = lineStart(e.data, from)
			// With the line break before it, and the one before that.
			for range 3 {
				cuts = append(cuts, span{from, end})
				from = breakBefore(e.data, from)
			}
		}
	}
	for _, cut := range cuts {
		if cut.from > cut.to {
			continue
		}
		before := spliced(e.data, splice{cut, ""})
		shorter, err := newEdit(e.path, before, e.effect)
		if err == nil && bytes.Equal(shorter.add(rule), e.data) {
			return before, true
		}
	}
	return nil, false
}

// breakBefore is where the line break begins that ends at an offset.
func breakBefore(data []byte, at int) int {
	if at > 0 && data[at-1] == '\n' {
		at--
		if at > 0 && data[at-1] == '\r' {
			at--
		}
	}
	return at
}

// removeItem takes a text out of a list, with its comma, and with its line
// when nothing else stands there. Comments stay.
func removeItem(data []byte, o outline, i int) []splice {
	it := o.items[i]
	cut := it.span
	var before, behind []splice
	switch {
	case it.comma >= 0 && skipBlanks(data, it.to) == it.comma:
		cut.to = it.comma + 1
	case it.comma >= 0: // on another line
		behind = []splice{{span{it.comma, it.comma + 1}, ""}}
	case i > 0: // the last comma must not become one too many
		comma := o.items[i-1].comma
		before = []splice{{span{comma, comma + 1}, ""}}
	}
	_, first := indentOf(data, it.from)
	after := skipBlanks(data, cut.to)
	switch {
	case first && breakAt(data, after) > 0:
		cut = span{breakBefore(data, lineStart(data, it.from)), after}
	case before != nil && commentless(data[o.items[i-1].to:it.from]):
		return []splice{{span{o.items[i-1].to, it.to}, ""}}
	case i > 0 && !first:
		for data[cut.from-1] == ' ' || data[cut.from-1] == '\t' {
			cut.from--
		}
	case it.comma >= 0:
		cut.to = after
	}
	return slices.Concat(before, []splice{{cut, ""}}, behind)
}

func commentless(gap []byte) bool { return !bytes.ContainsRune(gap, '#') }

// quoted writes a text in the quotes of its neighbour, or in others when it
// can't stand in these or would need a backslash.
func quoted(text string, quote byte) string {
	literal := !strings.ContainsFunc(text, func(c rune) bool { return c == '\'' || c < ' ' && c != '\t' || c == 0x7f })
	if literal && (quote == '\'' || strings.ContainsAny(text, `"\`)) {
		return "'" + text + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < ' ' && c != '\t' || c == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
