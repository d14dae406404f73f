package main

import (
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// isTerminal reports whether in is a terminal: then a person has started by hand
// what another program should feed.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// tellWaiting says on a terminal that a command waits for another program,
// such as an editor, in whose settings it belongs.
func tellWaiting(cmd *cobra.Command, program string) {
	if isTerminal(cmd.InOrStdin()) {
		const says = "this waits for an %s on standard input; name it in the %[1]s's settings, as %[2]s --help says"
		tellLine(cmd.ErrOrStderr(), fmt.Sprintf(says, program, cmd.CommandPath()))
	}
}
