package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// severalThings is a number that is followed by a plural.
var severalThings = regexp.MustCompile(`%d (more |or more |of its )?([a-z]+ )?[a-z]+[^s\W]s\b`)

// neverOne are such texts, or the beginnings of some, whose number is never one: it
// is a limit, or there is another form for one.
var neverOne = []string{
	"more than %d ", "longer than %d ", "newest %d records", "too many",
	"it has %d targets, and up to", "characters; up to", "it takes %d characters, and up to",
	"option %d ", "%d items are in progress", "of its safety checks", "of the answers of the script", "%d plans of this session already",
	"in %s %d times", "it gave %d answers", "characters are left out here",
	"%d characters", "%d blank lines", "%d more problems from here", "%d or more files",
}

// What is counted agrees with its number: "forgot 1 grants" looks like a program
// that doesn't know what it did.
func TestCountsAgreeWithTheirNouns(t *testing.T) {
	for _, dir := range []string{"../../cmd", "../../gate", "../../settings", "../../prompts", "../../diffview"} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/internal/demo/") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					s, _ := strconv.Unquote(l.Value)
					known := slices.ContainsFunc(neverOne, func(part string) bool { return strings.Contains(s, part) })
					if severalThings.MatchString(s) && !known {
						t.Errorf("%s: %q", path, s)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
