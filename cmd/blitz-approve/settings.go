package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/settings"
)

func settingsCommand(f *flags) *cobra.Command {
	cmd := &cobra.Command{Use: "settings", Short: "Show, check and edit settings"}
	var asProject bool
	validate := &cobra.Command{
		Use: "validate [FILE…]", Short: "Find every mistake in settings files; - is standard input",
		Long: `Find every mistake in settings files, each with file, line and column. Without
a file, those that apply here are looked at. Exit code 1 if there is a mistake;
a warning is none. Where all is fine, one line says so.`,
		RunE: func(cmd *cobra.Command, args []string) error { return validateFiles(cmd, f, args, asProject) },
	}
	validate.Flags().BoolVar(&asProject, "as-project", false, "read the files as those of a project, which may not set everything")
	cmd.AddCommand(
		&cobra.Command{
			Use: "show", Short: "Show every setting and rule in force, and where it comes from", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return showSettings(cmd, f) },
		},
		&cobra.Command{
			Use: "schema", Short: "Print the JSON Schema of settings files, for editors", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				_, err := cmd.OutOrStdout().Write(settings.JSONSchema())
				return err
			},
		},
		validate,
		editSettingsCommand(f),
	)
	return cmd
}

// A listedProblem is one of `settings validate --json` and `doctor --json`.
type listedProblem struct {
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Key      string `json:"key,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

func problemList(problems []settings.Problem) []listedProblem {
	list := []listedProblem{}
	for _, p := range problems {
		list = append(list, listedProblem{p.Severity.String(), p.File, p.Line, p.Col, p.Key, p.Message, p.Hint})
	}
	return list
}

// validateFiles prints all that is wrong with the files.
func validateFiles(cmd *cobra.Command, f *flags, names []string, asProject bool) error {
	m, err := f.inspect()
	if err != nil {
		return err
	}
	paths, err := m.sources.Paths()
	if err != nil {
		return err
	}
	var problems []settings.Problem
	var read []string
	for _, p := range chosen(paths, names, asProject) {
		content, err := contentOf(p.Name, cmd.InOrStdin())
		if err != nil {
			return err
		}
		if content == nil && len(names) > 0 {
			return fmt.Errorf("%s: there is no such file", p.Name)
		}
		if content != nil {
			read = append(read, p.Name)
		}
		problems = append(problems, settingsfile.Problems(p, content)...)
	}
	w := cmd.OutOrStdout()
	if f.json {
		if err := output.List(w, problemList(problems)); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintln(w, settingsfile.Line(p))
		}
		if len(problems) == 0 {
			fmt.Fprintln(w, printable(fineLine(read)))
		}
	}
	if n := settingsfile.Mistakes(problems); n > 0 {
		return &codedError{exitRefused, fmt.Errorf("%d to mend", n)}
	}
	return nil
}

// fineLine says which files have no mistake.
func fineLine(files []string) string {
	if len(files) == 0 {
		return "no settings file is here: everything is as built in"
	}
	return counted(len(files), "file is fine", "files are fine") + ": " + strings.Join(files, ", ")
}

// chosen are the files to look at. One that is among those of the workspace
// is read as what it is there, another as the person's own.
func chosen(paths []settings.Path, names []string, asProject bool) []settings.Path {
	if len(names) == 0 {
		return paths
	}
	var list []settings.Path
	for _, name := range names {
		p := settings.Path{Name: name, Layer: settings.Global}
		for _, known := range paths {
			if sameFile(known.Name, name) {
				p.Layer = known.Layer
			}
		}
		if asProject {
			p.Layer = settings.Project
		}
		list = append(list, p)
	}
	return list
}

func contentOf(name string, in io.Reader) ([]byte, error) {
	if name != "-" {
		return settings.Content(name)
	}
	content, err := io.ReadAll(io.LimitReader(in, settings.MaxFileSize+1))
	if err == nil && len(content) > settings.MaxFileSize {
		err = errors.New("-: too large for settings")
	}
	if content == nil {
		content = []byte{}
	}
	return content, err
}
