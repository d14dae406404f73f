package rulebook

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/gate"
)

// kindOfTarget is a request written as a rule would be.
var kindOfTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]+\(.*\)$`) })

// sample says what would happen to a request that is written as kind(target),
// or else is a command line (BEY-09).
func (b *Book) sample(text string) (gate.Verdict, error) {
	text = strings.TrimSpace(text)
	req := gate.CommandRequest(b.Workspace, "bash", text)
	if kindOfTarget().MatchString(text) {
		named, err := cases.ParseRequest(text, b.Workspace)
		if err != nil {
			return gate.Verdict{}, err
		}
		req = named
	}
	return inHome(b.Gate.Check(context.Background(), req)), nil
}

// inHome writes the home folder as ~ in the places that a verdict names.
func inHome(v gate.Verdict) gate.Verdict {
	rule := func(r *gate.Rule) *gate.Rule {
		if r == nil {
			return nil
		}
		short := *r
		short.Source.File = shortFile(r.Source.File)
		return &short
	}
	v.Rule = rule(v.Rule)
	v.Parts = slices.Clone(v.Parts)
	for i := range v.Parts {
		v.Parts[i].Rule = rule(v.Parts[i].Rule)
	}
	home, err := os.UserHomeDir()
	v.Trail = slices.Clone(v.Trail)
	for i := range v.Trail {
		if err == nil {
			v.Trail[i].Text = strings.ReplaceAll(v.Trail[i].Text, home+string(filepath.Separator), "~"+string(filepath.Separator))
		}
	}
	return v
}
