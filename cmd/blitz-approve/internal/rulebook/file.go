package rulebook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// fileGroup is the group of a settings file. A file of the person's own is
// there also when it is empty or missing, since it may be edited.
func (f *files) fileGroup(p settings.Path, items []tui.RuleItem) (tui.RuleGroup, bool) {
	g := tui.RuleGroup{Title: p.Layer.String() + " · " + output.ShortPath(p.Name), Items: items, File: f.ruleFile(p)}
	if p.Layer == settings.Workspace {
		g.Title = "workspace · yours, for this one only" // its path says nothing to a person
	}
	if slices.ContainsFunc(f.now.Broken, func(b settings.Path) bool { return b.Name == p.Name }) {
		g.Problem = "it can't be read"
		for _, problem := range f.problems {
			if problem.File == p.Name && problem.Severity == settings.Error {
				problem.File = output.ShortPath(problem.File)
				g.Problem = problem.Error()
				break
			}
		}
		// What still holds of it is shown, and is changed in an editor only.
		for i := range g.Items {
			g.Items[i].Change, g.Items[i].Remove = nil, nil
		}
		return g, true
	}
	own := p.Layer == settings.Global || p.Layer == settings.Workspace
	return g, own || len(items) > 0
}

// ruleFile lets a file be changed in the person's editor; with a mistake in it
// it isn't saved.
func (f *files) ruleFile(p settings.Path) *tui.RuleFile {
	return &tui.RuleFile{
		Name: output.ShortPath(p.Name),
		Content: func() (string, error) {
			content, err := settings.Content(p.Name)
			if content == nil && err == nil {
				return settingsfile.New, nil
			}
			return string(content), err
		},
		Save: func(before, after string) error { return f.then(saveWritten(p, before, after)) },
	}
}

// saveWritten checks and saves what a person wrote in their editor. When the
// file has changed meanwhile, what they wrote is kept beside.
func saveWritten(p settings.Path, before, after string) error {
	problems := settingsfile.Problems(p, []byte(after))
	if n := settingsfile.Mistakes(problems); n > 0 {
		i := slices.IndexFunc(problems, func(p settings.Problem) bool { return p.Severity == settings.Error })
		if n > 1 {
			return fmt.Errorf("%w (and %d more to mend)", problems[i], n-1)
		}
		return problems[i]
	}
	old := []byte(before)
	if now, err := settings.Content(p.Name); err == nil && now == nil && before == settingsfile.New {
		old = nil
	}
	err := settings.Save(p.Name, old, []byte(after))
	if !errors.Is(err, settings.ErrChanged) {
		return err
	}
	dir, kept := os.MkdirTemp("", "blitz-approve-edit-")
	name := filepath.Join(dir, filepath.Base(p.Name))
	if kept == nil {
		kept = os.WriteFile(name, []byte(after), 0o600)
	}
	if kept != nil {
		return err
	}
	return keptBeside{fmt.Errorf("%w; what you wrote is in %s", err, name)}
}

// keptBeside is the error of a file that has changed meanwhile, and names the one
// in which what was written is kept.
type keptBeside struct{ error }

func (e keptBeside) Is(target error) bool { return target == tui.ErrRuleFileChanged }

func (e keptBeside) Unwrap() error { return e.error }
