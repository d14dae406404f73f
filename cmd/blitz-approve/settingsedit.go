package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

func editSettingsCommand(f *flags) *cobra.Command {
	var s scope
	cmd := &cobra.Command{
		Use: "edit", Short: "Edit a settings file in your editor; it is checked before it is saved", Args: cobra.NoArgs,
		Long: `Edit a copy of a settings file in $VISUAL or $EDITOR. The file is replaced once
the copy has no mistake; with one you may edit again, and what you wrote is
kept whatever happens.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.inspect()
			if err != nil {
				return err
			}
			path, err := m.sources.Path(s.layer())
			if err != nil {
				return err
			}
			tty, err := editorTerminal()
			if err != nil {
				return &codedError{exitNoTerminal, fmt.Errorf(withoutEditor, err, path.Name)}
			}
			defer tty.Close()
			e := &fileEdit{path: path, tty: tty, in: bufio.NewReader(cmd.InOrStdin()), out: cmd.OutOrStdout(), editor: editor()}
			return e.run(cmd.Context())
		},
	}
	s.register(cmd, true)
	return cmd
}

const withoutEditor = `%w, so no editor is started; the file is %s
edit it by hand and check it with blitz-approve settings validate
or add one rule: blitz-approve rules add allow 'shell(go test)'`

// editorTerminal is what an editor reads keys from and draws on, wherever our
// own input and output lead.
func editorTerminal() (*os.File, error) {
	if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		return tty, nil
	}
	if term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd()) {
		return os.Stdin, nil
	}
	return nil, tui.ErrNoTerminal
}

// editor is the person's editor, as a line for the shell.
func editor() string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if e := strings.TrimSpace(os.Getenv(name)); e != "" {
			return e
		}
	}
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	return "vi"
}

// A fileEdit is a settings file in a person's editor.
type fileEdit struct {
	path   settings.Path
	tty    *os.File
	in     *bufio.Reader
	out    io.Writer
	editor string
	copy   string // where the copy is
}

// run edits until the copy may be saved, or the person leaves it.
func (e *fileEdit) run(ctx context.Context) error {
	old, err := settings.Content(e.path.Name)
	if err != nil {
		return err
	}
	begun := old
	if old == nil {
		begun = []byte(settingsfile.New)
	}
	dir, err := os.MkdirTemp("", "blitz-approve-edit-")
	if err != nil {
		return err
	}
	e.copy = filepath.Join(dir, filepath.Base(e.path.Name))
	if err := os.WriteFile(e.copy, begun, 0o600); err != nil {
		return err
	}
	for {
		if err := e.open(ctx); err != nil {
			return e.kept(fmt.Errorf("the editor failed: %w", err))
		}
		now, err := os.ReadFile(e.copy)
		if err != nil {
			return err
		}
		if bytes.Equal(now, begun) {
			fmt.Fprintln(e.out, "nothing was changed")
			return os.RemoveAll(dir)
		}
		problems := settingsfile.Problems(e.path, now)
		for _, p := range problems {
			fmt.Fprintln(e.out, problemLine(p))
		}
		if settingsfile.Mistakes(problems) > 0 {
			if e.again() {
				continue
			}
			return e.kept(errors.New("not saved: there are mistakes"))
		}
		if err := settings.Save(e.path.Name, old, now); err != nil {
			return e.kept(err)
		}
		fmt.Fprintf(e.out, "saved %s\n", printable(e.path.Name))
		return os.RemoveAll(dir)
	}
}

// again asks whether to go on. Nobody to answer is a no.
func (e *fileEdit) again() bool {
	fmt.Fprint(e.out, "Edit again? [Y/n] ")
	answer, err := e.in.ReadString('\n')
	if err != nil {
		fmt.Fprintln(e.out)
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "" || answer == "y" || answer == "yes"
}

// kept ends without saving, and says where the copy is.
func (e *fileEdit) kept(err error) error {
	return &codedError{exitRefused, fmt.Errorf("%w; %s is as it was, and what you wrote is in %s", err, e.path.Name, e.copy)}
}

func (e *fileEdit) open(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", e.editor+` "$1"`, "editor", e.copy)
	if runtime.GOOS == "windows" {
		words := strings.Fields(e.editor)
		cmd = exec.CommandContext(ctx, words[0], append(words[1:], e.copy)...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.tty, e.tty, e.tty
	if e.tty == os.Stdin {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	return cmd.Run()
}
