package unseen

import (
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"
)

// BEY-03: what no font draws is unseen, though Unicode calls it a letter, a
// mark or a symbol.
func TestRune_BEY03(t *testing.T) {
	for _, r := range "\x00\t\n\r\x7f\u0085\u00a0\u00ad\u034f\u115f\u1160\u17b4\u180b\u200b\u200d\u202e\u2028\u2800\u3000\u3164\ufe00\ufe0f\ufeff\uffa0\ufffc\ufff0\ue000\U0001d159\U000e0041\U000e0100\U0010ffff" {
		if !Rune(r) {
			t.Errorf("%U counts as seen", r)
		}
	}
	for _, r := range " aé日я🙂각\u0301\ufffd⇥─" {
		if Rune(r) {
			t.Errorf("%U counts as unseen", r)
		}
	}
}

// JSON comes to the same value, and holds nothing unseen.
func TestJSON(t *testing.T) {
	var all []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) {
			all = append(all, r)
		}
	}
	text, err := json.Marshal(string(all))
	if err != nil {
		t.Fatal(err)
	}
	printed := JSON(text)
	var back string
	if err := json.Unmarshal(printed, &back); err != nil || back != string(all) {
		t.Errorf("another value: %v", err)
	}
	for _, r := range string(printed) {
		if Rune(r) {
			t.Errorf("%U is in it", r)
		}
	}
}
