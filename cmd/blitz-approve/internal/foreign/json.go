package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object with its keys in the order of the file: for some
// agents the last that matches wins.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

func (o *object) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("it must be an object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		*o = append(*o, member{key.(string), value})
	}
	return nil
}

// withoutComments blanks the comments and the commas before a closing bracket
// that some agents take in their JSON.
func withoutComments(data []byte) []byte {
	out := bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(out[i:], []byte("//")):
			end := len(out)
			if n := bytes.IndexByte(out[i:], '\n'); n >= 0 {
				end = i + n
			}
			blank(i, end)
		case bytes.HasPrefix(out[i:], []byte("/*")):
			end := len(out)
			if n := bytes.Index(out[i+2:], []byte("*/")); n >= 0 {
				end = i + n + 4
			}
			blank(i, end)
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma], comma = ' ', -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return out
}
