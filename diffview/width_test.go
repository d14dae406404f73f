package diffview

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// What is said to be narrow without a look at the tables is (P03).
func TestNarrowIsOneColumn_P03(t *testing.T) {
	signs := []rune(narrowSigns)
	for r := rune(0x20); r < 0x3000; r++ {
		if narrow(string(r)) {
			signs = append(signs, r)
		}
	}
	if len(signs) < 600 {
		t.Fatalf("only %d characters are narrow", len(signs))
	}
	for _, r := range signs {
		if s := string(r); ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 {
			t.Errorf("%q takes %d or %d columns", s, ansi.StringWidth(s), ansi.StringWidthWc(s))
		}
	}
}
