package tui

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// editorOf is the person's editor as a command line: $VISUAL, then $EDITOR,
// then vi.
func editorOf(env func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(env(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// editing is one use of an editor on a text. It is a [tea.ExecCommand]: the
// screen is given to the editor until it ends.
type editing struct {
	editor []string
	name   string // of the file, for the editor's colours
	text   string // before, and after Run as it was saved
	// terminal is the one that the editor is lent; nil where Bubble Tea gives
	// it back by itself.
	terminal *Terminal

	in       io.Reader
	out, err io.Writer
}

func (e *editing) SetStdin(r io.Reader)  { e.in = r }
func (e *editing) SetStdout(w io.Writer) { e.out = w }
func (e *editing) SetStderr(w io.Writer) { e.err = e.out } // stderr may be elsewhere

// Run lets the editor change the text in a file that only the person can read.
func (e *editing) Run() error {
	dir, err := os.MkdirTemp("", "blitz-approve-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, e.name)
	if err := os.WriteFile(path, []byte(e.text), 0o600); err != nil {
		return err
	}
	cmd := exec.Command(e.editor[0], append(e.editor[1:len(e.editor):len(e.editor)], path)...)
	cmd.Stdout, cmd.Stderr = e.out, e.err
	// What isn't a terminal would be read ahead, beyond the end of the editor.
	if f, ok := e.in.(*os.File); ok {
		cmd.Stdin = f
	}
	if err := e.terminal.lend(cmd.Run); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(e.editor[0]), err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	e.text = string(text)
	return nil
}
