package shell

import (
	"maps"
	"slices"
	"strings"
)

// A Default is one of the built-in rules for commands that only read (APR-15).
type Default struct {
	Command string // such as git log
	// Guards are the options with which it asks instead, with their dashes;
	// also where they are abbreviated or stand together with others.
	Guards []string
	// Before are those that stand before the subcommand of git.
	Before []string
}

// Defaults lists all of the built-in rules, as [ReadOnly] has them: a cd inside
// the workspace, the reading programs in order, and git's reading subcommands.
func Defaults() []Default {
	list := []Default{{Command: "cd"}}
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		list = append(list, Default{Command: name, Guards: dashedAll(readers[name].guards)})
	}
	before, guards := dashedAll(gitGuarded), dashedAll(gitReading.guards)
	for sub := range strings.FieldsSeq(gitReaders) {
		list = append(list, Default{"git " + sub, guards, before})
	}
	return list
}

func dashedAll(names string) (all []string) {
	for name := range strings.FieldsSeq(names) {
		all = append(all, dashed(name))
	}
	return all
}
