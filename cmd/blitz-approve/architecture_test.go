package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchitecture: the plan of the house names every package, and each file or
// folder that it sends a reader to is there.
func TestArchitecture(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	plan := strings.Split(string(text), "```")[1]
	for path := range list(t) {
		name, ours := strings.CutPrefix(path, module)
		if name = strings.TrimPrefix(name, "cmd/blitz-approve/"); ours && !regexp.MustCompile(`\b`+name+`\b`).MatchString(plan) {
			t.Errorf("the plan doesn't name %s", name)
		}
	}
	named := regexp.MustCompile("`([a-z/*-]+(?:\\.go)?)`")
	places := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		beside := ""
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			path := m[1]
			file := strings.HasSuffix(path, ".go")
			switch {
			case !strings.Contains(path, "/") && !file:
				continue // a word of the code
			case !strings.Contains(path, "/"):
				path = filepath.Join(beside, path)
			case file:
				beside = filepath.Dir(path)
			default:
				beside = path
			}
			places++
			if found, err := filepath.Glob(filepath.Join(root, path)); err != nil || len(found) == 0 {
				t.Errorf("there is no %s", path)
			}
		}
	}
	if places < 60 {
		t.Errorf("only %d places were looked at", places)
	}
}
