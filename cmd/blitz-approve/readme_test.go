package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/shell"
	"github.com/blitz-approve/blitz-approve/settings"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// found are the first groups of all matches, of which there must be some.
func found(t *testing.T, text, pattern string) (all []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	if len(all) == 0 {
		t.Fatalf("nothing matches %s", pattern)
	}
	return all
}

// Settings that people copy from the README have no mistake.
func TestReadmeSettings(t *testing.T) { // APR-15
	for _, block := range found(t, readme(t), "(?s)```toml\n(.*?)```") {
		for _, p := range settingsfile.Problems(settings.Path{Name: "README", Layer: settings.Global}, []byte(block)) {
			t.Errorf("%v, in\n%s", p, block)
		}
	}
}

// Every command in the README is one, with flags and arguments that it takes.
func TestReadmeCommands(t *testing.T) {
	lines := found(t, readme(t), `(?m)^    blitz-approve (.*)$`)
	lines = append(lines, found(t, readme(t), "(?m)`blitz-approve ([^`]*)`")...)
	for _, text := range lines {
		line := shell.Read(text)
		if len(line.Commands) != 1 {
			t.Errorf("%s: not one command", text)
			continue
		}
		root := rootCommand(io.Discard)
		args := line.Commands[0].Args()
		cmd, rest, err := root.Find(bareWorkspace(root, args))
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil && !cmd.DisableFlagParsing {
			err = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if err != nil || cmd == root || !cmd.Runnable() && len(args) > 1 {
			t.Errorf("%s: %v, %v", text, cmd.CommandPath(), err)
		}
	}
}

// The case of the README comes out as it says.
func TestReadmeCase(t *testing.T) { // BEY-09
	t.Setenv("BLITZ_HOME", t.TempDir())
	cases := found(t, readme(t), "`(\\{\"id\".*\\})`")
	file := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(cases, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := rootCommand(io.Discard)
	cmd.SetArgs([]string{"check", "--jsonl", file, "--workspace", t.TempDir()})
	cmd.SetOut(&out)
	if err := cmd.Execute(); err != nil || strings.Count(out.String(), `"ok":true`) != len(cases) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Every mode is explained.
func TestReadmeModes(t *testing.T) { // APR-14, TAM-05
	for _, mode := range gate.Modes() {
		if !strings.Contains(readme(t), "`"+mode.String()+"`") {
			t.Errorf("the mode %s isn't in the README", mode)
		}
	}
}
