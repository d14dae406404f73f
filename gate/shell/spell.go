package shell

import (
	"strings"
	"unicode"
)

// spell writes the words that a wrapper runs as a command line, with the quotes
// that a shell needs to come to the same words. What is known only when the
// command runs stays as it was written.
func spell(words []Word) string {
	spelled := make([]string, len(words))
	for i, w := range words {
		spelled[i] = w.spelled(i == 0)
	}
	return strings.Join(spelled, " ")
}

func (w Word) spelled(first bool) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_@%+:,./-^", r) && (first || r != '=')
	}
	text := w.Text
	if !w.tilde {
		text = strings.TrimPrefix(text, "~") // the home
	}
	switch {
	case w.Text != "" && !strings.ContainsFunc(text, special):
		return w.Text
	case w.Literal:
		return "'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'"
	case strings.ContainsAny(w.Text, " \t\n;|&") && !strings.ContainsAny(w.Text[:1], "$`<>"):
		return `"` + w.Text + `"`
	}
	return w.Text
}
