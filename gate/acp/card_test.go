package acp

import "testing"

// BEY-03: what a card counts as hidden is what the screen draws as an escape.
func TestHiddenCharacters_BEY03(t *testing.T) {
	for text, want := range map[string]int{
		"a\n\tb\r\n 日本 é": 0, "a\u3164b\u115f\u2800": 3, "❤\ufe0f\U000e0100": 2, "\x1b\u202e\u00a0": 3,
	} {
		if got := hidden([]byte(text)); got != want {
			t.Errorf("hidden(%+q) = %d, want %d", text, got, want)
		}
	}
}
