package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/pelletier/go-toml/v2"
)

// Whatever a file holds, Parse returns, finds fault with what the library
// finds fault with, and takes no rule that isn't in the file.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/problems/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(loosening))
	for _, text := range []string{"", "\xef\xbb\xbf", "a", "a=", "a = [", "[a]\n[a]", "a={b=1}\na.b=2", "[a.b]\n[a]\nb.c=1", "a=[{b=1}]\n[[a]]", "a.b=1\n[a]", "[[a]]\n[a.b]\n[[a]]\n[a.b]", "\xff", "'", "a='\r'"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, problems := settings.Parse("s", data, settings.Global)
		var content map[string]any
		err := toml.Unmarshal([]byte(strings.TrimPrefix(string(data), "\xef\xbb\xbf")), &content)
		if err != nil && len(problems) == 0 {
			t.Fatalf("no problem, but the library says: %v", err)
		}
		if err == nil && file.Broken {
			t.Fatalf("broken, but the library reads it: %v", problems)
		}
		if err == nil && len(problems) == 0 {
			sameRules(t, file, content)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Col < 1 || p.Message == "" {
				t.Fatalf("a problem without a place or words: %+v", p)
			}
		}
		if file.Broken {
			for _, r := range file.Rules {
				if r.Effect == gate.Allow {
					t.Fatalf("a broken file allows %s", r.Value)
				}
			}
		}
	})
}

func sameRules(t *testing.T, file *settings.File, content map[string]any) {
	t.Helper()
	var want, got []string
	permissions, _ := content["permissions"].(map[string]any)
	for _, effect := range []string{"deny", "ask", "allow"} {
		list, _ := permissions[effect].([]any)
		for _, text := range list {
			want = append(want, effect+" "+fmt.Sprint(text))
		}
	}
	for _, r := range file.Rules {
		got = append(got, r.Effect.String()+" "+r.Value)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("got rules %q, want %q", got, want)
	}
}

func TestOddFiles(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		problems   int
		rules      int
	}{
		{"0 bytes", "", 0, 0},
		{"a mark and nothing", "\xef\xbb\xbf", 0, 0},
		{"a mark and CRLF", "\xef\xbb\xbf[permissions]\r\nallow = [\"a\"]\r\n", 0, 1},
		{"old Mac line ends", "[permissions]\rallow = [\"a\"]\r", 1, 1},
		{"UTF-16", "\xff\xfe[\x00a\x00]\x00", 1, 1},
		{"a NUL", "[permissions]\n\x00", 1, 1},
		{"no newline at the end", "[permissions]\nallow = [\"a\"]", 0, 1},
		{"dots", "permissions.allow = [\"a\"]\npermissions.deny = [\"b\"]", 0, 2},
		{"braces", "permissions = {allow = [\"a\"], deny = [\"b\"]}", 0, 2},
		{"1 MB of comments", "# " + strings.Repeat("x", 1<<20) + "\n[permissions]\nallow = [\"a\"]\n", 0, 1},
		{"1 MB of rules", "[permissions]\nallow = [\n" + strings.Repeat("  \"shell(go test ./...)\",\n", 40000) + "]\n", 0, 40000},
		{"1 MB of unknown keys", numbered(60000, "k%06d = \"value\"\n"), 201, 200},
		{"1 MB of what may be denies", "[permissions]\n" + numbered(60000, "k%06d = \"value\"\n"), 201, 200},
		{"1 MB of brackets", "a = " + strings.Repeat("[", 1<<20), 1, 1},
		{"1 MB of braces", "a = " + strings.Repeat("{a=", 1<<18), 1, 1},
		{"deep but closed", "a = " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, problems := settings.Parse("s.toml", []byte(tt.text), settings.Global)
			if len(problems) != tt.problems || len(file.Rules) != tt.rules {
				t.Errorf("%d problems, %d rules; want %d, %d; the first: %v", len(problems), len(file.Rules), tt.problems, tt.rules, problems[:min(1, len(problems))])
			}
		})
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// A file with 150 rules is read in about a millisecond: a hook reads it for
// every action.
func BenchmarkParse150Rules(b *testing.B) {
	var text strings.Builder
	for _, list := range []string{"allow", "ask", "deny"} {
		fmt.Fprintf(&text, "%s = [\n%s]\n", list, numbered(50, "  \"shell(go test ./pkg%d/...)\", # why\n"))
	}
	data := []byte("[permissions]\n" + text.String() + "[tools.approval]\nbash = \"prompt\"\n[ui]\nplain = true\n")
	if _, problems := settings.Parse("s.toml", data, settings.Global); problems != nil {
		b.Fatal(problems)
	}
	b.ReportAllocs()
	for b.Loop() {
		settings.Parse("s.toml", data, settings.Global)
	}
}
