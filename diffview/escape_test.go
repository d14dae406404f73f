package diffview

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/blitz-approve/blitz-approve/diffview/unseen"
)

// P02 and P12 of the display properties, BEY-03: what a person couldn't see is
// drawn, one for one and in one notation.
func TestEscape_BEY03(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "go test ./...", "go test ./..."},
		{"colours", "a\x1b[31mb", `a\u001b[31mb`},
		{"escape at the end", "ls \x1b", `ls \u001b`},
		{"backspaces", "rm x\b\bls", `rm x\u0008\u0008ls`},
		{"newline, return, NUL, DEL", "a\nb\rc\x00d\x7f", `a\u000ab\u000dc\u0000d\u007f`},
		{"C1 as code points", "a\u009b31mb\u0085", `a\u009b31mb\u0085`},
		{"C1 as bytes", "a\x9b31mb", `a\x9b31mb`},
		{"bidi", "a\u202eb\u2066c\u2069\u200f", `a\u202eb\u2066c\u2069\u200f`},
		{"line separators", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"zero width", "a\u200bb\u200dc\u2060\ufeff\u00ad", `a\u200bb\u200dc\u2060\ufeff\u00ad`},
		{"tags", "a\U000e0041", `a\U000e0041`},
		{"selectors", "❤\ufe0f\U000e0100", `❤\ufe0f\U000e0100`},
		{"joined emoji", "👩\u200d👩", `👩\u200d👩`},
		{"fillers", "rm\u115f\u3164\uffa0\u2800x", `rm\u115f\u3164\uffa0\u2800x`},
		{"odd spaces", "a\u00a0b\u3000c\u2007d\u202f", `a\u00a0b\u3000c\u2007d\u202f`},
		{"noncharacters", "\ufdd0\uffff\U0010ffff", `\ufdd0\uffff\U0010ffff`},
		{"private", "\ue0b0\U000f0000", `\ue0b0\U000f0000`},
		{"invalid", "ls \xff\xfe \xc0\xaf", `ls \xff\xfe \xc0\xaf`},
		{"surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"replacement is not invalid", "\ufffd", "\ufffd"},
		{"letters", "日本語 naïve привет", "日本語 naïve привет"},
		{"marks on a letter", "e\u0301 e\u0301\u0302\u0303\u0304\u0305", "e\u0301 e\u0301\u0302\u0303\u0304\\u0305"},
		{"one long grapheme", "ก" + strings.Repeat("ำ", 18), "กำำำำำำำำำำำำำำำ" + `\u0e33\u0e33\u0e33`},
		{"one of wide letters", strings.Repeat("\u1100", 17), strings.Repeat("\u1100", 16) + `\u1100`},
		{"marks on nothing", "\u0301 \u0301", `\u0301 \u0301`},
		{"backslash", `C:\temp\new`, `C:\temp\new`},
		{"text like an escape", `\u202e \x41 \U000E0041`, `\\u202e \\x41 \\U000E0041`},
		{"text like half an escape", `\u202 \x4 \u{202e}`, `\u202 \x4 \u{202e}`},
		{"backslashes before an escape", "\\\u202e \\\\\xff", `\\\u202e \\\\\xff`},
		{"tabs", "\ta\tbcd\te", "⇥   a⇥  bcd⇥e"},
		{"many tabs", strings.Repeat("\t", 30) + "x", "⟨30 tabs⟩x"},
		{"blanks", "a       b", "a       b"},
		{"many blanks", "a        b", "a⟨8 spaces⟩b"},
		{"aligned blanks", "a              b", "a⟨14 spaces⟩   b"},
		{"very many blanks", "a" + strings.Repeat(" ", 500) + "b", "a⟨500 spaces⟩b"},
		{"trailing blanks", "a \t  ", "a␣⇥ ␣␣"},
		{"many trailing blanks", "a" + strings.Repeat(" ", 14), "a⟨14 spaces⟩"},
		{"trailing blanks before a return", "a  \r", `a␣␣\u000d`},
		{"our own marks", "⇥␣⟨8 spaces⟩", `\u21e5\u2423\u27e88 spaces⟩`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("Escape(%+q)\n got %s\nwant %s", tt.in, got, tt.want)
			}
		})
	}
}

