package main

import (
	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/tui"
)

// firstOf has a shell complete the first argument to one of names, and what
// follows to files.
func firstOf(names []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// completeFlags has a shell complete the values of the flags of every command.
func completeFlags(root *cobra.Command) {
	for name, values := range map[string][]string{"approval-mode": modeNames(), "language": tui.Languages()} {
		_ = root.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	_ = root.MarkPersistentFlagDirname("workspace")
	_ = root.MarkPersistentFlagFilename("config", "toml")
}

func modeNames() (names []string) {
	for _, m := range gate.Modes() {
		names = append(names, m.String())
	}
	return names
}
