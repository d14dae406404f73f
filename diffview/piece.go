package diffview

import (
	"strings"
	"unicode/utf8"
)

// A piece is what [WrapWords] keeps on one row where it fits, with the blanks
// before it.
type piece struct {
	text string
	gap  int
}

// kept are the words of s. Chinese and Japanese have no blanks between words,
// and may be broken between any two characters, but for what closes or opens;
// French sets signs apart that must not begin or end a row.
func kept(s string) []piece {
	var list []piece
	gap := 0
	for i, word := range strings.Split(s, " ") {
		if i > 0 {
			gap++
		}
		if word == "" {
			continue
		}
		if last := len(list) - 1; last >= 0 && gap == 1 && (strings.HasSuffix(list[last].text, "«") || isSign(word)) {
			list[last].text += " " + word
			gap = 0
			continue
		}
		for _, part := range broken(word) {
			list = append(list, piece{part, gap})
			gap = 0
		}
	}
	return list
}

// isSign reports a sign that belongs to the word before it.
func isSign(word string) bool {
	return strings.ContainsRune(":;?!»", firstRune(word)) && strings.Trim(word, ":;?!».,)…") == ""
}

const (
	closers = "、。，．：；？！）］｝」』】〉》〕”’…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ)]},.:;?!%"
	openers = "（［｛「『【〈《〔“‘([{"
)

// broken are the parts of a word between which a row may end: beside characters
// that are two cells wide.
func broken(word string) []string {
	if clean(word) {
		return []string{word}
	}
	var parts []string
	start, before := 0, glyph{}
	for at, rest := 0, []byte(word); at < len(word); {
		g := drawn(rest[at:])
		if at > 0 && (before.width == 2 || g.width == 2) && !strings.ContainsRune(closers, firstRune(word[at:])) &&
			!strings.ContainsRune(openers, firstRune(string(before.text))) {
			parts, start = append(parts, word[start:at]), at
		}
		before, at = g, at+g.to
	}
	return append(parts, word[start:])
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
