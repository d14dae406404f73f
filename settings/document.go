package settings

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

type kind uint8

const (
	otherKind kind = iota // a float, a date or a time: no setting is one
	stringKind
	boolKind
	intKind
	arrayKind
	tableKind
)

// A node is one value of a TOML document with its place.
type node struct {
	kind kind
	at   int    // offset of the value, or of the key where a value has no place
	text string // a string's content; a number or a boolean as written
	// items are an array's elements; with tables set, those of [[name]].
	items  []*node
	tables bool

	// A table's entries, in order. A table that only came to be as a part of
	// a longer header is implicit and may still be defined; one of dotted
	// keys takes only more of these; one in braces is complete.
	entries  []*entry
	byName   map[string]*entry
	implicit bool
	dotted   bool
	inline   bool
}

type entry struct {
	name string
	at   int
	*node
}

// A document is a parsed TOML file. The library's decoder would stop at the
// first mistake and forget where values stand; this keeps both.
type document struct {
	data  []byte
	lines []int // offset of each line
	root  *node
	// twice are keys and tables that are defined a second time, or as
	// something else than before.
	twice []misplaced
	// broken is the syntax error at which reading stopped; root holds what
	// came before it.
	broken *misplaced
}

type misplaced struct {
	at      int
	first   int // where the same key was defined before
	key     []string
	message string
}

// byteOrderMark begins files of some editors.
var byteOrderMark = []byte("\xef\xbb\xbf")

func newTable(at int) *node { return &node{kind: tableKind, at: at, byName: map[string]*entry{}} }

func parseDocument(data []byte) *document {
	data = slices.Clip(bytes.TrimPrefix(data, byteOrderMark))
	d := &document{data: data, root: newTable(0)}
	var p unstable.Parser
	p.Reset(data)
	table, path := d.root, []string(nil)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, path = d.header(e)
		case unstable.KeyValue:
			d.keyValue(table, path, e)
		}
	}
	d.broken = d.syntaxError(p.Error())
	return d
}

func (d *document) syntaxError(err error) *misplaced {
	if err == nil {
		return nil
	}
	at := len(d.data)
	var pe *unstable.ParserError
	if errors.As(err, &pe) {
		// An error at the end of the input may point behind it.
		at = min(max(cap(d.data)-cap(pe.Highlight), 0), len(d.data))
	}
	return &misplaced{at: at, message: err.Error()}
}

// header finds or makes the table that a [header] names. A table that may not
// be defined again is reported, and the keys below it go into one that is in
// no document.
func (d *document) header(e *unstable.Node) (*node, []string) {
	table := d.root
	var path []string
	for k := e.Key(); k.Next(); {
		name, at, last := string(k.Node().Data), int(k.Node().Raw.Offset), k.IsLast()
		path = append(path, name)
		found := table.byName[name]
		switch {
		case found == nil && last && e.Kind == unstable.ArrayTable:
			list := &node{kind: arrayKind, at: at, tables: true}
			table.add(name, at, list)
			table = list.grow(at)
		case found == nil:
			next := newTable(at)
			next.implicit = !last
			table.add(name, at, next)
			table = next
		case last && e.Kind == unstable.ArrayTable && found.tables:
			table = found.grow(at)
		case last && e.Kind == unstable.Table && found.kind == tableKind && found.implicit:
			found.implicit = false
			table = found.node
		case !last && found.tables:
			table = found.items[len(found.items)-1]
		case !last && found.kind == tableKind && !found.inline:
			table = found.node
		default:
			d.twice = append(d.twice, misplaced{at: at, first: found.at, key: path})
			return newTable(at), path
		}
	}
	return table, path
}

func (n *node) grow(at int) *node {
	item := newTable(at)
	n.items = append(n.items, item)
	return item
}

func (n *node) add(name string, at int, value *node) {
	e := &entry{name: name, at: at, node: value}
	n.entries = append(n.entries, e)
	n.byName[name] = e
}

// keyValue puts one key with its value into the table, below further tables
// when the key has dots.
func (d *document) keyValue(table *node, path []string, e *unstable.Node) {
	path = slices.Clip(path)
	for k := e.Key(); k.Next(); {
		name, at := string(k.Node().Data), int(k.Node().Raw.Offset)
		path = append(path, name)
		found := table.byName[name]
		switch {
		case found == nil && k.IsLast():
			table.add(name, at, d.value(e.Value(), at, path))
		case found == nil:
			next := newTable(at)
			next.dotted = true
			table.add(name, at, next)
			table = next
		case !k.IsLast() && found.dotted:
			table = found.node
		default:
			d.twice = append(d.twice, misplaced{at: at, first: found.at, key: path})
			return
		}
	}
}

// value copies a value out of the parser. keyAt stands in for the place of an
// array, which the parser doesn't tell.
func (d *document) value(v *unstable.Node, keyAt int, path []string) *node {
	n := &node{at: int(v.Raw.Offset), text: string(v.Data)}
	switch v.Kind {
	case unstable.String:
		n.kind = stringKind
	case unstable.Bool:
		n.kind = boolKind
	case unstable.Integer:
		n.kind = intKind
	case unstable.Array:
		n.kind, n.at = arrayKind, keyAt
		for items := v.Children(); items.Next(); {
			n.items = append(n.items, d.value(items.Node(), keyAt, path))
		}
	case unstable.InlineTable:
		n = newTable(n.at)
		for items := v.Children(); items.Next(); {
			d.keyValue(n, path, items.Node())
		}
		n.seal()
	}
	return n
}

// seal closes a table in braces, and those of dotted keys in it, to later
// additions.
func (n *node) seal() {
	n.inline, n.dotted = true, false
	for _, e := range n.entries {
		if e.dotted {
			e.seal()
		}
	}
}

// position turns an offset into line and column, both from 1; the column
// counts characters.
func (d *document) position(at int) (line, col int) {
	if d.lines == nil {
		d.lines = append(d.lines, 0)
		for i, b := range d.data {
			if b == '\n' {
				d.lines = append(d.lines, i+1)
			}
		}
	}
	line, found := slices.BinarySearch(d.lines, at)
	if !found {
		line--
	}
	return line + 1, utf8.RuneCount(d.data[d.lines[line]:at]) + 1
}
