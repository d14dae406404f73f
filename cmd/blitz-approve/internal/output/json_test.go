package output_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
)

// P01, P16 of the display properties: JSON acts on no terminal, and is still
// what it was.
func TestJSONIsHarmless(t *testing.T) {
	const text = "a\x1b[31m\x1b]0;t\a\u009b1m\u202eb\u200b\u2028\U000e0041\u00a0日"
	var out bytes.Buffer
	if err := output.List(&out, []string{text}); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(out.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("byte %d of %q", i, out.String())
	}
	var back []string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back[0] != text {
		t.Errorf("%q, %v", back, err)
	}
}
