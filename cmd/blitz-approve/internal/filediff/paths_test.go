//go:build unix

package filediff

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/blitz-approve/blitz-approve/diffview"
)

// printed is what a printer without colours prints, with at most limit rows a file.
func printed(t *testing.T, limit int, do func(*Printer) error) (text string, differs bool, err error) {
	t.Helper()
	var out bytes.Buffer
	p := New(&out, colorprofile.NoTTY, diffview.RenderOptions{Width: 60, Wrap: true}, limit)
	err = errors.Join(do(p), p.Flush())
	return out.String(), p.Differs(), err
}

func compared(t *testing.T, old, new string) (string, bool, error) {
	t.Helper()
	return printed(t, 0, func(p *Printer) error { return p.Paths(t.Context(), old, new) })
}

// made makes files with these contents in a folder of its own.
func made(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Two files: the title names them, and what differs is said also where no line does.
func TestFiles(t *testing.T) {
	dir := made(t, map[string]string{"a": "one\n", "b": "two\n", "copy": "one\n", "runs": "one\n", "a\x1b[2Jz": "one\n"})
	must(t, os.Chmod(filepath.Join(dir, "runs"), 0o700))
	t.Chdir(dir)
	for _, tt := range []struct {
		old, new string
		differs  bool
		want     []string
	}{
		{"a", "b", true, []string{"a → b  +1 -1\n", " - one\n", " + two\n"}},
		{"a", "copy", false, []string{"a → copy  +0 -0\n", "no change"}},
		{"a", "runs", true, []string{"it can be executed now"}},
		{"a", "/dev/null", true, []string{"a  +0 -1\n", "deletes the file"}},
		{"/dev/null", "a", true, []string{"a  +1 -0\n", "new file"}},
		{"a\x1b[2Jz", "b", true, []string{`a\u001b[2Jz → b`}},
	} {
		text, differs, err := compared(t, tt.old, tt.new)
		if err != nil || differs != tt.differs {
			t.Errorf("%q %q: differs %t, %v", tt.old, tt.new, differs, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q %q: no %q in\n%s", tt.old, tt.new, want, text)
			}
		}
	}
}

// What can't be compared is an error that says why, and prints nothing.
func TestNoFiles(t *testing.T) {
	t.Chdir(made(t, map[string]string{"a": "one\n", "dir/b": "two\n"}))
	for _, tt := range []struct{ old, new, want string }{
		{"a", "gone", "gone isn't there; for a file that is created or deleted write /dev/null"},
		{"a", "dir", "dir is a folder and a is none"},
	} {
		if text, _, err := compared(t, tt.old, tt.new); err == nil || !strings.Contains(err.Error(), tt.want) || text != "" {
			t.Errorf("%s %s: %v\n%s", tt.old, tt.new, err, text)
		}
	}
}

// A device that has no end is an error, and not all of the memory.
func TestEndlessFile(t *testing.T) {
	zero, err := os.Open("/dev/zero")
	must(t, err)
	defer zero.Close()
	if content, err := readAll(zero, 0, 1<<20); !errors.Is(err, errTooMuch) {
		t.Errorf("%d bytes, %v", len(content), err)
	}
	if content, err := readAll(strings.NewReader(strings.Repeat("x", 5000)), 0, 5000); len(content) != 5000 || err != nil {
		t.Errorf("%d bytes, %v", len(content), err)
	}
	if content, err := readAll(strings.NewReader(""), 0, 0); content == nil || err != nil {
		t.Errorf("an empty file is taken for none: %v", err)
	}
}

// Of two folders every file that differs is printed, in order; what is the same
// isn't named. A file may be a folder on the other side.
func TestFolders(t *testing.T) {
	old := made(t, map[string]string{"same": "s\n", "changed": "one\n", "deleted": "d\n", "sub/x": "x\n", "turns": "t\n"})
	new := made(t, map[string]string{"same": "s\n", "changed": "two\n", "new": "n\n", "sub/x": "y\n", "turns/into": "i\n"})
	text, differs, err := compared(t, old, new)
	if err != nil || !differs {
		t.Fatal(differs, err)
	}
	var titles []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "  +") && !strings.HasPrefix(line, " ") {
			titles = append(titles, strings.TrimSuffix(line, "\n"))
		}
	}
	want := "changed  +1 -1|deleted  +0 -1|new  +1 -0|sub/x  +1 -1|turns  +0 -1|turns/into  +1 -0"
	if got := strings.Join(titles, "|"); got != want {
		t.Errorf("got  %s\nwant %s\nin\n%s", got, want, text)
	}
	if text, differs, err := compared(t, old, old); text != "" || differs || err != nil {
		t.Errorf("with itself: %t, %v\n%s", differs, err, text)
	}
	if text, _, err := compared(t, old, "/dev/null"); err != nil || strings.Count(text, "deletes the file") != 5 {
		t.Errorf("with nothing: %v\n%s", err, text)
	}
}

