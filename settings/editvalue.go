package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ErrByHand refuses a change that can't be made without harm to how a file is
// written.
var ErrByHand = errors.New("it can't be changed here without harm to the file: edit it by hand")

// SetValue gives a setting another value, in place, as [WithValue] does.
func SetValue(path, key, text string) error {
	return update(path, func(old []byte) ([]byte, error) { return WithValue(path, old, key, text) })
}

// UnsetValue takes a setting out of a file, with its line, and reports whether
// it was there.
func UnsetValue(path, key string) (removed bool, err error) {
	err = update(path, func(old []byte) ([]byte, error) {
		e, err := newValueEdit(path, old, key)
		if err != nil {
			return old, err
		}
		if removed = e.value.found(); !removed {
			return old, nil
		}
		return e.checked(e.cut(), "")
	})
	return removed && err == nil, err
}

// WithValue returns the content of a settings file in which a setting of one
// value, named as in [Entry].Key, has the value that a person typed. All else
// stays as it is, byte for byte. What the value may be is not looked at:
// [Parse] tells. The error is a [Problem] for a file that can't be understood,
// [ErrByHand], or [ErrSecret] (BEY-12).
func WithValue(path string, content []byte, key, text string) ([]byte, error) {
	if gate.LooksSecret(text) {
		return content, ErrSecret
	}
	e, err := newValueEdit(path, content, key)
	if err != nil {
		return content, err
	}
	return e.checked(e.set(e.written(text)), text)
}

// Choices are the words that a setting may be, or nothing when it may be more
// than a few.
func Choices(key string) []string {
	s := shapeOf(splitKey(key))
	switch {
	case s == nil:
		return nil
	case s.Type == "boolean":
		return []string{"true", "false"}
	case len(s.AnyOf) > 0 && len(s.AnyOf[0].Enum) > 0:
		return slices.Clone(s.AnyOf[0].Enum)
	}
	return slices.Clone(s.Enum)
}

// Meaning says what a setting is for, in a sentence or two.
func Meaning(key string) string {
	for path := splitKey(key); len(path) > 0; path = path[:len(path)-1] {
		if m := meaningOf(joinKey("", path...)); m.text != "" {
			return m.text
		}
	}
	return ""
}

// shapeOf is what may stand under a key; nil is nothing.
func shapeOf(path []string) *shape {
	r := &reader{doc: parseDocument(nil), layer: Global, asked: map[string][]string{}, shapes: &shape{}}
	r.file()
	s := r.shapes
	for _, name := range path {
		next := s.Properties[name]
		if next == nil {
			others, ok := s.Others.(shape)
			if !ok {
				return nil
			}
			next = &others
		}
		s = next
	}
	return s
}

// splitKey reads a key as it stands in a file.
func splitKey(key string) []string {
	var p unstable.Parser
	p.Reset([]byte(key + " = 0"))
	if !p.NextExpression() {
		return nil
	}
	path, _ := keyOf(p.Expression())
	return path
}

// otherNames are further names of settings, under which a file may give them.
var otherNames = map[string][][]string{
	"blitz.permission_mode":        {{"tools", "approval_mode"}, {"tools", "approvalMode"}},
	"bash.allow_compound_commands": {{"bash", "allowCompoundCommands"}},
}

// A valueEdit is a settings file of which one value is changed.
type valueEdit struct {
	*edit
	path   []string
	value  span // the value, when the file gives it
	pair   span // with its key
	header span // of the table that it belongs to
}

func newValueEdit(file string, content []byte, key string) (*valueEdit, error) {
	base, err := newEdit(file, content, gate.Deny)
	if err != nil {
		return nil, err
	}
	e := &valueEdit{edit: base, path: splitKey(key)}
	if len(e.path) < 2 {
		return nil, fmt.Errorf("%s is no setting of one value", key)
	}
	for _, other := range otherNames[key] {
		if e.root.find(other) != nil {
			e.path = other
		}
	}
	e.look()
	node := e.root.find(e.path)
	if node != nil && (node.kind == arrayKind || node.kind == tableKind) {
		return nil, fmt.Errorf("%s is %s", key, node.describe())
	}
	if node != nil && !e.value.found() {
		return nil, ErrByHand // in braces
	}
	return e, nil
}

func (n *node) find(path []string) *node {
	for _, name := range path {
		e := n.byName[name]
		if e == nil {
			return nil
		}
		n = e.node
	}
	return n
}

// look finds where the value and its table stand.
func (e *valueEdit) look() {
	data := slices.Clip(e.data)
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		x := p.Expression()
		path, at := keyOf(x)
		if x.Kind != unstable.KeyValue {
			table = path
			if x.Kind == unstable.ArrayTable {
				table = nil // its keys are of one entry
			} else if slices.Equal(path, e.path[:len(e.path)-1]) {
				e.header = bracketed(data, at)
			}
			continue
		}
		if slices.Equal(slices.Concat(table, path), e.path) {
			e.value, e.pair = valueOf(data, x), rawSpan(x.Raw)
		}
	}
}

// written is the value as it stands in a file.
func (e *valueEdit) written(text string) string {
	quote := byte('"')
	if e.value.found() && e.data[e.value.from] == '\'' {
		quote = '\''
	}
	s := shapeOf(e.path)
	switch _, err := strconv.Atoi(text); {
	case s != nil && s.Type == "boolean" && (text == "true" || text == "false"):
		return text
	case s != nil && s.Type == "integer" && err == nil:
		return text
	}
	return quoted(text, quote)
}

// set puts the value in its place, or makes a line for it in its table.
func (e *valueEdit) set(value string) []byte {
	last := len(e.path) - 1
	line := joinKey("", e.path[last]) + " = " + value
	table := e.path[:last]
	switch {
	case e.value.found():
		return spliced(e.data, splice{e.value, value})
	case e.header.found():
		return e.line(e.header.to, line)
	case e.root.find(table) == nil:
		eol := lineBreak(e.data)
		return e.table(eol, "["+joinKey("", table...)+"]"+eol+line)
	}
	return nil
}

// cut takes the line out on which the value stands alone.
func (e *valueEdit) cut() []byte {
	end := lineEnd(e.data, e.pair.to)
	if _, first := indentOf(e.data, e.pair.from); !first || end < 0 {
		return nil
	}
	return spliced(e.data, splice{span{lineStart(e.data, e.pair.from), end + breakAt(e.data, end)}, ""})
}

// checked returns the new content, once it has been read again and differs
// from the old in this one value only.
func (e *valueEdit) checked(data []byte, text string) ([]byte, error) {
	old := slices.Concat(e.mark, e.data)
	if data == nil {
		return old, ErrByHand
	}
	after, err := newEdit(e.edit.path, slices.Concat(e.mark, data), gate.Deny)
	if err != nil {
		return old, ErrByHand
	}
	was, is := map[string]string{}, map[string]string{}
	e.root.spell("", was)
	after.root.spell("", is)
	// The tables around it may have come with it.
	for n := len(e.path); n > 0; n-- {
		key := joinKey("", e.path[:n]...)
		delete(was, key)
		delete(is, key)
	}
	node := after.root.find(e.path)
	if !maps.Equal(was, is) || (node == nil) != (text == "") || node != nil && strings.ReplaceAll(node.text, "_", "") != strings.ReplaceAll(text, "_", "") {
		return old, ErrByHand
	}
	return slices.Concat(e.mark, data), nil
}
