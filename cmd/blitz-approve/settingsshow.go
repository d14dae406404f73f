package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

// A shownSetting is one value of `settings show`.
type shownSetting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"` // the layer
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Waiting is set for what a project loosens and nobody has trusted yet.
	Waiting bool   `json:"waiting,omitempty"`
	Error   string `json:"error,omitempty"`
}

func shown(entries []settings.Entry, waiting bool) []shownSetting {
	var list []shownSetting
	for _, e := range entries {
		s := shownSetting{Key: e.Key, Value: e.Value, Source: e.Source.Layer, File: e.Source.File, Line: e.Source.Line, Column: e.Col, Waiting: waiting}
		if e.Err != nil {
			s.Error = e.Err.Error()
		}
		list = append(list, s)
	}
	return list
}

// showSettings prints the settings in force (APR-14, APR-15).
func showSettings(cmd *cobra.Command, f *flags) error {
	m, err := f.inspect()
	if err != nil {
		return err
	}
	all := shown(m.settings.Entries(), false)
	var waiting []shownSetting
	for _, file := range m.settings.Untrusted {
		waiting = append(waiting, shown(file.Entries(), true)...)
	}
	builtIn := shown(m.settings.Defaults(), false)
	w := cmd.OutOrStdout()
	if f.json {
		return m.settingsJSON(w, append(append(all, waiting...), builtIn...))
	}
	here := m.foundMode()
	fmt.Fprintf(w, "workspace  %s\nmode       %s  (%s)\n", printable(shortPath(m.workspace)), here.Value, printable(here.origin))
	if here.Note != "" {
		fmt.Fprintf(w, "           %s\n", printable(here.Note))
	}
	rules := slices.IndexFunc(all, func(s shownSetting) bool { return !settings.IsRule(s.Key) })
	if rules < 0 {
		rules = len(all)
	}
	section(w, "rules; a deny is final, then an ask, then an allow", all[:rules])
	section(w, "settings", all[rules:])
	section(w, "built-in", builtIn)
	section(w, "waiting for trust; look at it with: blitz-approve trust", waiting)
	m.report(cmd.ErrOrStderr())
	return nil
}

func (m *machine) settingsJSON(w io.Writer, all []shownSetting) error {
	files, err := m.files()
	if err != nil {
		return err
	}
	return output.Object(w, struct {
		Workspace string          `json:"workspace"`
		Mode      foundMode       `json:"mode"`
		Files     []shownFile     `json:"files"`
		Settings  []shownSetting  `json:"settings"`
		Problems  []listedProblem `json:"problems"`
	}{
		m.workspace, m.foundMode(), files, all, problemList(m.problems),
	})
}

// section prints a group of settings in columns.
func section(w io.Writer, title string, list []shownSetting) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	keys, values := 0, 0
	for _, s := range list {
		keys = max(keys, len(s.name()))
		values = max(values, min(len([]rune(printable(s.Value))), 44))
	}
	for _, s := range list {
		from := origin(gate.Source{Layer: s.Source, File: s.File, Line: s.Line})
		if s.Error != "" {
			fmt.Fprintf(w, "  %s  can't be read, and holds what it may cover at ask: %s\n", s.name(), printable(s.Error))
			continue
		}
		value := printable(s.Value)
		pad := strings.Repeat(" ", max(0, values-len([]rune(value))))
		fmt.Fprintf(w, "  %-*s  %s%s  %s\n", keys, s.name(), value, pad, printable(from))
	}
}

// name is the key; of a rule, its effect.
func (s shownSetting) name() string {
	if settings.IsRule(s.Key) {
		return strings.TrimPrefix(s.Key, "permissions.")
	}
	return printable(s.Key)
}

// origin says whose word a value is, and where it stands.
func origin(s gate.Source) string {
	if s.File == "" {
		return s.Layer
	}
	s.File = shortPath(s.File)
	return s.Layer + ", " + s.String()
}
