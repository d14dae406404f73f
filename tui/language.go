package tui

import "strings"

// A language is one that the screen speaks.
type language struct {
	tag       string // BCP 47
	thousands string // between groups of three digits
	one       func(n int) bool
}

func single(n int) bool       { return n == 1 }
func singleOrNone(n int) bool { return n == 0 || n == 1 }
func never(int) bool          { return false }

// languages are all that there are; the first needs no catalogue.
var languages = []language{
	{"en", ",", single},
	{"de", ".", single},
	{"fr", " ", singleOrNone},
	{"es", ".", single},
	{"zh-Hans", ",", never},
	{"ja", ",", never},
}

// Languages lists the tags for [Options].Language.
func Languages() []string {
	tags := make([]string, len(languages))
	for i, l := range languages {
		tags[i] = l.tag
	}
	return tags
}

// LocaleLanguage is the language of a POSIX locale: of LC_ALL, else of
// LC_MESSAGES, else of LANG, as getenv has them. It is English when the first
// of them that is set names a language that [Languages] doesn't list.
// Traditional Chinese is such a one: its readers are not given simplified
// characters unasked.
func LocaleLanguage(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := getenv(name); locale != "" {
			return localeTag(locale)
		}
	}
	return languages[0].tag
}

func localeTag(locale string) string {
	name, _, _ := strings.Cut(locale, ".")
	name, _, _ = strings.Cut(name, "@")
	if l := languageOf(name); l != nil {
		return l.tag
	}
	return languages[0].tag
}

// languageOf finds the language of a tag or of a locale's name, or nil.
func languageOf(tag string) *language {
	parts := strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 {
		return nil
	}
	if parts[0] == "zh" {
		for _, p := range parts[1:] {
			switch p {
			case "hant", "tw", "hk", "mo":
				return nil
			case "hans":
				return languageOf("zh")
			}
		}
	}
	for i := range languages {
		if first, _, _ := strings.Cut(languages[i].tag, "-"); first == parts[0] {
			return &languages[i]
		}
	}
	return nil
}
