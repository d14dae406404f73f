package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A part is one member of an object or one element of an array in a text: the
// bytes from..to are its value, and key is where its name begins.
type part struct {
	name          string
	key, from, to int
}

var errShape = errors.New("it is not built as the agent's settings are")

// parts are those of the object or array that is at from..to.
func parts(text []byte, in part, open json.Delim) ([]part, error) {
	d := json.NewDecoder(bytes.NewReader(text[in.from:in.to]))
	if t, err := d.Token(); err != nil || t != open {
		return nil, errShape
	}
	var list []part
	for d.More() {
		p := part{key: -1}
		if open == '{' {
			t, err := d.Token()
			if err != nil {
				return nil, err
			}
			p.name = t.(string)
			quoted := int(d.InputOffset())
			p.key = in.from + bytes.LastIndexByte(text[in.from:in.from+quoted-1], '"')
			// A quote that is part of the name has a backslash before it.
			for p.key > in.from && text[p.key-1] == '\\' {
				p.key = in.from + bytes.LastIndexByte(text[in.from:p.key], '"')
			}
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		p.to = in.from + int(d.InputOffset())
		p.from = p.to - len(value)
		if p.key < 0 {
			p.key = p.from
		}
		list = append(list, p)
	}
	return list, nil
}

// whole is the one value of a text.
func whole(text []byte) (part, error) {
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&value); err != nil {
		return part{}, fmt.Errorf("it is not JSON: %w", err)
	}
	to := int(d.InputOffset())
	if len(bytes.TrimSpace(text[to:])) > 0 {
		return part{}, fmt.Errorf("%w: something comes after its end", errShape)
	}
	return part{from: to - len(value), to: to}, nil
}

// find is the member of a name. Two of one name are an error: nobody knows
// which of them counts.
func find(text []byte, in part, name string) (p part, found bool, err error) {
	list, err := parts(text, in, '{')
	for _, m := range list {
		if m.name != name {
			continue
		}
		if found {
			return part{}, false, fmt.Errorf("%w: %q is there twice", errShape, name)
		}
		p, found = m, true
	}
	return p, found, err
}

const tab = "  "

// appended puts a new part at the end of an object or array and leaves every
// other byte. item is indented for its own first row only.
func appended(text []byte, in part, depth int, item string) []byte {
	margin := strings.Repeat(tab, depth)
	item = strings.ReplaceAll(item, "\n", "\n"+margin+tab)
	body := bytes.TrimRight(text[in.from+1:in.to-1], " \t\r\n")
	at := in.from + 1 + len(body)
	var added string
	rest := text[at:]
	if len(body) == 0 {
		added, rest = "\n"+margin+tab+item+"\n"+margin, text[in.to-1:]
	} else {
		added = ",\n" + margin + tab + item
	}
	return append(append(append([]byte{}, text[:at]...), added...), rest...)
}

// removed takes the part i out of an object or array, with its comma.
func removed(text []byte, in part, list []part, i int) []byte {
	from, to := in.from+1, list[i].to
	switch {
	case i > 0:
		from = list[i-1].to
	case len(list) > 1:
		from, to = list[i].key, list[i+1].key
	default:
		to = in.to - 1
	}
	return append(append([]byte{}, text[:from]...), text[to:]...)
}
