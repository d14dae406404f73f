package gate

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P04: JSON hides nothing behind its escapes, and a string can't pass for more
// than one.
func TestReadableJSON_P04(t *testing.T) {
	for in, want := range map[string]string{
		`{"cmd":"\u0072\u006d -rf","\u0061":"\u65e5\u672c Gr\u00fc\u00dfe"}`: "{\n  \"cmd\": \"rm -rf\",\n  \"a\": \"日本 Grüße\"\n}",
		`{"b":1,"a":2,"b":3}`:                              "{\n  \"b\": 1,\n  \"a\": 2,\n  \"b\": 3\n}",
		`"\u001b[31m\b\f\/"`:                               "\"\x1b[31m\b\f/\"",
		`"a\nb\u000ac\td\"e\u0022f\\g\u005ch\u000d\u0009"`: `"a\nb\nc\td\"e\"f\\g\\h\r\t"`,
		`"\ud83d\ude42 \ud83d \ude42 \ud83d\u0041"`:        `"🙂 \ud83d \ude42 \ud83dA"`,
		"\"\xff\"":            "\"\xff\"",
		`"\\u0072m"`:          `"\\u0072m"`,
		` not JSON "\u0041" `: `not JSON "\u0041"`,
		``:                    ``,
	} {
		if got := ReadableJSON([]byte(in)); got != want {
			t.Errorf("ReadableJSON(%s)\n got %q\nwant %q", in, got, want)
		}
	}
	deep := strings.Repeat("[", 60) + `"\u0041"` + strings.Repeat("]", 60)
	if got := ReadableJSON([]byte(deep)); got != strings.Replace(deep, `\u0041`, "A", 1) {
		t.Errorf("deep: %s", got)
	}
}

func TestReadableJSONKeepsTextsApart(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", `\u0061`, `\n`, `\u000a`, `\"`, `\\`, "u0061", `\ud83d`, `\ude42`, `\u001b`, "日", `\t`})
	rapid.Check(t, func(t *rapid.T) {
		var value [2]any
		var shown [2]string
		for i := range value {
			text := `{"k":"` + strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "text"), "") + `"}`
			if err := json.Unmarshal([]byte(text), &value[i]); err != nil {
				t.Fatal(err)
			}
			shown[i] = ReadableJSON([]byte(text))
		}
		a, b := value[0].(map[string]any)["k"], value[1].(map[string]any)["k"]
		if a != b && shown[0] == shown[1] {
			t.Fatalf("%q and %q are both shown as %s", a, b, shown[0])
		}
		if n := strings.Count(shown[0], "\n"); n != 2 {
			t.Fatalf("%d ends of lines in %s", n, shown[0])
		}
	})
}
