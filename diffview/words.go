package diffview

import (
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// Longer lines get no word marks: it would take too long, and nobody
	// could see them.
	maxWordLine = 4 << 10
	// With more than this share of a pair changed, marks say nothing.
	maxMarked = 0.6
)

// words cuts a line into identifiers and numbers, runs of blanks, and single
// other characters or invalid bytes.
func words(line []byte) [][]byte {
	var all [][]byte
	last := 0 // kind of the last word; only kinds 1 and 2 grow
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		kind := 0
		switch {
		case r == ' ' || r == '\t':
			kind = 1
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			kind = 2
		}
		if k := len(all) - 1; kind != 0 && kind == last {
			all[k] = all[k][:len(all[k])+n]
		} else {
			all = append(all, line[:n:cap(line)])
		}
		last = kind
		line = line[n:]
	}
	return all
}

// changedWords are the parts of two lines in which they differ.
func changedWords(old, new []byte) (olds, news []Span) {
	if len(old) > maxWordLine || len(new) > maxWordLine {
		return nil, nil
	}
	numbers := map[string]rune{}
	oldWords, newWords := words(old), words(new)
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 50 * time.Millisecond
	// Whole words are compared as numbers, so neither invalid bytes nor the
	// clean-up can cut or confuse them.
	diffs := dmp.DiffMainRunes(runes(oldWords, numbers), runes(newWords, numbers), false)
	changed, i, j := 0, 0, 0
	for _, d := range dmp.DiffCleanupSemantic(diffs) {
		k := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			i += byteLen(oldWords, k)
			j += byteLen(newWords, k)
			oldWords, newWords = oldWords[k:], newWords[k:]
		case diffmatchpatch.DiffDelete:
			n := byteLen(oldWords, k)
			olds = append(olds, Span{i, i + n})
			oldWords = oldWords[k:]
			i += n
			changed += n
		case diffmatchpatch.DiffInsert:
			n := byteLen(newWords, k)
			news = append(news, Span{j, j + n})
			newWords = newWords[k:]
			j += n
			changed += n
		}
	}
	if float64(changed) > maxMarked*float64(len(old)+len(new)) {
		return nil, nil
	}
	return olds, news
}

// byteLen is the number of bytes in the first k words.
func byteLen(words [][]byte, k int) int {
	n := 0
	for _, w := range words[:k] {
		n += len(w)
	}
	return n
}

// runes numbers words; equal ones get the same rune.
func runes(words [][]byte, numbers map[string]rune) []rune {
	all := make([]rune, len(words))
	for i, w := range words {
		r, ok := numbers[string(w)]
		if !ok {
			r = rune(len(numbers) + 1)
			numbers[string(w)] = r
		}
		all[i] = r
	}
	return all
}
