package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/sandbox"
	"github.com/blitz-approve/blitz-approve/settings"
)

func doctorCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Say what is found here and what holds: files, mode, sandbox, agents", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			return m.diagnose(cmd.OutOrStdout(), f.config)
		},
	}
}

// errUnwell ends doctor with exit code 1.
var errUnwell = &codedError{exitRefused, errors.New("something needs mending; see above")}

// diagnose prints what is found; its error says that something is wrong.
func (m *machine) diagnose(w io.Writer, overlays []string) error {
	paths, err := settings.Sources{Home: m.home, Workspace: m.workspace, Overlays: overlays}.Paths()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "workspace: %s\n", printable(m.workspace))
	for _, p := range paths {
		fmt.Fprintf(w, "%s settings: %s: %s\n", p.Layer, printable(p.Name), fileState(p.Name))
	}
	fmt.Fprintf(w, "audit log: %s: %s\n", printable(m.auditPath()), fileState(m.auditPath()))
	m.report(w)
	_, approvalsErr := m.approvals()
	if approvalsErr != nil {
		fmt.Fprintf(w, "approvals: %s\n", printable(approvalsErr.Error()))
	}
	fmt.Fprintf(w, "mode: %s (%s)\n", m.mode, printable(m.modeSource.String()))
	if m.modeNote != "" {
		fmt.Fprintf(w, "  %s\n", printable(m.modeNote))
	}
	describeSandbox(w, sandbox.Available())
	for _, p := range acp.Presets() {
		if err := onPath(p.Program); err != nil {
			fmt.Fprintf(w, "agent %s: not found; %s\n", p.Name, printable(p.Install))
		} else {
			fmt.Fprintf(w, "agent %s: found\n", p.Name)
		}
	}
	for _, p := range m.problems {
		if p.Severity == settings.Error {
			return errUnwell
		}
	}
	if approvalsErr != nil {
		return errUnwell
	}
	return nil
}
