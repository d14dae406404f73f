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
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/filediff"
	"github.com/blitz-approve/blitz-approve/settings"
)

func installHookCommand(f *flags) *cobra.Command {
	then := func(a *agenthook.Agent) (list []string) {
		for _, why := range stopped(a, f.folder()) {
			list = append(list, "it won't run: "+why)
		}
		if a.Then() != "" {
			list = append(list, a.Then())
		}
		return list
	}
	return hookSettings(f, "install", "Put the hook into an agent's own settings", (*agenthook.Agent).Install, then)
}

func uninstallHookCommand(f *flags) *cobra.Command {
	change := func(a *agenthook.Agent, text []byte, _ string) ([]byte, error) { return a.Uninstall(text) }
	return hookSettings(f, "uninstall", "Take the hook out of an agent's own settings", change, nil)
}

// hookSettings is a command that changes the settings of an agent.
func hookSettings(f *flags, name, short string, change func(a *agenthook.Agent, text []byte, program string) ([]byte, error), then func(*agenthook.Agent) []string) *cobra.Command {
	var yes, project bool
	cmd := &cobra.Command{
		Use:   name + " " + strings.Join(agenthook.Names(), "|"),
		Short: short,
		Long: short + `. The change is shown, and written when you
say so; everything else in the file stays as it is.`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: agenthook.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, _ := agenthook.For(args[0]) // one of ValidArgs
			path, err := f.hookFile(agent, project)
			if err != nil {
				return err
			}
			program, err := thisProgram()
			if err != nil {
				return err
			}
			edit := func(text []byte) ([]byte, error) { return change(agent, text, program) }
			if err := changeSettings(cmd.InOrStdin(), cmd.OutOrStdout(), path, yes, edit); err != nil {
				return err
			}
			if then != nil {
				for _, line := range then(agent) {
					fmt.Fprintln(cmd.OutOrStdout(), printable(line))
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "write without asking")
	cmd.Flags().BoolVar(&project, "project", false, "of Claude Code: in the workspace's .claude/settings.local.json, for this project and you alone")
	return cmd
}

// stopped says what keeps an agent's hook from running, as far as it is known.
func stopped(a *agenthook.Agent, workspace string) (why []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	for _, s := range a.Stops(a.Path(home, os.Getenv), workspace) {
		if text, err := os.ReadFile(s.File); err == nil && s.On(text) {
			why = append(why, fmt.Sprintf("%s is true in %s", s.Name, shortPath(s.File)))
		}
	}
	return why
}

// hookFile is the file of an agent's settings that is changed.
func (f *flags) hookFile(a *agenthook.Agent, project bool) (string, error) {
	if project && a.ProjectPath() == "" {
		return "", fmt.Errorf("--project: %s has no settings that are for one project and you alone", a.Title)
	}
	if project {
		return filepath.Abs(filepath.Join(f.workspace, a.ProjectPath()))
	}
	home, err := os.UserHomeDir()
	return a.Path(home, os.Getenv), err
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
	filediff.Change(out, path, old, content)
	if !yes {
		if err := confirmed(in, out); err != nil {
			return err
		}
	}
	if len(content) == 0 { // it held nothing else
		if now, err := settings.Content(path); err != nil || !bytes.Equal(now, old) {
			return errors.Join(err, settings.ErrChanged)
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		fmt.Fprintf(out, "removed %s\n", printable(path))
		return nil
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
