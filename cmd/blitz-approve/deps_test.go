package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/blitz-approve/blitz-approve/"

// layers are the folders of the program from the bottom up. A package imports
// what is below it, never its own layer or one above.
var layers = [][]string{
	{"diffview/unseen"},
	{"diffview", "prompts", "gate/shell"},
	{"gate"},
	{
		"tui", "settings", "gate/acp", "gate/mcp", "gate/stream", "gate/desk", "gate/review",
		"gate/grants", "gate/sandbox", "gate/oteltrace", "gate/gatetest",
	},
	{"cmd"},
}

// testHelpers are for tests only: any test may import them, and no program.
var testHelpers = []string{"tui/tuitest", "gate/gatetest", "cmd/blitz-approve/internal/fakemodel"}

// forbidden are edges that no layer explains, straight or by way of others.
// A path that ends in /... stands for all below it.
var forbidden = []struct{ from, to, why string }{
	{"gate", "net", "the gate decides without a network"},
	{"gate", "net/http", "the gate decides without a network"},
	{"gate", "os/exec", "the gate starts nothing"},
	{"gate", "database/sql", "embedders get no database"},
	{"gate", "charm.land/...", "the gate draws nothing"},
	{"gate", "github.com/charmbracelet/...", "the gate draws nothing"},
	{"gate", "golang.org/x/term", "the gate draws nothing"},
	{"gate", "github.com/pelletier/...", "the gate reads no settings"},
	{"gate/shell", "github.com/bmatcuk/...", "reading a command line matches no paths"},
	{"tui", "net/http", "the screen has no network"},
	{"settings", "net/http", "settings are files"},
	{"settings", "charm.land/...", "settings draw nothing"},
	{"gate/acp", "charm.land/...", "an adapter draws nothing"},
	{"gate/acp", "net/http", "agents are reached over pipes"},
	{"gate/mcp", "charm.land/...", "an adapter draws nothing"},
	{"gate/desk", "charm.land/...", "the desk's wire draws nothing"},
	{"gate/desk", "net/http", "the desk is reached over a socket of this machine"},
	{"prompts", "charm.land/...", "questions are asked on any screen"},
	{"cmd/blitz-approve/internal/...", "github.com/spf13/...", "commands and flags stay in cmd/blitz-approve"},
}

// gateModules are all that importing the gate brings along.
var gateModules = []string{
	"mvdan.cc/sh/v3", "github.com/bmatcuk/doublestar/v4", "github.com/gofrs/flock",
	"golang.org/x/net", "golang.org/x/text", "golang.org/x/sys",
}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	Module     *struct{ Path string }
}

// list asks the go command about packages and all that they need.
func list(t *testing.T) map[string]listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps,Module", module+"...").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("go list: %v\n%s", err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

func layerOf(folder string) int {
	best, length := -1, -1
	for i, names := range layers {
		for _, n := range names {
			if (folder == n || strings.HasPrefix(folder, n+"/")) && len(n) > length {
				best, length = i, len(n)
			}
		}
	}
	return best
}

// TestImportDirection: an import goes down, never up and never sideways.
func TestImportDirection(t *testing.T) {
	for path, p := range list(t) {
		from, ours := strings.CutPrefix(path, module)
		if !ours || slices.Contains(testHelpers, from) {
			continue
		}
		if layerOf(from) < 0 {
			t.Errorf("%s is in no layer: name it in this test", from)
		}
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, module)
			switch {
			case !ours:
			case slices.Contains(testHelpers, to):
				t.Errorf("%s imports %s, which is for tests", from, to)
			case layerOf(to) > layerOf(from), layerOf(to) == layerOf(from) && !sameProgram(from, to):
				t.Errorf("%s imports %s, which is not below it", from, to)
			}
		}
	}
}

// sameProgram: what is internal to a program is a part of it.
func sameProgram(from, to string) bool {
	program, _, internal := strings.Cut(to, "/internal/")
	return internal && strings.HasPrefix(from, program)
}

// TestForbiddenImports: what a package must not bring along, by whatever way.
func TestForbiddenImports(t *testing.T) {
	packages := list(t)
	for _, edge := range forbidden {
		found := false
		for path, p := range packages {
			if !names(module+edge.from, path) {
				continue
			}
			found = true
			for _, dep := range p.Deps {
				if names(edge.to, dep) {
					t.Errorf("%s needs %s: %s", path, dep, edge.why)
				}
			}
		}
		if !found {
			t.Errorf("there is no package %s", edge.from)
		}
	}
}

// names reports whether a name of the table stands for a package.
func names(name, path string) bool {
	below, all := strings.CutSuffix(name, "...")
	return path == name || all && strings.HasPrefix(path, below)
}

// TestGateModules: who embeds the gate gets a shell parser, a glob matcher and
// a file lock, nothing else.
func TestGateModules(t *testing.T) {
	packages := list(t)
	for _, dep := range packages[module+"gate"].Deps {
		p := packages[dep]
		if p.Standard || strings.HasPrefix(dep, module) {
			continue
		}
		if p.Module == nil || !slices.Contains(gateModules, p.Module.Path) {
			t.Errorf("gate needs %s", dep)
		}
	}
}

// inBubbles are test files whose functions run in a testing/synctest bubble
// that another file makes. There, time.Sleep waits for nothing.
var inBubbles = []string{"tui/arming_test.go", "tui/seat_test.go"}

// TestHabits: what the code keeps to and the compiler doesn't know.
func TestHabits(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || filepath.Base(path) == "deps_test.go":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		test := strings.HasSuffix(name, "_test.go")
		if !test && filepath.Base(name) != "theme.go" && has("lipgloss.NewStyle") {
			t.Errorf("%s makes a style: styles are made in a theme.go", name)
		}
		if test && has("time.Sleep(") && !has("synctest") && !slices.Contains(inBubbles, name) {
			t.Errorf("%s sleeps: wait for what happens instead", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
