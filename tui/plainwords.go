package tui

import (
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// typedWords are the words that are typed as answers in lines, in English and
// in the person's language. Both are always taken.
func (w *wording) typedWords() map[string]string {
	return map[string]string{
		"yes": w.tr("yes"), "session": w.tr("session"), "always": w.tr("always"), "no": w.tr("no"),
		"why": w.tr("why"), "again": w.tr("again"), "more": w.tr("more"), "all": w.tr("all"),
		"turn": w.tr("turn"), "minutes": w.tr("minutes"), "cancel": w.tr("cancel"), "comment": w.tr("comment"),
		"save": w.tr("save"), "everywhere": w.tr("everywhere"), "back": w.tr("back"), "help": w.tr("help"),
	}
}

// english is the English one of a word that was typed, or the word as it is
// compared: without accents, and in the usual width.
func (w *wording) english(typed string) string {
	typed = folded(typed)
	for word, own := range w.typedWords() {
		if typed == folded(own) {
			return word
		}
	}
	return typed
}

// A meaning is what a word that answers seems to mean.
type meaning uint8

const (
	meansOther meaning = iota
	meansYes
	meansNo
)

// answerWord reports whether text is nothing but a word or a letter that answers
// or shows more somewhere in this program, in English or in the person's
// language. Alone it tells an agent nothing.
func (w *wording) answerWord(text string) (means meaning, alone bool) {
	word := w.english(strings.TrimRight(strings.TrimSpace(text), ".!。！"))
	own := w.typedWords()
	switch word {
	case "yes", "y", "ok", "okay":
		return meansYes, true
	case "no", "n", "d", "cancel":
		return meansNo, true
	case "s", "a", "t", "m":
		return meansOther, true
	case "":
		return meansOther, false
	}
	if _, taught := own[word]; taught {
		return meansOther, true
	}
	letters := 0
	for english, m := range map[string]meaning{"yes": meansYes, "session": meansOther, "always": meansOther, "no": meansNo} {
		if word == firstLetter(own[english]) {
			means = m
			letters++
		}
	}
	if letters > 1 {
		means = meansOther // it begins several
	}
	return means, letters > 0
}

// showsMore reports whether text is a word that only shows something in lines.
func (w *wording) showsMore(text string) bool {
	switch w.english(text) {
	case "more", "all", "again", "why":
		return true
	}
	return false
}

func folded(s string) string {
	s, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn))), s)
	if err != nil {
		return ""
	}
	return strings.ToLower(s)
}

// firstLetter is the letter that stands for a word, or empty.
func firstLetter(word string) string {
	for _, r := range folded(word) {
		return string(r)
	}
	return ""
}