// What is no regular file is said to be there. It is never read: a pipe would be
// waited for without an end, and a device has none.
func TestFoldersWithOddFiles(t *testing.T) {
	old := made(t, map[string]string{"a": "one\n", "turns": "t\n", "target": "x\n"})
	new := made(t, map[string]string{"a": "two\n", "back": "b\n", "target": "x\n"})
	must(t,
		syscall.Mkfifo(filepath.Join(old, "both"), 0o600), syscall.Mkfifo(filepath.Join(new, "both"), 0o600),
		syscall.Mkfifo(filepath.Join(old, "back"), 0o600), syscall.Mkfifo(filepath.Join(new, "turns"), 0o600),
		syscall.Mkfifo(filepath.Join(new, "only"), 0o600),
		os.Symlink("/dev/zero", filepath.Join(old, "device")), os.Symlink("/dev/null", filepath.Join(new, "device")),
		os.Symlink(".", filepath.Join(old, "loop")), os.Symlink("gone", filepath.Join(new, "dangling")),
		os.Symlink("target", filepath.Join(old, "link")), os.Symlink("target", filepath.Join(new, "link")),
	)
	text, differs, err := compared(t, old, new)
	if err != nil || !differs {
		t.Fatal(differs, err)
	}
	for _, want := range []string{
		"a  +1 -1\n",
		"both\n! not a regular file: a named pipe\n",
		"back\n! not a regular file before: a named pipe\n",
		"turns\n! not a regular file now: a named pipe\n",
		"only\n! not a regular file now: a named pipe\n",
		"device  +1 -1\n", " - /dev/zero\n", " + /dev/null\n",
		"loop  +0 -1\n", "dangling  +1 -0\n", " + gone\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "link  ") {
		t.Errorf("links to the same are said to differ:\n%s", text)
	}
}

// The call of git's diff.external: its own path and modes count, and a rename is
// said.
func TestExternal(t *testing.T) {
	dir := made(t, map[string]string{"was": "one\n", "is": "one\ntwo\n"})
	was, is := filepath.Join(dir, "was"), filepath.Join(dir, "is")
	for want, args := range map[string][]string{
		"src/x.go  +1 -0":           {"src/x.go", was, "aaa", "100644", is, "bbb", "100644"},
		"it can be executed now":    {"src/x.go", was, "aaa", "100644", is, "bbb", "100755"},
		"new file":                  {"src/x.go", "/dev/null", ".", ".", is, "bbb", "100644"},
		"renamed from src/x.go":     {"src/x.go", was, "aaa", "100644", is, "bbb", "100644", "src/y.go", "similarity index 50%"},
		"it is a symbolic link now": {"src/x.go", was, "aaa", "100644", is, "bbb", "120000"},
	} {
		text, differs, err := printed(t, 0, func(p *Printer) error { return p.External(t.Context(), args) })
		if err != nil || !differs || !strings.Contains(text, want) {
			t.Errorf("%q: differs %t, %v, no %q in\n%s", args, differs, err, want, text)
		}
	}
}

// What is left out is counted, for each file of its own (BEY-03).
func TestLimit(t *testing.T) {
	lines := strings.Repeat("x\n", 50)
	dir := made(t, map[string]string{"one": lines, "two": lines})
	text, _, err := printed(t, 10, func(p *Printer) error { return p.Paths(t.Context(), "/dev/null", dir) })
	if err != nil || strings.Count(text, "▼ 41 more rows; without --lines they are printed too\n") != 2 {
		t.Errorf("%v\n%s", err, text)
	}
}

// The first screen of a long file is written before the rest is drawn.
func TestFirstRowsComeAtOnce(t *testing.T) { // APR-30
	dir := made(t, map[string]string{"long": strings.Repeat("some text\n", 100_000)})
	var first, all int
	out := writes(func(b []byte) {
		n := bytes.Count(b, []byte("\n"))
		if first == 0 {
			first = n
		}
		all += n
	})
	p := New(out, colorprofile.NoTTY, diffview.RenderOptions{Width: 80}, 0)
	if err := p.Paths(t.Context(), "/dev/null", filepath.Join(dir, "long")); err != nil || all < 100_000 || first == 0 || first > 100 {
		t.Errorf("%v: the first write had %d of %d rows", err, first, all)
	}
}

type writes func([]byte)

func (w writes) Write(b []byte) (int, error) { w(b); return len(b), nil }

// A printer that is told to end does so, also between the files of a folder.
func TestEnds(t *testing.T) {
	dir := made(t, map[string]string{"one": "1\n", "two": "2\n"})
	ctx, end := context.WithCancel(t.Context())
	end()
	_, _, err := printed(t, 0, func(p *Printer) error { return p.Paths(ctx, "/dev/null", dir) })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
