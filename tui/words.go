package tui

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// The English texts of the screen stand in the code, and are the keys of the
// other languages' catalogues. Text that came from outside is never looked up
// but for the sentences in sentences.go.

// locales are the catalogues, one file a language. A text with two forms, for
// one and for more, stands under its form for more.
//
//go:embed locales/*.toml
var locales embed.FS

// A wording is the texts of one language. The zero wording is English.
type wording struct {
	language  *language
	texts     map[string]string
	ones      map[string]string // the forms for one
	sentences []pattern         // those that are composed elsewhere
	facts     factForms
}

// newWording is the catalogue of a language that [Languages] lists; for any
// other tag it is English. English reads nothing.
func newWording(tag string) wording {
	l := languageOf(tag)
	if l == nil || l == &languages[0] {
		return wording{}
	}
	return wordings[l]()
}

// wordings read each catalogue once. Nothing changes one that was read.
var wordings = func() map[*language]func() wording {
	all := map[*language]func() wording{}
	for i := range languages {
		l := &languages[i]
		all[l] = sync.OnceValue(func() wording {
			w, err := readWording(l)
			if err != nil {
				return wording{} // a test reads every catalogue
			}
			return w
		})
	}
	return all
}()

// A catalogue is a file of locales.
type catalogue struct {
	Texts  map[string]string
	Counts map[string]struct{ One, More string }
}

func readWording(l *language) (wording, error) {
	w := wording{language: l, texts: map[string]string{}, ones: map[string]string{}}
	data, err := locales.ReadFile(path.Join("locales", l.tag+".toml"))
	if err != nil {
		return w, err
	}
	var c catalogue
	if err := toml.Unmarshal(data, &c); err != nil {
		return w, fmt.Errorf("%s: %w", l.tag, err)
	}
	if c.Texts != nil {
		w.texts = c.Texts
	}
	for key, forms := range c.Counts {
		w.texts[key] = forms.More
		if forms.One != "" {
			w.ones[key] = forms.One
		}
	}
	w.sentences, w.facts = patterns(), newFacts()
	return w, nil
}

// tr says a text in the person's language. Numbers that name something, such
// as a line, are written as they are; those that count go through [wording.n].
func (w *wording) tr(text string, args ...any) string {
	if t, ok := w.texts[text]; ok {
		text = t
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// n says a text about n things. The number is its first argument, as text.
func (w *wording) n(n int, one, more string, args ...any) string {
	text := more
	if w.language == nil {
		if n == 1 {
			text = one
		}
	} else {
		text = w.tr(more)
		if t, ok := w.ones[more]; ok && w.language.one(n) {
			text = t
		}
	}
	return fmt.Sprintf(text, append([]any{w.number(n)}, args...)...)
}

// number writes a number that counts.
func (w *wording) number(n int) string {
	digits := fmt.Sprint(n)
	mark := ","
	if w.language != nil {
		mark = w.language.thousands
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + mark + digits[i:]
	}
	return digits
}

// fact joins a name and what is said of it, with the colon of the language.
func (w *wording) fact(name, value string) string { return w.tr("%s: %s", name, value) }

// list joins names as a sentence does.
func (w *wording) list(names []string) string { return strings.Join(names, w.tr(", ")) }

// unchanged says how many lines a diff leaves out.
func (w *wording) unchanged(n int) string {
	return w.n(n, "%s unchanged line", "%s unchanged lines")
}

// noted puts the notes of diffs, which are sentences for a person, into their
// language.
func (w *wording) noted(diffs []*diffview.Diff) []*diffview.Diff {
	for _, d := range diffs {
		for i, note := range d.Notes {
			d.Notes[i] = w.known(note)
		}
	}
	return diffs
}
