package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fileTree makes files in a folder.
func fileTree(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadDenied lists what is there of what read rules deny (APR-13, APR-15).
func TestReadDenied(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, home := filepath.Join(dir, "work"), filepath.Join(dir, "home")
	fileTree(t, work, ".env", "a/b/key.pem", "a/key.txt", "secret/x", "many/1", "many/2")
	fileTree(t, home, ".ssh/id")
	var p Policy
	for _, rule := range []string{"read(.env)", "read(**/*.pem)", "read(secret/)", "read(~/.ssh/)", "read(none)", "read(none/**)"} {
		if err := p.AddRule(Deny, rule, Source{}); err != nil {
			t.Fatal(err)
		}
	}
	got, whole := ReadDenied(p, work, home)
	slices.Sort(got)
	want := []string{filepath.Join(home, ".ssh"), filepath.Join(work, ".env"), filepath.Join(work, "a/b/key.pem"), filepath.Join(work, "secret")}
	if !slices.Equal(got, want) || !whole {
		t.Errorf("%q, whole %t\nwant %q", got, whole, want)
	}
	for i := range maxDeniedPaths + 1 {
		fileTree(t, work, fmt.Sprintf("pems/%d.pem", i))
	}
	if got, whole := ReadDenied(p, work, home); whole || len(got) != maxDeniedPaths {
		t.Errorf("too much is whole: %t, %d paths", whole, len(got))
	}
}
