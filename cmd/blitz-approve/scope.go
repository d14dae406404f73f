package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/settings"
)

// A scope says in which of the settings files something is changed. The zero
// scope is the global one.
type scope struct{ global, own, project, local bool }

// register adds the flags; those of the project's files only where a person
// works on a project, not where they save what is theirs.
func (s *scope) register(cmd *cobra.Command, projects bool) {
	cmd.Flags().BoolVar(&s.global, "global", false, "your settings for every workspace (the default)")
	cmd.Flags().BoolVar(&s.own, "here", false, "your own settings for this workspace; a bare --workspace at the end means the same")
	names := []string{"global", "here"}
	if projects {
		cmd.Flags().BoolVar(&s.project, "project", false, "the project's settings, which come with it")
		cmd.Flags().BoolVar(&s.local, "local", false, "settings beside the project's, which stay on this machine")
		names = append(names, "project", "local")
	}
	cmd.MarkFlagsMutuallyExclusive(names...)
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[hasScope] = "yes"
}

// hasScope marks commands in which a bare --workspace means --here.
const hasScope = "scope"

// bareWorkspace lets --workspace stand for --here where a scope is chosen: as
// the last argument, or before another flag. With a folder it is the common
// flag, there too.
func bareWorkspace(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Annotations[hasScope] == "" {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if arg == "--workspace" && (i == len(args)-1 || strings.HasPrefix(args[i+1], "-")) {
			args[i] = "--here"
		}
	}
	return args
}

func (s *scope) layer() settings.Layer {
	switch {
	case s.own:
		return settings.Workspace
	case s.project:
		return settings.Project
	case s.local:
		return settings.Local
	}
	return settings.Global
}
