package tuitest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files from what the tests see, instead of comparing")

// Golden compares the text on the screen with testdata/name.golden, which
// `go test -update` writes.
func (t *Term) Golden(name string) {
	t.t.Helper()
	compare(t.t, filepath.Join("testdata", name+".golden"), t.Screen()+"\n")
}

// Golden compares a text that a test has made of a screen, such as what its
// cells look like, with testdata/name, which `go test -update` writes.
func Golden(t testing.TB, name, text string) {
	t.Helper()
	compare(t, filepath.Join("testdata", name), text)
}

// Picture compares the picture of the screen with an SVG file, which
// `go test -update` writes.
func (t *Term) Picture(path string) {
	t.t.Helper()
	compare(t.t, path, t.SVG())
}

func compare(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	// A checkout on Windows may have changed the line endings.
	if want := string(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))); got != want {
		t.Errorf("the screen differs from %s (go test -update accepts it)\n--- got\n%s--- want\n%s", path, got, want)
	}
}

// trimRight drops the blanks at the end of each line and empty lines at the
// end.
func trimRight(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
