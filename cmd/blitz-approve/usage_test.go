package main

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// libraryWords are what the libraries say of arguments and flags.
var libraryWords = regexp.MustCompile(`arg\(s\)|unknown (command|flag|shorthand|help)|invalid argument|needs an argument|bad flag|in the group|required flag|strconv|parsing`)

// Every command says in our own words what is wrong with a flag, an argument
// or a command below it, and what to write: also one that is added later.
func TestEveryCommandSpeaksPlainly(t *testing.T) {
	said := func(c *cobra.Command, args ...string) {
		t.Helper()
		root := rootCommand(io.Discard)
		root.SetArgs(append(strings.Fields(c.CommandPath())[1:], args...))
		err := root.Execute()
		if err == nil {
			t.Errorf("%s %q: nothing is wrong", c.CommandPath(), args)
		} else if s := err.Error(); libraryWords.MatchString(s) || !strings.Contains(s, "--") {
			t.Errorf("%s %q: %s", c.CommandPath(), args, s)
		}
	}
	commands := 0
	everyCommand(rootCommand(io.Discard), func(c *cobra.Command) {
		commands++
		said(c, "--no-such-flag")
		said(c, "-Z")
		said(c, "--workspace")
		said(c, "--json=perhaps")
		for _, args := range [][]string{nil, {"no-such-thing"}, strings.Fields("so many arguments that no command at all can take each of them")} {
			if err := c.Args(c, args); err != nil && (libraryWords.MatchString(err.Error()) || !regexp.MustCompile(`write|lists|takes no|did you mean|use `).MatchString(err.Error())) {
				t.Errorf("%s %q: %s", c.CommandPath(), args, err)
			}
		}
	})
	if commands < 30 {
		t.Errorf("looked at %d commands", commands)
	}
}
