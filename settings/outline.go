package settings

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A span is a part of a file, from the first offset to before the second.
type span struct{ from, to int }

func (s span) found() bool { return s.to > 0 }

// An outline says where [permissions] and one of its lists stand in a file.
// What is missing has no span.
type outline struct {
	header span // [permissions]
	braces span // the value of permissions = {…}
	dotted bool // the keys are written permissions.allow
	last   span // the last key with its value, in whichever form
	// list is the value of the list; its key begins at key, and what stands
	// before it in braces ends at before.
	list        span
	key, before int
	items       []item
}

// An item is one text of the list, in its quotes, and the comma behind it.
type item struct {
	span
	comma int // -1 for none
}

// outlineOf reads a file that has been found free of mistakes.
func outlineOf(data []byte, name string) (o outline) {
	data = slices.Clip(data) // the parser tells offsets by capacities
	var p unstable.Parser
	p.Reset(data)
	root, inside := true, false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			path, at := keyOf(e)
			root, inside = false, e.Kind == unstable.Table && slices.Equal(path, []string{"permissions"})
			if inside {
				o.header = bracketed(data, at)
			}
			continue
		}
		path, _ := keyOf(e)
		switch {
		case inside:
			o.see(data, e, path, name)
		case root && path[0] == "permissions" && len(path) > 1:
			o.dotted = true
			o.see(data, e, path[1:], name)
		case root && path[0] == "permissions":
			o.braces = valueOf(data, e)
			for inner := e.Value().Children(); inner.Next(); {
				path, _ := keyOf(inner.Node())
				o.see(data, inner.Node(), path, name)
			}
		}
	}
	return o
}

// headerOf is where the [name] of a table stands.
func headerOf(data []byte, name string) (header span) {
	data = slices.Clip(data)
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		if path, at := keyOf(e); e.Kind == unstable.Table && slices.Equal(path, []string{name}) {
			return bracketed(data, at)
		}
	}
	return header
}

// bracketed is a header with its brackets, around the key.
func bracketed(data []byte, key span) span {
	return span{bytes.LastIndexByte(data[:key.from], '['), key.to + bytes.IndexByte(data[key.to:], ']') + 1}
}

// see notes a key of the table.
func (o *outline) see(data []byte, e *unstable.Node, path []string, name string) {
	if len(path) == 1 && path[0] == name {
		o.list, o.key, o.before = valueOf(data, e), int(e.Raw.Offset), o.last.to
		for texts := e.Value().Children(); texts.Next(); {
			o.items = append(o.items, item{rawSpan(texts.Node().Raw), -1})
		}
		for i := range o.items {
			o.items[i].comma = commaAfter(data, o.items[i].to)
		}
	}
	o.last = rawSpan(e.Raw)
}

func rawSpan(r unstable.Range) span { return span{int(r.Offset), int(r.Offset + r.Length)} }

// keyOf is the key of a table or a value, and where its last part stands.
func keyOf(e *unstable.Node) (path []string, last span) {
	for k := e.Key(); k.Next(); {
		path = append(path, string(k.Node().Data))
		last = rawSpan(k.Node().Raw)
	}
	return path, last
}

// valueOf is where a value stands, which the parser doesn't tell for lists.
func valueOf(data []byte, e *unstable.Node) span {
	_, key := keyOf(e)
	from := skipBlanks(data, skipBlanks(data, key.to)+1) // behind the =
	return span{from, rawSpan(e.Raw).to}
}

func skipBlanks(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\t') {
		at++
	}
	return at
}

// commaAfter finds the comma behind an item of a list, past blanks, line ends
// and comments.
func commaAfter(data []byte, at int) int {
	for ; at < len(data); at++ {
		switch data[at] {
		case ',':
			return at
		case '#':
			at += bytes.IndexByte(data[at:], '\n')
		case ' ', '\t', '\r', '\n':
		default:
			return -1
		}
	}
	return -1
}

// lineEnd is where the line break is that ends the line of at, or the end of
// the file, when only blanks and a comment stand between; else -1.
func lineEnd(data []byte, at int) int {
	at = skipBlanks(data, at)
	if at < len(data) && data[at] == '#' {
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			at += i
		} else {
			at = len(data)
		}
		if at > 0 && data[at-1] == '\r' && at < len(data) {
			at--
		}
	}
	if at == len(data) || data[at] == '\n' || data[at] == '\r' {
		return at
	}
	return -1
}

// breakAt is the length of the line break at an offset.
func breakAt(data []byte, at int) int {
	switch {
	case bytes.HasPrefix(data[at:], []byte("\r\n")):
		return 2
	case bytes.HasPrefix(data[at:], []byte("\n")):
		return 1
	}
	return 0
}

// lineStart is where the line of at begins.
func lineStart(data []byte, at int) int { return bytes.LastIndexByte(data[:at], '\n') + 1 }

// indentOf is the white space at the beginning of the line of at, and whether
// nothing else stands before at.
func indentOf(data []byte, at int) (indent string, first bool) {
	start := lineStart(data, at)
	end := skipBlanks(data, start)
	return string(data[start:min(end, at)]), end >= at
}

// lineBreak is how the file ends its lines.
func lineBreak(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
