package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The way out names what is in the way: one file of the gate's, or its whole folder;
// and nothing where it isn't about them.
func TestHomeHint(t *testing.T) {
	home := filepath.Join(t.TempDir(), "gate")
	t.Setenv("BLITZ_HOME", home)
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(home, "audit.jsonl")
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const file, folder = "has to be readable and writable for you", "the gate keeps its files in"
	for _, tt := range []struct {
		op, path string
		err      error
		want     string
	}{
		{"open", log, syscall.EACCES, log + " " + file},
		{"open", log + ".lock", syscall.EACCES, folder},
		{"mkdir", home, syscall.EACCES, folder},
		{"mkdir", filepath.Dir(home), syscall.ENOTDIR, folder},
		{"read", filepath.Dir(home), syscall.EISDIR, ""},
		{"open", "/somewhere/else", syscall.EACCES, ""},
		{"open", log, syscall.ENOENT, ""},
	} {
		hint := homeHint(fmt.Errorf("it failed: %w", &fs.PathError{Op: tt.op, Path: tt.path, Err: tt.err}))
		if !strings.Contains(hint, tt.want) || tt.want == "" && hint != "" {
			t.Errorf("%s %s: %v: %q, want %q", tt.op, tt.path, tt.err, hint, tt.want)
		}
	}
}
