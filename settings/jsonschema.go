package settings

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

// JSONSchema is the JSON Schema (draft 7) of a settings file, for editors
// that complete and check TOML by one. It is made by the reader of the files
// itself: what that asks for is what may stand in a file. How rules and
// durations are written is only known to those who read them.
func JSONSchema() []byte {
	r := &reader{doc: parseDocument(nil), layer: Global, asked: map[string][]string{}, shapes: &shape{}}
	r.file()
	r.shapes.explain("")
	r.shapes.Schema, r.shapes.Title = "http://json-schema.org/draft-07/schema#", "Settings of blitz-approve"
	data, err := json.MarshalIndent(r.shapes, "", "  ")
	if err != nil {
		panic(err) // texts and numbers only
	}
	return append(data, '\n')
}

// A shape is what may stand at one place of a file, as JSON Schema says it.
// The zero shape is anything.
type shape struct {
	Schema      string            `json:"$schema,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Default     any               `json:"default,omitempty"`
	Type        string            `json:"type,omitempty"`
	Enum        []string          `json:"enum,omitempty"`
	Pattern     string            `json:"pattern,omitempty"`
	Minimum     int               `json:"minimum,omitempty"`
	Maximum     int               `json:"maximum,omitempty"`
	Items       *shape            `json:"items,omitempty"`
	AnyOf       []*shape          `json:"anyOf,omitempty"`
	AllOf       []*shape          `json:"allOf,omitempty"`
	Not         *shape            `json:"not,omitempty"`
	Required    []string          `json:"required,omitempty"`
	Properties  map[string]*shape `json:"properties,omitempty"`
	// Others are the values of keys with any other name; false is none.
	Others any `json:"additionalProperties,omitempty"`
}

// The shapes of what the sections read.
var (
	booleanShape = shape{Type: "boolean"}
	textShape    = shape{Type: "string", Pattern: `\S`}
	countShape   = shape{Type: "integer", Minimum: 1}
	ruleShape    = shape{Type: "array", Items: &textShape}
	policyShape  = shape{AnyOf: []*shape{
		{Type: "string", Enum: []string{"allow", "deny", "prompt"}},
		{Type: "string", Pattern: `^\s*([Aa][Ll][Ll][Oo][Ww]|[Dd][Ee][Nn][Yy]|[Pp][Rr][Oo][Mm][Pp][Tt])\s*$`},
	}}
	secondsShape = shape{AnyOf: []*shape{
		{Type: "integer", Minimum: 1, Maximum: 86400},
		{Type: "string", Pattern: `^\+?(([0-9]+\.?|[0-9]*\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`},
	}}
)

// modeShape is the shape of a mode: those that are shown, and the spellings
// of other agents (APR-14).
func modeShape() shape {
	var names []string
	for _, m := range gate.Modes() {
		names = append(names, m.String())
	}
	names = append(names, "acceptEdits", "dontAsk", "bypassPermissions", "manual")
	return shape{AnyOf: []*shape{
		{Type: "string", Enum: names},
		{Type: "string", Pattern: `^\s*(` + strings.Join(names, "|") + `)\s*$`},
	}}
}

// is notes that a setting has this shape, under any of its names, while the
// schema is made. Only one of the names may stand in a file.
func (s section) is(form shape, names ...string) {
	if s.shape == nil {
		return
	}
	if s.shape.Properties == nil {
		s.shape.Properties = map[string]*shape{}
	}
	for i, name := range names {
		own := form
		s.shape.Properties[name] = &own
		for _, other := range names[:i] {
			s.shape.AllOf = append(s.shape.AllOf, &shape{Not: &shape{Required: []string{other, name}}})
		}
	}
}

// explain gives the shapes below a key their meanings.
func (s *shape) explain(path string) {
	for name, below := range s.Properties {
		key := joinKey(path, name)
		m := meaningOf(key)
		below.Description, below.Default = m.text, m.value(below)
		below.explain(key)
		if below.Items != nil {
			below.Items.explain(key)
		}
	}
}

// value is the built-in value in the form that the shape has.
func (m meaning) value(s *shape) any {
	switch {
	case m.builtIn == "":
		return nil
	case s.Type == "boolean":
		return m.builtIn == "true"
	case s.Type == "integer":
		n, _ := strconv.Atoi(m.builtIn)
		return n
	}
	return m.builtIn
}

// oneOf is the shape of a choice.
func oneOf(words ...string) shape { return shape{Type: "string", Enum: slices.Clone(words)} }
