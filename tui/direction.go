package tui

import (
	"golang.org/x/text/unicode/bidi"

	"github.com/blitz-approve/blitz-approve/gate"
)

// reordered reports whether a terminal that writes some letters from right to left
// may show parts of s in another order than they stand in: words and signs between
// such letters, as in the two names of a copy, and numbers behind them. One such
// word among others stays where it is.
func reordered(s string) bool {
	turned, apart := false, false // such a letter came, and then something that is none
	for _, r := range s {
		properties, _ := bidi.LookupRune(r)
		switch properties.Class() {
		case bidi.R, bidi.AL:
			if turned && apart {
				return true
			}
			turned, apart = true, false
		case bidi.L:
			turned = false
		case bidi.EN, bidi.AN:
			if turned {
				return true
			}
		case bidi.NSM:
		default:
			apart = true
		}
	}
	return false
}

// reorderedIn tells so of what a request touches or runs.
func reorderedIn(r *gate.Request) bool {
	for _, s := range append([]string{r.Detail, r.Dir}, r.Targets...) {
		if reordered(s) {
			return true
		}
	}
	return false
}
