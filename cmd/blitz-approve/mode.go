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
	var reset bool
	cmd := &cobra.Command{
		Use:   "mode [MODE]",
		Short: "Say which mode holds in this workspace and why, or choose another",
		Long: `Say which mode holds in this workspace and why. With a MODE, put every session
that is open here into it, within two seconds, and what waits there is decided
again. It also holds for what comes later, sessions and the calls of agents with
a hook, until you choose another or --reset takes it back. What is chosen in a
session, by Shift+Tab or an approved plan, holds while a session is open.

A hook isn't told which plan you approved in its agent, so that mode plan goes on
there; what it refuses then says so. "blitz-approve mode default" ends it.

bypass and yolo aren't kept: they hold for the sessions that are open, or for an
hour until the next one starts, and end with them.`,
		Args: cobra.MaximumNArgs(1), ValidArgs: modeNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			m.report(cmd.ErrOrStderr())
			switch {
			case reset && len(args) > 0:
				return errors.New("give either a mode or --reset")
			case reset:
				return m.resetMode(cmd.OutOrStdout())
			case len(args) == 0:
				return m.showMode(cmd.OutOrStdout(), f.json)
			}
			mode, err := gate.ParseMode(args[0])
			if err != nil {
				return err
			}
			return m.chooseMode(cmd.OutOrStdout(), mode)
		},
	}
	cmd.Flags().BoolVar(&reset, "reset", false, "take back what was chosen: the settings say the mode again")
	return cmd
}

// A modeView is the mode of the workspace as it is printed.
type modeView struct {
	Mode string `json:"mode"`
	Why  string `json:"why"`
	Open bool   `json:"open"` // a session is open
	Note string `json:"note,omitempty"`
}

// noteOf says where a mode isn't the one that holds (APR-14).
func noteOf(mode gate.Mode) string {
	if mode != gate.Bypass {
		return ""
	}
	return "bypass needs an OS sandbox, as that of run --sandbox: sessions without one, and hooks, are in mode default instead"
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
	view := modeView{mode.String(), why, open, noteOf(mode)}
	if asJSON {
		return output.Encoder(w).Encode(view)
	}
	where := "no session is open here; the next one, and hooks, start so"
	switch {
	case open:
		where = "a session is open here"
	case view.Note != "":
		where = "no session is open here"
	}
	fmt.Fprintf(w, "%s  (%s; %s)\n", view.Mode, printable(view.Why), where)
	if view.Note != "" {
		fmt.Fprintln(w, view.Note)
	}
	return nil
}

// chosenByCommand is why a mode holds that this command chose.
const chosenByCommand = "chosen with blitz-approve mode"

func (m *machine) chooseMode(w io.Writer, mode gate.Mode) error {
	open, err := m.modeFile().Keep(mode, chosenByCommand)
	if err != nil {
		return err
	}
	switch {
	case open && mode.Dangerous():
		fmt.Fprintf(w, "mode %s, in every session that is open here\n", mode)
	case open:
		fmt.Fprintf(w, "mode %s, in every session that is open here and in what comes later, until you choose another\n", mode)
	case mode.Dangerous():
		fmt.Fprintf(w, "no session is open here; the next one starts in mode %s, and hooks are answered in it until then\n", mode)
	default:
		fmt.Fprintf(w, "mode %s, for sessions and hooks here, until you choose another; mode --reset takes it back\n", mode)
	}
	switch mode {
	case gate.Yolo:
		fmt.Fprintln(w, "careful: everything passes that no rule stops, with no sandbox around it")
	case gate.Bypass:
		fmt.Fprintln(w, "careful: everything passes that no rule stops; sessions without an OS sandbox don't follow")
	}
	if mode.Dangerous() && !open {
		fmt.Fprintln(w, "it is kept for an hour; blitz-approve mode --reset takes it back")
	}
	return nil
}

func (m *machine) resetMode(w io.Writer) error {
	open, err := m.modeFile().Forget(m.mode, chosenByCommand)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "mode %s again  (%s)\n", m.mode, printable(m.modeWhy()))
	if open {
		fmt.Fprintln(w, "every session that is open here follows")
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
