package tui

import (
	"slices"
	"testing"
)

// BEY-11: the first variable that is set decides; what isn't there is English.
func TestLocaleLanguage(t *testing.T) {
	for _, row := range []struct {
		all, messages, lang, want string
	}{
		{"", "", "", "en"},
		{"", "", "de_AT.UTF-8", "de"},
		{"", "fr_CA", "de_DE.UTF-8", "fr"},
		{"es_MX.UTF-8", "fr_CA", "de_DE.UTF-8", "es"},
		{"C.UTF-8", "", "de_DE.UTF-8", "en"},
		{"POSIX", "", "", "en"},
		{"", "", "de_DE@euro", "de"},
		{"", "", "ja_JP.eucJP", "ja"},
		{"", "", "zh_CN.GB18030", "zh-Hans"},
		{"", "", "zh_SG", "zh-Hans"},
		{"", "", "zh-Hans-TW", "zh-Hans"},
		{"", "", "zh_TW.UTF-8", "en"},
		{"", "", "zh_HK", "en"},
		{"", "", "pt_BR.UTF-8", "en"},
		{"", "", "en_GB.UTF-8", "en"},
		{"", "", "deu", "en"},
	} {
		env := map[string]string{"LC_ALL": row.all, "LC_MESSAGES": row.messages, "LANG": row.lang}
		if got := LocaleLanguage(func(name string) string { return env[name] }); got != row.want {
			t.Errorf("%v: %s", row, got)
		}
		if !slices.Contains(Languages(), row.want) {
			t.Errorf("%s is not listed", row.want)
		}
	}
}

// Counts and numbers, as each language writes them.
func TestCounts(t *testing.T) {
	for _, row := range []struct {
		language string
		n        int
		want     string
	}{
		{"en", 1, "1 more line"}, {"en", 0, "0 more lines"}, {"en", 12345, "12,345 more lines"},
		{"de", 1, "noch 1 Zeile"}, {"de", 12345, "noch 12.345 Zeilen"},
		{"fr", 0, "encore 0 ligne"}, {"fr", 2, "encore 2 lignes"}, {"fr", 12345, "encore 12 345 lignes"},
		{"es", 1, "1 línea más"}, {"es", 0, "0 líneas más"},
		{"ja", 1, "あと1行"}, {"zh-Hans", 1, "还有 1 行"},
	} {
		w := newWording(row.language)
		if got := w.n(row.n, "%s more line", "%s more lines"); got != row.want {
			t.Errorf("%s %d: %q, not %q", row.language, row.n, got, row.want)
		}
	}
	w := newWording("de")
	if got := w.tr("line %d", 12345); got != "Zeile 12345" {
		t.Errorf("a line's number reads %q", got)
	}
}

// Unknown tags are English, which reads no catalogue.
func TestUnknownLanguageIsEnglish(t *testing.T) {
	for _, tag := range []string{"", "en", "tlh", "auto"} {
		if w := newWording(tag); w.language != nil || w.tr("once") != "once" {
			t.Errorf("%q: %+v", tag, w)
		}
	}
}
