package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A spokenError is said in the person's language. It ends a command that has a
// screen, an agent or an editor (BEY-11); what other commands print stays as it
// is, for programs to read.
type spokenError struct {
	error
	words *tui.Catalogue
}

func (e *spokenError) Unwrap() error { return e.error }

// spoken is run with its error in the person's language.
func (f *flags) spoken(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil {
			return nil
		}
		return &spokenError{err, tui.NewCatalogue(f.tongue())}
	}
}

// tongue is the person's language as far as it can be known: also when something
// else in the settings, or about the workspace, keeps a session from starting.
func (f *flags) tongue() string {
	home, err := settings.DefaultHome()
	if err != nil {
		return tui.LocaleLanguage(os.Getenv)
	}
	m := &machine{flag: f.language}
	m.settings, _ = settings.Load(settings.Sources{Home: home, Workspace: f.folder(), Overlays: f.config})
	return m.language()
}
