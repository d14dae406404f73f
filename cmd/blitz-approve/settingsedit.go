package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
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
			e := &settingsfile.Edit{Path: path, Editor: tui.PersonsEditor(), Terminal: tty, In: bufio.NewReader(cmd.InOrStdin()), Out: cmd.OutOrStdout()}
			if err = e.Run(cmd.Context()); errors.Is(err, settingsfile.ErrNotSaved) {
				err = &codedError{exitRefused, err}
			}
			return err
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
