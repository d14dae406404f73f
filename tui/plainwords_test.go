package tui

import (
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// BEY-11, BEY-13: in lines, English words answer in every language, and so do
// the person's own, without accents and in wide characters too. A letter that
// begins two answers is none.
func TestPlainWords(t *testing.T) {
	once, session, refuse := gate.Answer{Decision: gate.Once}, gate.Answer{Decision: gate.Session}, gate.Answer{Decision: gate.Refuse}
	for _, row := range []struct {
		language, typed string
		want            gate.Answer
	}{
		{"de", "ja", once}, {"de", "JA", once}, {"de", "j", once}, {"de", "yes", once}, {"de", "y", once}, {"de", "Sitzung", session},
		{"de", "nein", refuse}, {"de", "n", refuse}, {"de", "nein nimm go test", gate.Answer{Decision: gate.Refuse, Message: "nimm go test"}},
		{"fr", "oui", once}, {"fr", "o", once}, {"fr", "non", refuse}, {"fr", "s", session},
		{"es", "sí", once}, {"es", "si", once}, {"es", "sesion", session}, {"es", "y", once}, {"es", "no", refuse},
		{"zh-Hans", "是", once}, {"zh-Hans", "\uff11", once}, {"zh-Hans", "\uff59", once}, {"zh-Hans", "否", refuse}, {"zh-Hans", "会话", session},
		{"ja", "はい", once}, {"ja", "いいえ 後で", gate.Answer{Decision: gate.Refuse, Message: "後で"}}, {"ja", "セッション", session}, {"ja", "\uff7e\uff6f\uff7c\uff6e\uff9d", session},
	} {
		inLines(t, Options{Language: row.language}, func(y *listener) {
			answers := y.asks(command("make test"))
			y.types(row.typed + "\n")
			gives(t, answers, row.want)
		})
	}
	for language, typed := range map[string]string{"es": "s", "de": "oui", "fr": "ja", "en": "ja"} {
		inLines(t, Options{Language: language}, func(y *listener) {
			answers := y.asks(command("make test"))
			y.types(typed + "\n")
			waits(t, answers)
		})
	}
	inLines(t, Options{Language: "de"}, func(y *listener) {
		answers := y.asks(command("make test"))
		y.types("immer\n")
		waits(t, answers)
		y.types("speichern\n")
		gives(t, answers, gate.Answer{Decision: gate.Always})
		y.sees("Erlaubt. Das wird dauerhaft gespeichert.")
	})
}

// BEY-11: the words of a language are single words, and no two are the same.
func TestPlainWordsDiffer(t *testing.T) {
	for _, language := range Languages() {
		w := newWording(language)
		seen := map[string]string{}
		for word, own := range w.typedWords() {
			for _, s := range []string{folded(word), folded(own)} {
				if other := seen[s]; other != "" && other != word {
					t.Errorf("%s: %q means %s and %s", language, s, other, word)
				}
				seen[s] = word
			}
			for _, r := range own {
				if r == ' ' {
					t.Errorf("%s: %q is more than a word", language, own)
				}
			}
		}
	}
}
