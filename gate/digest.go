package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest is a SHA-256 over all that will run or be written: tool, kind,
// directory, targets, detail and the exact bytes of each change. The same
// digest at check, at display and at execution means the same action (BEY-02).
func (r *Request) Digest() string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	// JSON keeps the parts apart, so that no two requests run together.
	_ = enc.Encode([]any{r.Tool, r.Kind, r.Server, r.Dir, r.Targets, r.Detail, r.Fields})
	for _, c := range r.Diff {
		_ = enc.Encode([]any{c.Path, c.From, c.Before, c.After, c.Before == nil, c.After == nil})
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
