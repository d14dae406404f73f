package main

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// isTerminal reports whether in is a terminal: then a person has started by hand
// what another program should feed.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}
