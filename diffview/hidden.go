package diffview

import "unicode"

// The characters that this package draws itself. Where a text holds one of
// them it is escaped, so that nothing in a text can pass for one of ours.
const (
	tabMark   = '⇥'
	blankMark = '␣'
	countMark = '⟨' // opens "⟨12 spaces⟩"; the closing one needs no escape
)

// blankGlyphs are letters and symbols that fonts draw as nothing.
var blankGlyphs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xfffc, Hi: 0xfffc, Stride: 1}, // stands for an object that isn't there
	},
	R32: []unicode.Range32{
		{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // musical null notehead
	},
}

// unseen tells whether r must be drawn as an escape: controls, format and bidi
// characters, spaces other than the ordinary one, selectors and fillers,
// private, unassigned and noncharacter code points, and our own marks.
func unseen(r rune) bool {
	if r < 0x300 { // no table needed: this is asked for each character
		return !unicode.IsPrint(r)
	}
	switch r {
	case tabMark, blankMark, countMark:
		return true
	}
	return !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, blankGlyphs)
}
