package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/settings"
)

// A shownFile is a file of this program, with the state in which it is.
type shownFile struct {
	Source string `json:"source"` // a settings layer, or what the file is for
	File   string `json:"file"`
	// State is "missing", "fine", or what is wrong, after "broken: " or
	// "unsafe: ".
	State string `json:"state"`
}

const (
	stateMissing = "missing"
	stateFine    = "fine"
	broken       = "broken: "
	unsafe       = "unsafe: "
)

// unwell reports whether the file needs mending.
func (f shownFile) unwell() bool {
	return strings.HasPrefix(f.State, broken) || strings.HasPrefix(f.State, unsafe)
}

// files are the places where settings are looked for, with what is there.
func (m *machine) files() ([]shownFile, error) {
	paths, err := m.sources.Paths()
	if err != nil {
		return nil, err
	}
	var list []shownFile
	for _, p := range paths {
		list = append(list, shownFile{p.Layer.String(), p.Name, settingsState(p)})
	}
	return list, nil
}

// settingsState is the state of a settings file: the first mistake in it, or
// who else may change it. What comes with a project may belong to anyone.
func settingsState(p settings.Path) string {
	state := fileState(p.Name, p.Layer != settings.Project && p.Layer != settings.Local)
	if state == stateMissing && p.Layer == settings.Overlay {
		return broken + "there is no such file"
	}
	if state != stateFine {
		return state
	}
	content, err := settings.Content(p.Name)
	if err != nil {
		return broken + err.Error()
	}
	problems := settingsfile.Problems(p, content)
	for _, problem := range problems {
		if problem.Severity == settings.Error {
			return fmt.Sprintf("%sline %d: %s", broken, problem.Line, withHint(problem))
		}
	}
	if len(problems) > 0 {
		return fmt.Sprintf("%s, but for a warning: %v", stateFine, problems[0])
	}
	return stateFine
}

// withHint is a problem without its place.
func withHint(p settings.Problem) string {
	if p.Hint == "" {
		return p.Message
	}
	return p.Message + ": " + p.Hint
}

// fileState says whether a file is there, and, of the person's own, whether
// somebody else may change it.
func fileState(name string, own bool) string {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stateMissing
	case err != nil:
		return broken + err.Error()
	case !info.Mode().IsRegular() && !info.IsDir():
		return broken + "not a regular file"
	case own && othersMay(info, 0o022):
		return fmt.Sprintf("%sothers may change it (mode %04o); chmod go-w mends that", unsafe, info.Mode().Perm())
	case own && foreignOwner(info):
		return unsafe + "it belongs to somebody else"
	}
	return stateFine
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
