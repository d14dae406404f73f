package settings

import (
	"bytes"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestKeysDefinedTwice(t *testing.T) {
	for _, tt := range []struct {
		text  string
		twice int
	}{
		{"a.b = 1\na.c = 2", 0},
		{"[a.b]\n[a]\nc = 1", 0},
		{"[a]\nb.c = 1\n[a.b.d]", 0},
		{"[[a]]\nb = 1\n[a.c]\n[[a]]\nb = 1\n[a.c]", 0},
		{"a = {b.c = 1, b.d = 2}", 0},
		{"a = 1\na = 2\na = 3", 2},
		{"[a]\n[a]\n[a]", 2},
		{"a = {b = 1}\na.c = 2", 1},
		{"a = {b = 1}\n[a.c]", 1},
		{"a = {b = 1}\n[a]", 1},
		{"a = {b.c = 1}\n[a.b.d]", 1},
		{"a = {b = 1, b = 2}", 1},
		{"a = {b = {c = 1}, b.d = 2}", 1},
		{"[a.b.c]\n[a]\nb.d = 1", 1},
		{"[a]\nb.c = 1\n[a.b]", 1},
		{"a = []\n[[a]]", 1},
		{"[[a]]\n[a]", 1},
		{"[a]\n[[a]]", 1},
		{"[a]\nb = 1\n[a]\nb = 1", 1},
		{"a = 1\n[a.b]", 1},
		{`"a" = 1` + "\n'a' = 2", 1},
	} {
		d := parseDocument([]byte(tt.text))
		if d.broken != nil || len(d.twice) != tt.twice {
			t.Errorf("%q: broken %v, twice %v, want %d", tt.text, d.broken, d.twice, tt.twice)
		}
		agrees(t, []byte(tt.text))
	}
}

// FuzzDocument compares what is found wrong with the library's decoder, which
// knows the rules for keys and tables but stops at the first mistake.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{"", "a", "a = [", "a = {b = 'x'}\na.b = 'y'", "[a.b]\n[a]\nb.c = 'x'", "[[a]]\n[a.b]\n[[a]]\n[a.b]", "a = [{b = true}]\n[[a]]", "a.b = true\n[a]\n[a.b]", "\xff", "'", "a = '\r'", "[a.b]\nc = {d.e = true}\n[a.b.c.d]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(agrees)
}

func agrees(t *testing.T, data []byte) {
	t.Helper()
	d := parseDocument(data)
	faulty := d.broken != nil || len(d.twice) > 0
	var content map[string]any
	err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &content)
	if err == nil && faulty {
		t.Errorf("%q: broken %v, twice %v, but the library reads it", data, d.broken, d.twice)
	}
	// Numbers and dates are checked where they are used.
	if err != nil && !faulty && !d.root.numeric() {
		t.Errorf("%q: nothing is wrong, but the library says: %v", data, err)
	}
}

func (n *node) numeric() bool {
	if n.kind == intKind || n.kind == otherKind {
		return true
	}
	for _, item := range n.items {
		if item.numeric() {
			return true
		}
	}
	for _, e := range n.entries {
		if e.numeric() {
			return true
		}
	}
	return false
}

func TestNearest(t *testing.T) {
	names := []string{"allow", "ask", "deny", "read_only_defaults", "auto"}
	for word, want := range map[string]string{
		"dney": "deny", "Deny": "deny", "denye": "deny", "aks": "ask", "asks": "ask", "alow": "allow",
		"readonly_defaults": "read_only_defaults", "x": "", "colour": "", "": "", "permit": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}
