package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/blitz-approve/blitz-approve/settings"
)

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

// settingsState says whether a settings file is there, and in what state.
func settingsState(p settings.Path) string {
	state := fileState(p.Name)
	if state != stateFine {
		return state
	}
	content, err := settings.Content(p.Name)
	if err != nil {
		return "broken: " + err.Error()
	}
	problems := problemsIn(p, content)
	for _, problem := range problems {
		if problem.Severity == settings.Error {
			return "broken: " + problem.Error()
		}
	}
	if len(problems) > 0 {
		return fmt.Sprintf("fine, but for %d warnings", len(problems))
	}
	return stateFine
}

const stateFine = "fine"

// fileState says whether a file is there, and who else may change it.
func fileState(name string) string {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "none"
	case err != nil:
		return "broken: " + err.Error()
	case !info.Mode().IsRegular():
		return "broken: not a regular file"
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Sprintf("unsafe: others may change it (mode %04o); chmod go-w", info.Mode().Perm())
	}
	return stateFine
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
