package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

// Digest is a SHA-256 over all that will run or be written: tool, kind,
// directory, targets, detail and the exact bytes of each change. The same
// digest at check, at display and at execution means the same action (BEY-02).
func (r *Request) Digest() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	// JSON keeps the parts apart, so that no two requests run together.
	_ = enc.Encode([]any{exact(r.Tool), r.Kind, exact(r.Server), exact(r.Dir), exactly(r.Targets), exact(r.Detail), r.Fields})
	for _, f := range r.Fields {
		if !utf8.ValidString(f.Label + f.Value) {
			_ = enc.Encode([]any{[]byte(f.Label), []byte(f.Value)})
		}
	}
	if s := &r.Search; !s.zero() {
		_ = enc.Encode([]any{s.NamesOnly, exactly(s.Only), exactly(s.Not), exactly(s.NotBelow)})
	}
	for _, c := range r.Diff {
		_ = enc.Encode([]any{exact(c.Path), exact(c.From), c.Before, c.After, c.Before == nil, c.After == nil})
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// exact keeps texts apart that JSON writes alike: it has one sign for all bytes
// that are no UTF-8.
func exact(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return [][]byte{[]byte(s)}
}

func exactly(list []string) any {
	if list == nil {
		return list
	}
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = exact(s)
	}
	return all
}
