package diffview

import "testing"

// What git prints besides diffs keeps its colours and blanks; nothing in it can
// move the cursor or hide a text (BEY-03).
func TestEscapePrinted(t *testing.T) {
	for in, want := range map[string]string{
		"plain          text \tend ":                "plain          text \tend ",
		"\x1b[33mabc\x1b[m (\x1b[1;36mHEAD\x1b[0m)": "\x1b[33mabc\x1b[m (\x1b[1;36mHEAD\x1b[0m)",
		"open \x1b[31mred":                          "open \x1b[31mred\x1b[m",
		"\x1b[41m  ":                                "\x1b[7;31m  \x1b[m",
		"\x1b[31;41mhidden?":                        "\x1b[31;7;31mhidden?\x1b[m",
		"\x1b[8mhid":                                `\u001b[8mhid`,
		"\x1b[30mblack":                             `\u001b[30mblack`,
		"\x1b[38;5;0mx":                             `\u001b[38;5;0mx`,
		"\x1b]0;title\a\x1b[2Jx\r\u202e":            `\u001b]0;title\u0007\u001b[2Jx\u000d\u202e`,
		"\xff":                                      `\xff`,
	} {
		if got := EscapePrinted(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
