package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help shows no flag that the command doesn't look at. Every command has its
// list of common flags, and every list is of flags and of a command.
func TestHelpShowsUsedFlags(t *testing.T) {
	unread := 0
	everyCommand(rootCommand(io.Discard), func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		if len(path) == 1 {
			if _, known := commonFlags[path[0]]; !known {
				t.Errorf("%s isn't among commonFlags", path[0])
			}
		}
		root := rootCommand(io.Discard)
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs(append(path, "--help"))
		if err := root.Execute(); err != nil {
			t.Errorf("%s --help: %v", c.CommandPath(), err)
		}
		used := usedFlags(c)
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			shown := strings.Contains(out.String(), f.Usage)
			if wanted := strings.Contains(" "+strings.Join(used, " ")+" ", " "+f.Name+" "); shown != wanted {
				t.Errorf("%s --help shows --%s: %t", c.CommandPath(), f.Name, shown)
			}
			if !shown {
				unread++
			}
		})
	})
	if unread == 0 {
		t.Error("every command shows every flag")
	}
	known := rootCommand(io.Discard)
	for name, used := range commonFlags {
		if c, rest, err := known.Find(strings.Fields(name)); err != nil || len(rest) > 0 {
			t.Errorf("%q is no command: %v, %v", name, c.CommandPath(), err)
		}
		for _, f := range strings.Fields(used) {
			if known.PersistentFlags().Lookup(f) == nil {
				t.Errorf("%s: there is no flag --%s", name, f)
			}
		}
	}
}
