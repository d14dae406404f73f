package acp

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/blitz-approve/blitz-approve/gate"
)

// An object is a JSON object by its exact member names. Arguments of tools
// are read through it and never through a struct: package json matches the
// names of struct fields without regard to case, so a model could add
// "Command" beside "command" and have the wrong one shown.
type object map[string]json.RawMessage

// parseObject returns nil for anything but an object. raw is valid JSON.
func parseObject(raw json.RawMessage) object {
	list, err := members(raw)
	if err != nil {
		return nil
	}
	return byName(list)
}

// byName keeps the last of those that have one name.
func byName(list []member) object {
	o := make(object, len(list))
	for _, m := range list {
		o[m.name] = m.value
	}
	return o
}

// text is the first of the named members that is a string and not empty.
func (o object) text(names ...string) string {
	for _, name := range names {
		if s, _ := unquote(o[name]); s != "" {
			return s
		}
	}
	return ""
}

// optional is a member that is a string, and whether it is one.
func (o object) optional(name string) (string, bool) { return unquote(o[name]) }

func (o object) texts(name string) (list []string) {
	if raw := o[name]; len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

func (o object) flag(name string) (b bool) {
	_ = json.Unmarshal(o[name], &b)
	return b
}

func (o object) object(name string) object { return parseObject(o[name]) }

// list is a member that is an array; elements stay raw.
func (o object) list(name string) (items []json.RawMessage, ok bool) { return elements(o[name]) }

// A member is one name and value of an object, in the order of the text.
type member struct {
	name  string
	value json.RawMessage
}

var errNoObject = errors.New("not an object")

// members reads an object and keeps its order, which is the order in which
// the fields of a form are asked. raw is valid JSON.
func members(raw json.RawMessage) (list []member, err error) {
	if raw = bytes.TrimLeft(raw, " \t\r\n"); len(raw) == 0 || raw[0] != '{' {
		return nil, errNoObject
	}
	for name, rest := cut(raw[1:]); name != nil; name, rest = cut(rest) {
		m := member{}
		m.name, _ = unquote(name)
		m.value, rest = cut(rest)
		list = append(list, m)
	}
	return list, nil
}

// encodeMembers is the opposite of members.
func encodeMembers(list []member) json.RawMessage {
	b := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := encode(m.name)
		b = append(append(append(b, name...), ':'), m.value...)
	}
	return append(b, '}')
}

// says reports JSON that is more than nothing.
func says(raw json.RawMessage) bool {
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) && !bytes.Equal(raw, []byte("{}"))
}

// pretty is JSON as a person reads it; text that is no JSON stays as it is.
func pretty(raw json.RawMessage) string {
	if !says(raw) {
		return ""
	}
	return gate.ReadableJSON(raw)
}
