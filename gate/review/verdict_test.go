package review

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/gate"
)

// TestParseVerdict reads exactly one verdict (APR-14a).
func TestParseVerdict(t *testing.T) {
	rows := []struct{ text, want string }{ // want: allow, deny, or none, then the reason
		{`{"decision":"allow","reason":"it only reads"}`, "allow it only reads"},
		{`{"decision":"deny","reason":"it pushes"}`, "deny it pushes"},
		{" \n{\"reason\": \"it pushes\", \"decision\": \"deny\"}\n", "deny it pushes"},
		{"```json\n{\"decision\":\"allow\",\"reason\":\"ok\"}\n```", "allow ok"},
		{"```JSON\r\n{\"decision\":\"allow\",\"reason\":\"ok\"}\r\n```\n", "allow ok"},
		{"```\n{\n\"decision\":\"deny\",\n\"reason\":\"no\"}```", "deny no"},
		{`{"decision":"\u0061llow","reason":"ok"}`, "allow ok"},
		{`{"decision":"deny","reason":"a } and a { and a \" and ` + "```" + `"}`, "deny a } and a { and a \" and ```"},
		{`{"decision":"deny","reason":" no\u001b[31m\n\u202eway\u0000 "}`, "deny no[31m way"},

		// none
		{"", "none"},
		{"```json\n```", "none"},
		{"allow", "none"},
		{`"allow"`, "none"},
		{"null", "none"},
		{"{}", "none"},
		{`{"decision":"deny"}`, "none"},
		{`{"decision":"deny","reason":""}`, "none"},
		{`{"decision":"allow","reason":" \u200b\n"}`, "none"},
		{`{"reason":"ok"}`, "none"},
		{`{"decision":"allow","reason":"cut of`, "none"},
		{`[{"decision":"allow","reason":"ok"}]`, "none"},
		// unknown
		{`{"decision":"Allow","reason":"ok"}`, "none"},
		{`{"decision":"allow ","reason":"ok"}`, "none"},
		{`{"decision":"ask","reason":"ok"}`, "none"},
		{`{"decision":true,"reason":"ok"}`, "none"},
		{`{"decision":null,"reason":"ok"}`, "none"},
		{`{"decision":["allow"],"reason":"ok"}`, "none"},
		{`{"decision":"allow","reason":{"decision":"deny"}}`, "none"},
		{`{"decision":"allow","reason":"ok","verdict":"deny"}`, "none"},
		// two, or contradicted
		{`{"decision":"allow","reason":"ok"}{"decision":"deny","reason":"no"}`, "none"},
		{`{"decision":"deny","reason":"no"} {"decision":"deny","reason":"no"}`, "none"},
		{`{"decision":"deny","decision":"allow","reason":"ok"}`, "none"},
		{`{"decision":"deny","Decision":"allow","reason":"ok"}`, "none"},
		{`{"decision":"allow","reason":"ok","reason":"no"}`, "none"},
		{"```json\n{\"decision\":\"allow\",\"reason\":\"ok\"}\n```\n```json\n{\"decision\":\"deny\",\"reason\":\"no\"}\n```", "none"},
		{"I would deny this.\n{\"decision\":\"allow\",\"reason\":\"ok\"}", "none"},
		{"{\"decision\":\"allow\",\"reason\":\"ok\"}\nBut do not run it.", "none"},
		{`{"decision":"allow","reason":"ok"}}`, "none"},
		// fences
		{"```json\n{\"decision\":\"allow\",\"reason\":\"ok\"}", "none"},
		{"```deny\n{\"decision\":\"allow\",\"reason\":\"ok\"}\n```", "none"},
		{"``````", "none"},
		{"```", "none"},
	}
	for _, row := range rows {
		v, err := parseVerdict(row.text)
		got := "none"
		switch {
		case err != nil:
			if !errors.Is(err, ErrNoVerdict) {
				t.Errorf("%q: the error is not ErrNoVerdict: %v", row.text, err)
			}
			if v != (gate.Review{}) {
				t.Errorf("%q: a verdict beside an error: %+v", row.text, v)
			}
		case v.Allow:
			got = "allow " + v.Reason
		default:
			got = "deny " + v.Reason
		}
		if got != row.want {
			t.Errorf("%q: %s (%v), want %s", row.text, got, err, row.want)
		}
	}
}

func TestLongReasonIsCut(t *testing.T) {
	v, err := parseVerdict(`{"decision":"deny","reason":"` + strings.Repeat("é ", 10_000) + `"}`)
	if n := utf8.RuneCountInString(v.Reason); err != nil || n != maxSentence+1 {
		t.Errorf("%d characters, %v", n, err)
	}
}

// FuzzParseVerdict looks for an allow in what isn't plainly one.
func FuzzParseVerdict(f *testing.F) {
	for _, s := range []string{
		`{"decision":"allow","reason":"ok"}`, "```json\n{\"decision\":\"deny\",\"reason\":\"no\"}\n```",
		`{"decision":"deny","Decision":"allow","reason":"ok"}`, `{"decision":"allow","reason":"a"}{"decision":"deny","reason":"b"}`,
		"", "{", "```", `{"decision":"\u0061llow","reason":"\u202e"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := parseVerdict(text)
		if err != nil {
			if v != (gate.Review{}) || !errors.Is(err, ErrNoVerdict) {
				t.Fatalf("%+v beside %v", v, err)
			}
			return
		}
		if strings.TrimSpace(v.Reason) == "" || v.Reason != Sentence(v.Reason) {
			t.Errorf("the reason %q is empty or not clean", v.Reason)
		}
		// One object has one opening brace outside of its texts.
		if outside := strings.Count(withoutTexts(text), "{"); outside != 1 {
			t.Errorf("read a verdict where %d objects begin", outside)
		}
		if strings.Contains(text, `"deny"`) && v.Allow && !strings.Contains(text, `"allow"`) && !strings.Contains(text, `\`) {
			t.Error("read an allow that isn't there")
		}
	})
}

// withoutTexts drops what stands in quotes.
func withoutTexts(s string) string {
	var b strings.Builder
	inside, escaped := false, false
	for _, r := range s {
		switch {
		case escaped:
			escaped = false
		case inside && r == '\\':
			escaped = true
		case r == '"':
			inside = !inside
		case !inside:
			b.WriteRune(r)
		}
	}
	return b.String()
}
