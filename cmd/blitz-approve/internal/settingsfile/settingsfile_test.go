//go:build unix

package settingsfile

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// What is wrong is told in the order of the file, whoever finds it: its form, a
// rule, a key (APR-15).
func TestProblems(t *testing.T) {
	p := settings.Path{Name: "/w/settings.toml", Layer: settings.Global}
	content := `[permissions]
allow = ["shell(make", "shell(ls)"]
alow = []

[keys]
wider = "esc"
yess = "w"
nexd-page = "x"
once = "esc"
`
	var lines []string
	problems := Problems(p, []byte(content))
	for _, p := range problems {
		lines = append(lines, Line(p))
	}
	want := []string{
		`/w/settings.toml:2:10: `, "the closing parenthesis is missing",
		`/w/settings.toml:3:1: `, "alow", "did you mean allow?",
		`/w/settings.toml:6:9: `, "it keeps its own keys",
		`/w/settings.toml:7:8: no command is called "yess": use one of add-rule, `, "wrap\n",
		`/w/settings.toml:8:13: no command is called "nexd-page": did you mean next-page?`,
		`/w/settings.toml:9:8: `, "it keeps its own keys",
	}
	rest := strings.Join(lines, "\n")
	for _, w := range want {
		_, after, found := strings.Cut(rest, w)
		if !found {
			t.Fatalf("no %q where it belongs in\n%s", w, strings.Join(lines, "\n"))
		}
		rest = after
	}
	if n := Mistakes(problems); n == 0 || n > len(problems) {
		t.Errorf("%d mistakes among %d problems", n, len(problems))
	}
	if problems := Problems(p, []byte(New)); len(problems) > 0 {
		t.Errorf("what a file is begun with has problems: %v", problems)
	}
}

// A warning is no mistake and says so; nothing in it acts on a terminal.
func TestLine(t *testing.T) {
	warning := settings.Problem{File: "a\x1b[2J", Line: 1, Col: 2, Severity: settings.Warning, Message: "odd"}
	if line := Line(warning); !strings.HasPrefix(line, "warning: ") || strings.Contains(line, "\x1b") {
		t.Errorf("%q", line)
	}
	if Mistakes([]settings.Problem{warning}) != 0 {
		t.Error("a warning is counted as a mistake")
	}
}

const (
	good = "[permissions]\nallow = [\"shell(make)\"]\n"
	bad  = "[permissions]\nalow = []\n"
)

// An editing is one use of the editor on a file in a folder of its own. The editor
// has in $1 the copy and in $F the file.
type editing struct {
	file string
	out  bytes.Buffer
	err  error
}

func edited(t *testing.T, before, editor, keys string) *editing {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	e := &editing{file: filepath.Join(t.TempDir(), "settings.toml")}
	t.Setenv("F", e.file)
	t.Setenv("GOOD", good)
	t.Setenv("BAD", bad)
	if before != "" {
		if err := os.WriteFile(e.file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	none, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	edit := Edit{
		Path: settings.Path{Name: e.file, Layer: settings.Global}, Editor: tui.Editor("e() { " + editor + "; }; e"),
		Terminal: none, In: bufio.NewReader(strings.NewReader(keys)), Out: &e.out,
	}
	e.err = edit.Run(t.Context())
	return e
}

// content is what a file holds; empty for none.
func content(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// copies are the contents of what is left of copies.
func copies(t *testing.T) (list []string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range left {
		list = append(list, content(path))
	}
	return list
}

// A copy without a mistake takes the file's place, also one that wasn't there; no
// copy stays.
func TestEditSaves(t *testing.T) {
	for name, before := range map[string]string{"a file": "# old\n", "none": ""} {
		e := edited(t, before, `printf %s "$GOOD" > "$1"`, "")
		if e.err != nil || content(e.file) != good || !strings.Contains(e.out.String(), "saved ") {
			t.Errorf("%s: %v, %q\n%s", name, e.err, content(e.file), &e.out)
		}
		if left := copies(t); len(left) > 0 {
			t.Errorf("%s: left behind: %q", name, left)
		}
	}
	e := edited(t, "", `cp "$1" "$F.begun"`, "")
	if e.err != nil || content(e.file+".begun") != New || content(e.file) != "" || !strings.Contains(e.out.String(), "nothing was changed") {
		t.Errorf("unchanged: %v, %q\n%s", e.err, content(e.file), &e.out)
	}
}

// With a mistake the person may go on editing what they wrote.
func TestEditAgain(t *testing.T) {
	once := `if test -e "$F.seen"; then cat "$1" > "$F.again"; printf %s "$GOOD" > "$1"; else touch "$F.seen"; printf %s "$BAD" > "$1"; fi`
	for _, keys := range []string{"\n", "y\n", "Yes\n"} {
		e := edited(t, "# old\n", once, keys)
		if e.err != nil || content(e.file) != good || content(e.file+".again") != bad || !strings.Contains(e.out.String(), "did you mean allow?") {
			t.Errorf("%q: %v, %q, again with %q\n%s", keys, e.err, content(e.file), content(e.file+".again"), &e.out)
		}
	}
}

// What isn't saved leaves the file as it was and is kept, and the error says where
// (APR-15).
func TestEditKeepsWhatIsNotSaved(t *testing.T) {
	for _, tt := range []struct{ name, editor, keys, why, file, kept string }{
		{"a mistake, and a no", `printf %s "$BAD" > "$1"`, "n\n", "there are mistakes", "# old\n", bad},
		{"a mistake, and nobody to ask", `printf %s "$BAD" > "$1"`, "", "there are mistakes", "# old\n", bad},
		{"an editor that fails", `printf %s "$GOOD" > "$1"; false`, "", "the editor failed", "# old\n", good},
		{"someone else saved", `printf '# theirs\n' > "$F"; printf %s "$GOOD" > "$1"`, "", "changed meanwhile", "# theirs\n", good},
	} {
		e := edited(t, "# old\n", tt.editor, tt.keys)
		if !errors.Is(e.err, ErrNotSaved) || !strings.Contains(e.err.Error(), tt.why) {
			t.Errorf("%s: %v", tt.name, e.err)
			continue
		}
		if content(e.file) != tt.file {
			t.Errorf("%s: the file holds %q", tt.name, content(e.file))
		}
		if left := copies(t); len(left) != 1 || left[0] != tt.kept || !strings.Contains(e.err.Error(), os.TempDir()) {
			t.Errorf("%s: kept %q; %v", tt.name, left, e.err)
		}
	}
}
