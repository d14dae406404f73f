package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/diffview/unseen"
	"github.com/blitz-approve/blitz-approve/settings"
)

// Exit codes, the same for every command.
const (
	exitDone       = 0
	exitRefused    = 1 // refused, or not as expected
	exitUsage      = 2 // usage or configuration
	exitNoTerminal = 3 // a person had to be asked and there is no terminal
	exitCancelled  = 130
)

// exitCode prints what went wrong, once, and turns it into an exit code.
func exitCode(err error) int {
	if err == nil {
		return exitDone
	}
	code := exitUsage
	var coded *codedError
	switch {
	case errors.As(err, &coded):
		code = coded.code
	case errors.Is(err, cases.ErrUnexpected), errors.Is(err, errNotDrawn):
		code = exitRefused
	case errors.Is(err, context.Canceled):
		code = exitCancelled
	}
	printError(os.Stderr, err)
	return code
}

// printError prints an error, which may name files and arguments. What is
// escaped already isn't escaped again.
func printError(w io.Writer, err error) {
	text := err.Error() + homeHint(err)
	var spoken *spokenError
	if errors.As(err, &spoken) {
		text = spoken.words.Known(text)
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if !utf8.ValidString(line) || strings.ContainsFunc(line, unseen.Rune) {
			line = printable(line)
		}
		if line != "" {
			fmt.Fprintf(w, "blitz-approve: %s\n", line)
		}
	}
}

// homeHint is the way out where the gate's own folder, or a file in it, can't be
// used.
func homeHint(err error) string {
	var at *fs.PathError
	home, homeErr := settings.DefaultHome()
	if homeErr != nil || !errors.As(err, &at) || errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	_, absent := os.Stat(at.Path)
	switch {
	case absent == nil && at.Path != home && within(at.Path, home):
		return "\n" + at.Path + " has to be readable and writable for you: change its rights, or move it away"
	case within(at.Path, home) || at.Op == "mkdir" && within(home, at.Path):
		return "\nthe gate keeps its files in " + home + ", which has to be a folder that you may write to; BLITZ_HOME names another one"
	}
	return ""
}

// within reports whether a path is folder, or below it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// A codedError ends the program with its own exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }

func (e *codedError) Unwrap() error { return e.err }
