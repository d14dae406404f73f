package acp

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzEnvelope: whoever gets a line that was let through reads the message in
// it that was read here, also if it takes names in any case.
func FuzzEnvelope(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"a","params":{}}`, `{"jsonrpc":"2.0","id":"x","result":null}`,
		`{"jsonrpc":"2.0","method":"a","METHOD":"b"}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`,
		`{"jsonrpc":"2.0","\u006dethod":"a"}`, `[]`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`,
		`{"jsonrpc":"2.0","method":"a","ſ":1,"paramſ":{}}`, `{"jsonrpc":"2.0","id":1,"method":"a"} {"method":"b"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, fault := openEnvelope(line)
		if fault != nil {
			return
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil && e.failed == nil {
			t.Fatalf("let through: %v", err)
		} else if err != nil {
			return // an error that has no form
		}
		if m.Method != e.method || !bytes.Equal(m.Params, e.params) {
			t.Errorf("read as %q %s, and as %q %s", e.method, e.params, m.Method, m.Params)
		}
		if e.method == "" && e.failed == nil && !bytes.Equal(m.Result, e.result) {
			t.Errorf("two results: %s and %s", e.result, m.Result)
		}
	})
}

// Names that some programs take for one count as one, at any depth; the same
// name in two objects is nothing odd.
func TestRepeats(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":{"b":1},"c":[{"b":"a"},{"b":"b"}],"b":"a"}`: false,
		`{"a":["b","b",{}],"c":"c"}`:                      false,
		`{"a":1,"\u0061":2}`:                              true,
		`{"x":[[{"args":1,"arg\u017f":2}]]}`:              true,
		`{"x":{"Kind":1,"\u212aind":2}}`:                  true,
		``:                                                false,
	} {
		if got := repeats(json.RawMessage(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
