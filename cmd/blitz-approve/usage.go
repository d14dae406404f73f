package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/settings"
)

// sayPlainly has every command under root say in our own words what is wrong
// with its arguments and flags, and what to write instead. The libraries' words
// are for those who know them.
func sayPlainly(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.SetFlagErrorFunc(flagMistake)
	everyCommand(root, func(c *cobra.Command) {
		fits := c.Args
		if !c.Runnable() {
			// Else a command that isn't there would be answered by help alone.
			fits = cobra.NoArgs
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		c.Args = func(c *cobra.Command, args []string) error {
			if c.Name() == "help" {
				return topicMistake(root, args)
			}
			if fits != nil && fits(c, args) != nil {
				return argumentMistake(c, args)
			}
			return exclusiveMistake(c)
		}
	})
}

func everyCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		everyCommand(sub, do)
	}
}

// argumentMistake is for arguments that c doesn't take.
func argumentMistake(c *cobra.Command, args []string) error {
	if c.HasAvailableSubCommands() && len(args) > 0 {
		return noCommand(c, args[0])
	}
	how := "write " + c.Parent().CommandPath() + " " + c.Use
	if len(args) == 0 {
		return fmt.Errorf("something is missing: %s\n%s --help says more", how, c.CommandPath())
	}
	if i := slices.IndexFunc(args, func(a string) bool { return !slices.Contains(c.ValidArgs, a) }); len(c.ValidArgs) > 0 && i >= 0 {
		return fmt.Errorf("%q isn't known here: %s", args[i], how)
	}
	if strings.Contains(c.Use, " ") {
		return fmt.Errorf("%q is too much: %s", args[len(args)-1], how)
	}
	return fmt.Errorf("%q is too much: %s takes no arguments", args[0], c.CommandPath())
}

// noCommand is for a command that isn't there, such as the name of an agent.
func noCommand(c *cobra.Command, name string) error {
	err := fmt.Sprintf("there is no command %q", strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), c.Root().Name())+" "+name))
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := settings.Nearest(name, names); near != "" {
		return fmt.Errorf("%s: did you mean %s %s?", err, c.CommandPath(), near)
	}
	if _, agent := acp.PresetFor(name); agent && !c.HasParent() {
		return fmt.Errorf("%s: did you mean %s run %s?", err, c.CommandPath(), name)
	}
	if len(names) > 8 {
		return fmt.Errorf("%s: %s --help lists them", err, c.CommandPath())
	}
	return fmt.Errorf("%s: use %s with %s", err, c.CommandPath(), strings.Join(names, ", "))
}

// topicMistake is for help about what isn't there.
func topicMistake(root *cobra.Command, args []string) error {
	c := root
	for _, name := range args {
		i := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name })
		if i < 0 {
			return noCommand(c, name)
		}
		c = c.Commands()[i]
	}
	return nil
}

// exclusiveMistake is for flags of which only one may be given. It looks before
// the library does, which doesn't say it in words.
func exclusiveMistake(c *cobra.Command) error {
	if c.ValidateFlagGroups() == nil {
		return nil
	}
	var given []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if len(f.Annotations[exclusiveFlags]) > 0 {
			given = append(given, "--"+f.Name)
		}
	})
	return fmt.Errorf("use only one of %s", strings.Join(given, " and "))
}

// exclusiveFlags is the library's mark of flags of which only one may be given.
const exclusiveFlags = "cobra_annotation_mutually_exclusive"

// flagMistake is for a flag that isn't there, or that has no value that fits.
func flagMistake(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var unfit *pflag.InvalidValueError
	var malformed *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return noFlag(c, unknown)
	case errors.As(err, &bare):
		return fmt.Errorf("--%s needs a value behind it: %s", bare.GetFlag().Name, bare.GetFlag().Usage)
	case errors.As(err, &unfit):
		return fmt.Errorf("%q is no value for --%s: %s", unfit.GetValue(), unfit.GetFlag().Name, wanted(unfit.GetFlag().Value.Type(), unfit.Unwrap()))
	case errors.As(err, &malformed):
		return fmt.Errorf("%q is not written as a flag is: write --name, or --name=value", malformed.GetSpecifiedFlag())
	}
	return err
}

// wanted says what a flag of a type takes.
func wanted(kind string, err error) string {
	switch kind {
	case "int":
		return "write a whole number"
	case "bool":
		return "write true or false"
	case "duration":
		return "write a time such as 90s, 5m or 2h"
	}
	return err.Error()
}

func noFlag(c *cobra.Command, e *pflag.NotExistError) error {
	if short := e.GetSpecifiedShortnames(); short != "" {
		return fmt.Errorf("there is no flag -%s: %s --help lists them%s", e.GetSpecifiedName(), c.CommandPath(), agentsOwn(c))
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	err := fmt.Sprintf("there is no flag --%s: ", e.GetSpecifiedName())
	if near := settings.Nearest(e.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%sdid you mean --%s?%s", err, near, agentsOwn(c))
	}
	return fmt.Errorf("%s%s --help lists them%s", err, c.CommandPath(), agentsOwn(c))
}

// agentsOwn says where flags of the agent itself go.
func agentsOwn(c *cobra.Command) string {
	if !strings.Contains(c.Use, " -- ") {
		return ""
	}
	return "\na flag of the agent's own goes behind --, with the agent: " + c.CommandPath() + " -- AGENT --flag"
}
