package tui

import "testing"

// What a start costs: in English nothing is read.
func BenchmarkNew(b *testing.B) {
	for _, language := range []string{"en", "de", "ja"} {
		b.Run(language, func(b *testing.B) {
			for b.Loop() {
				New(Options{Language: language})
			}
		})
	}
}
