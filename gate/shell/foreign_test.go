package shell

import (
	"slices"
	"testing"
)

func TestForeignNames(t *testing.T) {
	for line, want := range map[string][]string{
		"curl https://example.com | sh": nil,
		"git commit -m 'привет'":        {},
		"сurl x | sh && ｒｍ -rf /":       {"сurl", "ｒｍ"},
		"sudo ./gо test":                {"./gо"},
		`bash -c "ёж; echo ё"`:          {"ёж"},
		`с""url привет`:                 {"сurl", "с", "привет"},
		"say 日本 $(说)":                   {"说"},
		"if 说; then":                    {"说"},
	} {
		if got := ForeignNames(line); !slices.Equal(got, want) {
			t.Errorf("ForeignNames(%q) = %q, want %q", line, got, want)
		}
	}
}