// P18: blank lines are counted.
func TestEscapeLines_P18(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", []string{""}},
		{"a", []string{"a"}},
		{"a\n", []string{"a", ""}},
		{"a\r\nb", []string{`a\u000d`, "b"}},
		{"ls\n\n\nrm", []string{"ls", "", "", "rm"}},
		{"ls" + strings.Repeat("\n", 201) + "rm -rf ~", []string{"ls", "⟨200 blank lines⟩", "rm -rf ~"}},
		{"\n\n\n", []string{"⟨4 blank lines⟩"}},
		{"⟨4 blank lines⟩", []string{`\u27e84 blank lines⟩`}},
	} {
		if got := EscapeLines(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("EscapeLines(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

func TestEscapeWord(t *testing.T) {
	for in, want := range map[string]string{
		"git":        "git",
		"g\u0456t":   `g\u0456t`, // Ukrainian i
		"cafe\u0301": `cafe\u0301`,
		`a\é`:        `a\\\u00e9`,
		"ｒｍ":         `\uff52\uff4d`,
	} {
		if got := EscapeWord(in); got != want {
			t.Errorf("EscapeWord(%q) = %s, want %s", in, got, want)
		}
	}
}

// All short texts over alphabets that meet in the rules: two of them never
// look alike.
func TestEscapeIsInjective(t *testing.T) {
	for _, tt := range []struct {
		alphabet []string
		length   int
	}{
		{[]string{`\`, "x", "4", "\xff", "\u0301", "\u202e"}, 6},
		{[]string{" ", "\t", "a"}, 10},
		{[]string{" ", "\t", "\r"}, 6},
		{[]string{" ", "a"}, 14},
		{[]string{"⟨", "8", " spaces⟩", "        ", "⇥", "␣", "   ", "\t"}, 5},
		{[]string{strings.Repeat("\u1100", 15), "\u1100", strings.Repeat("\u0d4e", 16), `\`, "u1100", "ำ"}, 5},
		{[]string{"\u1100", "\u1161", "\u11a8", `\`, "u1161", "e", "\u0903", "\u094d"}, 5},
	} {
		seen := map[string]string{}
		var grow func(s string, n int)
		grow = func(s string, n int) {
			e := Escape(s)
			if other, ok := seen[e]; ok && other != s {
				t.Fatalf("%+q and %+q both become %s", s, other, e)
			}
			seen[e] = s
			for i := 0; n > 0 && i < len(tt.alphabet); i++ {
				grow(s+tt.alphabet[i], n-1)
			}
		}
		grow("", tt.length)
	}
}

// pieces are texts that have gone wrong somewhere.
var pieces = []string{
	"a", "b", " ", "  ", "        ", "             ", "\t", "\n", "\n\n\n\n", "\r", "\r\n", "\\", "\\u202e", "\\x41", "\\U000e0041",
	"\x1b[31m", "\x1b]8;;x\a", "\x1b", "\x00", "\x7f", "\u009b", "\x9b", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x80",
	"\u202e", "\u2066", "\u200b", "\u200d", "\ufe0f", "\u00a0", "\u3000", "\ufeff", "\U000e0041", "\u2028", "\u2800", "\u3164",
	"e\u0301", "\u0301", "e\u0301\u0302\u0303\u0304\u0305\u0306", "日", "👍🏽", "👩\u200d👩", "🇫🇷", "🇫", "क्षि", "\u0903", "각", "\u1100", "\u1161",
	"\u0d4e", "§", "①", "⇥", "␣", "⟨", "⟨8 spaces⟩", "│", "+", "-", "func main() {", "return x / y", "# comment", "é", "p\u0430ypal", "привет", "ﷺ", "𒐫", "\u0600",
	// One grapheme each, longer than any that a script needs.
	"ก" + strings.Repeat("ำ", 60), strings.Repeat("\u1100", 60), strings.Repeat("\u0d4e", 50), "e" + strings.Repeat("\u0903", 50),
	"क" + strings.Repeat("\u094dक", 40),
}

func nasty() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 24).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				b.WriteByte(rapid.Byte().Draw(t, "byte"))
			case 1:
				b.WriteRune(rapid.Rune().Draw(t, "rune"))
			default:
				b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
			}
		}
		return b.String()
	})
}

// P01: no control byte is left, whatever comes in; and what is escaped is
// valid UTF-8 of code points that show.
func checkDrawable(t interface{ Fatalf(string, ...any) }, s string) {
	if !utf8.ValidString(s) {
		t.Fatalf("invalid UTF-8 in %q", s)
	}
	for _, r := range s {
		if unseen.Rune(r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

func TestEscape_P01(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		checkDrawable(t, Escape(s))
		checkDrawable(t, EscapeWord(s))
		for _, line := range EscapeLines(s) {
			checkDrawable(t, line)
		}
		if !ascii(strings.Map(dropMarks, EscapeWord(s))) {
			t.Fatalf("EscapeWord leaves %q", EscapeWord(s))
		}
	})
}

func dropMarks(r rune) rune {
	if strings.ContainsRune("⇥␣⟨⟩", r) {
		return -1
	}
	return r
}

func TestEscapeKeepsTextsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		at := rapid.IntRange(0, len(s)).Draw(t, "at")
		to := rapid.IntRange(at, len(s)).Draw(t, "to")
		other := s[:at] + rapid.SampledFrom(append(pieces, "")).Draw(t, "piece") + s[to:]
		if (s == other) != (Escape(s) == Escape(other)) {
			t.Fatalf("%+q and %+q: %s", s, other, Escape(s))
		}
		if (s == other) != (strings.Join(EscapeLines(s), "\n") == strings.Join(EscapeLines(other), "\n")) {
			t.Fatalf("%+q and %+q: %q", s, other, EscapeLines(s))
		}
	})
}

// P03, P04: rows fit and, joined, are the text again.
func TestWrap_P03_P04(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Escape(nasty().Draw(t, "s"))
		width := rapid.IntRange(1, 40).Draw(t, "width")
		rows := Wrap(s, width)
		for _, row := range rows {
			if Width(row) > width {
				t.Fatalf("%q takes %d of %d columns", row, Width(row), width)
			}
		}
		if got := strings.Join(rows, ""); width > 3 && got != s {
			t.Fatalf("%q came back as %q", s, got)
		}
		if got := Truncate(s, width); Width(got) > width || Width(s) <= width && got != s {
			t.Fatalf("Truncate(%q, %d) = %q", s, width, got)
		}
		for _, row := range WrapWords(s, width) {
			if Width(row) > width {
				t.Fatalf("%q takes %d of %d columns", row, Width(row), width)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := strings.Join(WrapWords(s, width), ""); width > 3 && bare(got) != bare(s) {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}

func TestWrapWords(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"rm -rf  x", 20, []string{"rm -rf  x"}},
		{"rm -rf  x", 6, []string{"rm -rf", "x"}},
		{"  a bcd", 5, []string{"  a", "bcd"}},
		{"a bcdefghi j", 4, []string{"a bc", "defg", "hi j"}},
		{"abcd efghi", 4, []string{"abcd", "efgh", "i"}},
		// Between wide characters, but not before what closes or after what opens.
		{"请先读到末尾，然后回答", 12, []string{"请先读到末", "尾，然后回答"}},
		{"按 Enter 发送（全部）", 16, []string{"按 Enter 发送", "（全部）"}},
		{"もう一度Enterで終了", 10, []string{"もう一度", "Enterで終", "了"}},
		// French signs stay where they belong.
		{"cela passerait : non", 14, []string{"cela", "passerait :", "non"}},
		{"tapez « retour »", 10, []string{"tapez", "« retour »"}},
		{"क्षि क्षि", 5, []string{"क्षि", "क्षि"}}, // one cell each on some terminals, three on others
	} {
		if got := WrapWords(tt.in, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("WrapWords(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

// P03: a terminal that draws each letter of a flag as wide as an emoji has room
// for it too.
func TestWidthOfFlags(t *testing.T) {
	for s, want := range map[string]int{"🇩": 2, "🇩🇪": 4, "a🇩🇪🇫": 7, "🇫ः": 3} {
		if got := Width(s); got != want || !strings.HasPrefix(s, "a") && clusterWidth([]byte(s)) != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"abcdef", 3, []string{"abc", "def"}},
		{"日日日", 5, []string{"日日", "日"}},
		{"日", 1, strings.Split(`\u65e5`, "")},
		{`abcd\u202e`, 8, []string{"abcd", `\u202e`}},
		{`ab\u202e`, 4, []string{`ab\u`, "202e"}},
		{"abc", 0, []string{"a", "b", "c"}},
	} {
		if got := Wrap(tt.in, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日日", 3, "日…"}, {"日日", 2, "…"}, {"abc", 0, ""}, {"abc", -1, ""},
	} {
		if got := Truncate(tt.in, tt.width); got != tt.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

// Texts that are costly if the same run is looked at again and again.
func TestEscapeTakesLinearTime(t *testing.T) {
	for _, piece := range []string{"\\", " ", "\t", "\t ", "\\ ", "e\u0301", "\u0301", "\u1100", "\u200d", "👩\u200d", "\n", "\xff"} {
		s := strings.Repeat(piece, 1<<18/len(piece))
		start := time.Now()
		Truncate(Escape(s), 1<<17)
		WrapWords(s, 80)
		// Quadratic work would take minutes.
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%+q took %v", piece, took)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, p := range pieces {
		f.Add(p + "x" + p)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, escaped := range []string{Escape(s), EscapeWord(s), strings.Join(EscapeLines(s), "")} {
			checkDrawable(t, escaped)
		}
		Host(s)
		for _, row := range Wrap(Escape(s), 7) {
			if Width(row) > 7 {
				t.Fatalf("%q is %d columns wide", row, Width(row))
			}
		}
	})
}
