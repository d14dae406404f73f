package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/settings"
)

// installCommand changes the settings of an agent by change.
func installCommand(f *flags, name, short string, change func(text []byte, program string) ([]byte, error)) *cobra.Command {
	var yes, project bool
	cmd := &cobra.Command{
		Use:   name + " claude",
		Short: short,
		Long: short + `. The change is shown, and written when you
say so; everything else in the file stays as it is.`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"claude"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := f.claudeSettings(project)
			if err != nil {
				return err
			}
			program, err := thisProgram()
			if err != nil {
				return err
			}
			edit := func(text []byte) ([]byte, error) { return change(text, program) }
			return changeSettings(cmd.InOrStdin(), cmd.OutOrStdout(), path, yes, edit)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "write without asking")
	cmd.Flags().BoolVar(&project, "project", false, "in the workspace's .claude/settings.local.json, for this project and you alone")
	return cmd
}

func uninstalled(text []byte, _ string) ([]byte, error) { return agenthook.Uninstall(text) }

// claudeSettings is the file of Claude Code's settings that is changed.
func (f *flags) claudeSettings(project bool) (string, error) {
	if project {
		return filepath.Abs(filepath.Join(f.workspace, ".claude", "settings.local.json"))
	}
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, "settings.json"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".claude", "settings.json"), err
}

// thisProgram is where this program is installed.
func thisProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "", errors.New("this program is gone when it ends: go install ./cmd/blitz-approve first")
	}
	return path, nil
}

// changeSettings shows a change of another program's settings, and makes it
// when the person says so.
func changeSettings(in io.Reader, out io.Writer, path string, yes bool, edit func([]byte) ([]byte, error)) error {
	old, err := settings.Content(path)
	if err != nil {
		return err
	}
	content, err := edit(old)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if bytes.Equal(old, content) {
		fmt.Fprintf(out, "nothing to change in %s\n", printable(shortPath(path)))
		return nil
	}
	printDiff(out, path, old, content)
	if !yes {
		if err := confirmed(in, out); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := settings.Save(path, old, content); err != nil {
		return err
	}
	fmt.Fprintf(out, "saved %s\n", printable(path))
	return nil
}
