package acp

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
)

// FuzzCut: what is cut out of valid JSON is what package json finds in it, and
// no text has it run past its end.
func FuzzCut(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b":[true,null,-1.5e3,"x\"y\\"],"":{}}`, ` [ {"\u0061":"\\"} , [] , "" ] `, `{"a":1,"a":2,"A":{"a":"\ud800"}}`,
		`"\\\""`, `{"a" : "b" , "c":[[[{"d":[]}]]]}`, `{"a":"{\"b\":[}"}`, "{\"\xff\":\"\xff\"}", `{`, `"`, `{"a"`, `[1,`, `}`, `null`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			members(raw)
			elements(raw)
			for range tokens(raw) {
			}
			return
		}
		raw = bytes.TrimSpace(raw)
		var o object
		if err := json.Unmarshal(raw, &o); err == nil && o != nil {
			if got := parseObject(raw); !reflect.DeepEqual(got, o) {
				t.Errorf("%q: the object %q, want %q", raw, got, o)
			}
		} else if parseObject(raw) != nil {
			t.Errorf("%q: an object", raw)
		}
		var list []json.RawMessage
		isList := json.Unmarshal(raw, &list) == nil && list != nil
		if got, ok := elements(raw); ok != isList || len(got) != len(list) || len(list) > 0 && !reflect.DeepEqual(got, list) {
			t.Errorf("%q: the list %q, want %q", raw, got, list)
		}
		var s string
		isText := json.Unmarshal(raw, &s) == nil && raw[0] == '"'
		if got, ok := unquote(raw); ok != isText || got != s {
			t.Errorf("%q: the text %q, want %q", raw, got, s)
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		for got := range tokens(raw) {
			want, err := d.Token()
			if err != nil || !sameToken(got, want) {
				t.Fatalf("%q: %q, want %v (%v)", raw, got.raw, want, err)
			}
		}
		if _, err := d.Token(); err != io.EOF {
			t.Errorf("%q: it goes on", raw)
		}
	})
}

func sameToken(got token, want json.Token) bool {
	if b, ok := want.(json.Delim); ok {
		return got.bracket() == byte(b)
	}
	if text, ok := want.(string); ok {
		s, isText := unquote(got.raw)
		return isText && s == text
	}
	raw, err := json.Marshal(want)
	return err == nil && got.bracket() == 0 && string(raw) == string(got.raw)
}

// Names are told from values that are texts.
func TestTokenNames(t *testing.T) {
	var names []string
	for tok := range tokens(json.RawMessage(`{"a":"b","c":["d",{"e":["f"],"g":"h"},"i"],"j":{}}`)) {
		if tok.name {
			names = append(names, string(tok.raw))
		}
	}
	if got := strings.Join(names, ""); got != `"a""c""e""g""j"` {
		t.Error(got)
	}
}
