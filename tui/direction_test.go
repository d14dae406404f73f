package tui

import "testing"

// P07: letters written from right to left turn what stands between them:
// the names of a copy change places on some terminals, and a sign of a shell turns
// round. That is said; one word in such letters is no news.
func TestOrderOfLettersFromRightToLeft(t *testing.T) {
	for line, said := range map[string]bool{
		"mv אב גד":              true,
		"cat אב > גד":           true,
		"rm ملف || حذف":         true,
		"kill אב 12":            true,
		"rm אב/גד":              true,
		"cat שלום.txt":          false,
		"cp אב x/גד.txt":        false,
		"echo שָׁלוֹם":          false, // points are no words of their own
		"ls 12 אב":              false,
		"mv ab cd && echo é 漢字": false,
	} {
		bubble(t, Options{}, func(b *bench) {
			b.ask(command(line))
			b.settle()
			if said {
				b.wantText("in another order")
			} else {
				b.wantNoText("in another order")
			}
		})
	}
}
