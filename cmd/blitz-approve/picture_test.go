//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/demo"
	"github.com/blitz-approve/blitz-approve/tui"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

// TestPictures draws the pictures of the README from the program itself, so
// that they can't show what it doesn't do: an edit that waits (APR-30), a
// question with several answers (APR-40a), and the end of the demo.
func TestPictures(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	workspace := filepath.Join(home, "src", "shop")
	settings, err := demo.Prepare(workspace)
	if err != nil {
		t.Fatal(err)
	}
	gateHome := filepath.Join(home, ".blitz")
	if err := os.Mkdir(gateHome, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(gateHome, "settings.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := (&flags{}).loadFrom(gateHome, workspace)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{machine: m, name: "demo agent", prompt: demo.Prompt, demo: true, connect: connectDemo(m.workspace, 0)}
	term := tuitest.NewTerm(t, 100, 28)
	screen, err := s.screen(t.Context(), func(o tui.Options) display { return tui.NewConsole(o, term.Options()...) })
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	screen.announce()
	go screen.start(t.Context())
	go func() { ended <- screen.console.Run(t.Context()) }()

	pictures := filepath.Join("..", "..", "testdata", "pictures")
	answer := func(want, key string) {
		t.Helper()
		term.WaitFor(want)
		term.WaitGone("a moment")
		term.Settle()
		term.Key(key)
	}
	answer("Yes, go ahead", "enter")
	term.WaitFor("write_file", "pager/pager.go", "y once")
	term.WaitGone("a moment")
	term.Settle()
	term.Picture(filepath.Join(pictures, "edit.svg"))
	term.Key("y")
	term.WaitFor("Which cases")
	term.WaitGone("a moment")
	term.Key("space", "down", "down", "space")
	term.Settle()
	term.Picture(filepath.Join(pictures, "question.svg"))
	term.Key("enter")
	answer("May it run", "1")
	answer("send the answers", "enter")
	answer("y show the rest", "y")
	answer("y once", "enter")
	answer("cp NOTES.md", "y")
	term.WaitFor("any key leaves")
	term.Settle()
	term.Picture(filepath.Join(pictures, "end.svg"))
	screen.console.Quit()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	screen.close()
}
