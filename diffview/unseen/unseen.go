// Package unseen knows the characters that a reader can't see, or that act on a
// terminal. Whoever draws, writes or saves text from outside asks it, so that
// what is escaped in one place isn't let through in another.
package unseen

import "unicode"

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

// Rune reports controls, tabs and newlines among them, format and bidi
// characters, spaces other than the ordinary one, selectors and fillers, and
// private, unassigned and noncharacter code points (BEY-03).
func Rune(r rune) bool {
	if r < 0x300 { // no table needed: this is asked for each character
		return !unicode.IsPrint(r)
	}
	return !unicode.IsPrint(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, blankGlyphs)
}
