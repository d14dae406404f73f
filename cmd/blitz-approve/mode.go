package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

func modeCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "mode [MODE]",
		Short: "Say which mode holds in this workspace and why, or choose another",
		Long: `Say which mode holds in this workspace and why. With a MODE, put every session
that is open here into it, within two seconds, and what waits there is decided
again. Without an open session, the next one starts in it.`,
		Args: cobra.MaximumNArgs(1), ValidArgs: modeNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			m.report(cmd.ErrOrStderr())
			if len(args) == 0 {
				return m.showMode(cmd.OutOrStdout(), f.json)
			}
			mode, err := gate.ParseMode(args[0])
			if err != nil {
				return err
			}
			return m.chooseMode(cmd.OutOrStdout(), mode)
		},
	}
}

// A modeView is the mode of the workspace as it is printed.
type modeView struct {
	Mode string `json:"mode"`
	Why  string `json:"why"`
	Open bool   `json:"open"` // a session is open
}

// modeHere is the mode of the sessions that are open here, or in which the next
// one starts. A flag goes first. What can't be shared is told, and isn't.
func (m *machine) modeHere() (mode gate.Mode, why string, open bool, err error) {
	shared, open, err := m.modeFile().Mode()
	switch {
	case m.modeSource.Layer == settings.Flag.String(), errors.Is(err, gate.ErrNoSharedMode):
		return m.mode, m.modeWhy(), open, nil
	case err != nil:
		return m.mode, m.modeWhy(), open, err
	}
	return shared.Mode, sharedWhy(shared), open, nil
}

func (m *machine) showMode(w io.Writer, asJSON bool) error {
	mode, why, open, err := m.modeHere()
	if err != nil {
		return err
	}
	view := modeView{mode.String(), why, open}
	if asJSON {
		return output.Encoder(w).Encode(view)
	}
	where := "no session is open here; the next one starts so"
	if open {
		where = "a session is open here"
	}
	fmt.Fprintf(w, "%s  (%s; %s)\n", view.Mode, printable(view.Why), where)
	return nil
}

func (m *machine) chooseMode(w io.Writer, mode gate.Mode) error {
	open, err := m.modeFile().Set(mode, "chosen with blitz-approve mode")
	if err != nil {
		return err
	}
	if open {
		fmt.Fprintf(w, "mode %s, in every session that is open here\n", mode)
	} else {
		fmt.Fprintf(w, "no session is open here; the next one starts in mode %s\n", mode)
	}
	switch mode {
	case gate.Yolo:
		fmt.Fprintln(w, "careful: everything passes that no rule stops, with no sandbox around it")
	case gate.Bypass:
		fmt.Fprintln(w, "careful: everything passes that no rule stops; sessions without an OS sandbox don't follow")
	}
	if mode.Dangerous() && !open {
		fmt.Fprintln(w, "it is kept for an hour; blitz-approve mode auto takes it back")
	}
	return nil
}

// tellModeNote says why a gate isn't in the mode that was asked for.
func tellModeNote(w io.Writer, g *gate.Gate) {
	if note := g.ModeNote(); note != "" {
		tellLine(w, note)
	}
}

// modeFile is the mode that the workspace's sessions share.
func (m *machine) modeFile() *gate.ModeFile {
	return gate.NewModeFile(m.workspaceFile("mode.json"))
}

// modeWhy says what makes this the starting mode.
func (m *machine) modeWhy() string {
	return cmp.Or(m.modeNote, m.modeSource.String())
}

func sharedWhy(s gate.SharedMode) string {
	return fmt.Sprintf("%s, %s", s.Why, s.When.Local().Format(time.DateTime))
}
