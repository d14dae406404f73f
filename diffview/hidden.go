package diffview

import "github.com/blitz-approve/blitz-approve/diffview/unseen"

// The characters that this package draws itself. Where a text holds one of
// them it is escaped, so that nothing in a text can pass for one of ours.
const (
	tabMark   = '⇥'
	blankMark = '␣'
	countMark = '⟨' // opens "⟨12 spaces⟩"; the closing one needs no escape
)

// hides tells whether r must be drawn as an escape: what nobody sees, and our
// own marks.
func hides(r rune) bool {
	switch r {
	case tabMark, blankMark, countMark:
		return true
	}
	return unseen.Rune(r)
}
