package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// An Editor is a person's editor, as they write it in $EDITOR: a line for the
// shell, which gets the file as its last argument. So git reads it too.
type Editor string

// PersonsEditor is $VISUAL, then $EDITOR, then the editor that every system has.
func PersonsEditor() Editor {
	fallback := "vi"
	if runtime.GOOS == "windows" {
		fallback = "notepad"
	}
	return Editor(cmp.Or(strings.TrimSpace(os.Getenv("VISUAL")), strings.TrimSpace(os.Getenv("EDITOR")), fallback))
}

// Edit has the editor change the file at path, and waits for its end. in and out
// are to be a terminal; an in that is none counts as the end of a file. The error
// names the editor.
func (e Editor) Edit(ctx context.Context, path string, in *os.File, out, errs io.Writer) error {
	cmd := e.command(ctx, path)
	cmd.Stdout, cmd.Stderr = out, errs
	if in != nil { // a nil *os.File would be read from
		cmd.Stdin = in
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.ExitCode() == notFound:
		return fmt.Errorf("%s isn't there; $VISUAL or $EDITOR names another editor", e)
	}
	return fmt.Errorf("%s: %w", e, err)
}

// notFound is the exit code of a shell that finds no such program.
const notFound = 127

func (e Editor) command(ctx context.Context, path string) *exec.Cmd {
	if runtime.GOOS == "windows" { // where there is no such shell
		words := strings.Fields(string(e))
		return exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	}
	return exec.CommandContext(ctx, "sh", "-c", string(e)+` "$@"`, string(e), path)
}
