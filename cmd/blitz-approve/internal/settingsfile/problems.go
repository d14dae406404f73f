package settingsfile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// Problems are all problems of a file by itself, in its order: of its form,
// its rules and its keys.
func Problems(p settings.Path, content []byte) []settings.Problem {
	file, problems := settings.Parse(p.Name, content, p.Layer)
	_, rules := policy.Of(&file.Values)
	return settings.Sorted(append(append(problems, rules...), KeyProblems(&file.Values)...))
}

// Mistakes counts the problems that are no mere warnings.
func Mistakes(problems []settings.Problem) (n int) {
	for _, p := range problems {
		if p.Severity == settings.Error {
			n++
		}
	}
	return n
}

// Line is a problem as it is printed.
func Line(p settings.Problem) string {
	if p.Severity == settings.Warning {
		return output.Printable("warning: " + p.Error())
	}
	return output.Printable(p.Error())
}

// KeyProblems are the keys that the screen can't use.
func KeyProblems(v *settings.Values) (problems []settings.Problem) {
	all := map[string]string{}
	for name, key := range v.Keys {
		all[name] = key.Value
	}
	for _, name := range slices.Sorted(maps.Keys(v.Keys)) {
		key := v.Keys[name]
		err := tui.CheckKeys(map[string]string{name: key.Value})
		if err == nil {
			err = tui.KeyConflict(all, name)
		}
		if err == nil {
			continue
		}
		p := settings.Problem{
			File: key.Source.File, Line: key.Source.Line, Col: key.Col, Key: "keys." + name,
			Message: err.Error(), Hint: "it keeps its own keys",
		}
		if _, known := tui.Commands()[name]; !known {
			p.Hint = "" // the message names them all
			if near := settings.Nearest(name, slices.Collect(maps.Keys(tui.Commands()))); near != "" {
				p.Message, p.Hint = fmt.Sprintf("no command is called %q", name), "did you mean "+near+"?"
			}
		}
		problems = append(problems, p)
	}
	return problems
}
