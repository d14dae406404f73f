package gate

import "testing"

// What hides, acts on a terminal or passes for a space is drawn as its escape.
func TestVisible(t *testing.T) {
	for in, want := range map[string][3]string{
		"a\tb\nc d":    {`a\tb\nc d`, "a\\tb\nc d", "a\tb\nc d"},
		"\x1b[0m\r":    {`\x1b[0m\r`, `\x1b[0m\r`, `\x1b[0m\r`},
		"a\u00a0b":     {`a\u00a0b`, `a\u00a0b`, `a\u00a0b`},
		"\u2003\u3000": {`\u2003\u3000`, `\u2003\u3000`, `\u2003\u3000`},
		"\u2028\u0085": {`\u2028\u0085`, `\u2028\u0085`, `\u2028\u0085`},
		"\U000e0041":   {`\U000e0041`, `\U000e0041`, `\U000e0041`},
		"\xff\xc3":     {`\xff\xc3`, `\xff\xc3`, `\xff\xc3`},
		"naïve 日本 🙂":   {"naïve 日本 🙂", "naïve 日本 🙂", "naïve 日本 🙂"},
		"":             {},
	} {
		if got := [3]string{visible(in), VisibleLines(in), VisibleCode(in)}; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
