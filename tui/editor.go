package tui

import (
	"context"
	"io"
	"os"
	"path/filepath"
)

// editing is one use of an editor on a text. It is a [tea.ExecCommand]: the
// screen is given to the editor until it ends.
type editing struct {
	editor Editor
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
	in, _ := e.in.(*os.File) // what isn't one would be read ahead, beyond the editor's end
	err = e.terminal.lend(func() error { return e.editor.Edit(context.Background(), path, in, e.out, e.err) })
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	e.text = string(text)
	return nil
}
