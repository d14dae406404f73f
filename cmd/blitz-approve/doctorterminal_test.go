package main

import "testing"

func TestTerminalAnswers(t *testing.T) {
	for _, tt := range []struct{ name, answer, background, keyboard string }{
		{"nothing", "", "", ""},
		{"typed meanwhile", "abc", "", ""},
		{"attributes only", "\x1b[?62;4c", "", "plain"},
		{"dark, kitty", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?0u\x1b[?62c", "dark", "kitty"},
		{"light, a bell at the end", "\x1b]11;rgb:ff/ff/f0\a\x1b[?1;2c", "light", "plain"},
		{"nonsense", "\x1b]11;rgb:zz/1\x1b\\\x1b[?6c", "", "plain"},
	} {
		if background, keyboard := understood(tt.answer); background != tt.background || keyboard != tt.keyboard {
			t.Errorf("%s: %q, %q", tt.name, background, keyboard)
		}
	}
}
