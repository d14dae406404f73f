package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/trust"
	"github.com/blitz-approve/blitz-approve/gate/sandbox"
	"github.com/blitz-approve/blitz-approve/settings"
)

func doctorCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Say what is found here and what holds: files, mode, sandbox, terminal, agents", Args: cobra.NoArgs,
		Long: `Say what is found here and what holds: files, mode, sandbox, terminal, agents.
Exit code 1 if something needs mending.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.inspect()
			if err != nil {
				return err
			}
			d, err := m.examine()
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if f.json {
				err = output.Object(w, d)
			} else {
				d.print(w)
			}
			if err == nil && d.Unwell {
				err = errUnwell
			}
			return err
		},
	}
}

// errUnwell ends doctor with exit code 1.
var errUnwell = &codedError{exitRefused, errors.New("something needs mending; see above")}

// A diagnosis is what doctor found.
type diagnosis struct {
	Workspace string          `json:"workspace"`
	Files     []shownFile     `json:"files"`
	Problems  []listedProblem `json:"problems"`
	Waiting   []trust.Waiting `json:"waiting_for_trust"`
	Mode      foundMode       `json:"mode"`
	Sandbox   foundSandbox    `json:"sandbox"`
	ReadRules foundReadRules  `json:"read_rules"`
	Terminal  foundTerminal   `json:"terminal"`
	Agents    []foundAgent    `json:"agents"`
	// Unwell says that something needs mending.
	Unwell bool `json:"unwell"`
}

type foundMode struct {
	Value  string `json:"value"`
	Source string `json:"source"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Note   string `json:"note,omitempty"`

	origin string
}

type foundSandbox struct {
	Name    string   `json:"name"` // empty when there is none
	Version int      `json:"version,omitempty"`
	Bypass  bool     `json:"bypass"` // whether mode bypass may rely on it
	Holds   []string `json:"holds"`
	Lacks   []string `json:"lacks"`
	Error   string   `json:"error,omitempty"`
}

// foundMode is the mode in which a session would start, and who says so.
func (m *machine) foundMode() foundMode {
	if mode, why, _, err := m.modeHere(); err != nil {
		return foundMode{Value: m.mode.String(), Source: m.modeSource.Layer, Note: err.Error(), origin: origin(m.modeSource)}
	} else if mode != m.mode {
		return foundMode{Value: mode.String(), Source: "shared", Note: cmp.Or(m.modeNote, noteOf(mode)), origin: why}
	}
	return foundMode{m.mode.String(), m.modeSource.Layer, m.modeSource.File, m.modeSource.Line, cmp.Or(m.modeNote, noteOf(m.mode)), origin(m.modeSource)}
}

// examine looks at everything.
func (m *machine) examine() (*diagnosis, error) {
	files, err := m.files()
	if err != nil {
		return nil, err
	}
	box := sandbox.Available()
	d := &diagnosis{
		Workspace: m.workspace, Problems: problemList(m.problems), Waiting: m.waiting(), Mode: m.foundMode(),
		Sandbox: describedSandbox(box), ReadRules: m.readRules(box), Terminal: findTerminal(), Agents: findAgents(m.workspace),
	}
	if d.Waiting == nil {
		d.Waiting = []trust.Waiting{}
	}
	d.Files = append([]shownFile{{"home", m.home, homeState(m.home)}}, files...)
	d.Files = append(d.Files, m.kept()...)
	d.Unwell = settingsfile.Mistakes(m.problems) > 0
	for _, f := range d.Files {
		d.Unwell = d.Unwell || f.unwell()
	}
	for _, a := range d.Agents {
		d.Unwell = d.Unwell || len(a.Stopped) > 0
	}
	return d, nil
}

// homeState is the state of the gate's own folder, in which it has to write, and
// which is nobody else's to look into (APR-20). One that is made has those rights;
// those of one that was there are the person's to change.
func homeState(home string) string {
	if state := fileState(home, true); state != stateFine {
		return state
	}
	probe, err := os.CreateTemp(home, ".doctor-")
	if err != nil {
		return broken + "nothing can be written there, and without a log nothing is allowed; BLITZ_HOME names another folder"
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	if info, err := os.Stat(home); err == nil && othersMay(info, 0o077) {
		return fmt.Sprintf("%sothers may look into it (mode %04o); chmod 700 mends that", unsafe, info.Mode().Perm())
	}
	return stateFine
}

// kept are the files in which this program keeps what it was told.
func (m *machine) kept() []shownFile {
	state := func(name string, err error) string {
		if s := fileState(name, true); err == nil || strings.HasPrefix(s, unsafe) {
			return s
		}
		return broken + err.Error()
	}
	_, approvalsErr := m.approvals()
	_, trustErr := m.trust.List()
	list := []shownFile{
		{"approvals", m.approvalsPath(), state(m.approvalsPath(), approvalsErr)},
		{"trust", m.trust.Path(), state(m.trust.Path(), trustErr)},
		{"audit log", m.auditPath(), state(m.auditPath(), nil)},
	}
	grants := shownFile{"grants", filepath.Join(m.home, "approval-cache.db"), ""}
	if grants.State = fileState(grants.File, true); grants.State == stateFine {
		store, err := m.grants()
		if err == nil {
			_, err = store.List()
		}
		grants.State = state(grants.File, err)
	}
	return append(list, grants)
}

// print writes the diagnosis for a person.
func (d *diagnosis) print(w io.Writer) {
	fmt.Fprintf(w, "workspace  %s\n", printable(shortPath(d.Workspace)))
	fmt.Fprintf(w, "mode       %s  (%s)\n", d.Mode.Value, printable(d.Mode.origin))
	if d.Mode.Note != "" {
		fmt.Fprintf(w, "           %s\n", printable(d.Mode.Note))
	}
	fmt.Fprintln(w, "\nfiles")
	for _, f := range d.Files {
		fmt.Fprintf(w, "  %-10s %s: %s\n", f.Source, printable(shortPath(f.File)), printable(f.State))
	}
	if len(d.Problems) > 0 {
		fmt.Fprintln(w, "\nproblems")
	}
	for _, p := range d.Problems {
		at := settings.Problem{File: p.File, Line: p.Line, Col: p.Column, Message: p.Message, Hint: p.Hint}
		fmt.Fprintf(w, "  %s: %s\n", p.Severity, printable(at.Error()))
	}
	for _, waiting := range d.Waiting {
		fmt.Fprintf(w, "\nwaiting for trust; look at it with: blitz-approve trust\n  %s: %d new\n", printable(shortPath(waiting.File)), len(waiting.New))
	}
	fmt.Fprintln(w)
	d.Sandbox.print(w)
	d.ReadRules.print(w)
	fmt.Fprintln(w)
	d.Terminal.print(w)
	fmt.Fprintln(w, "\nagents")
	for _, a := range d.Agents {
		a.print(w)
	}
}
