package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

func grantsCommand(f *flags) *cobra.Command {
	cmd := &cobra.Command{Use: "grants", Short: "List and forget the files and folders granted in always-ask-cached"}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the saved grants", Args: cobra.NoArgs,
			RunE: f.withGrants(listGrants),
		},
		&cobra.Command{
			Use: "forget", Short: "Forget every grant, those of running sessions too", Args: cobra.NoArgs,
			RunE: f.withGrants(forgetGrants),
		},
	)
	return cmd
}

// withGrants makes a command of what is to be done with the saved grants.
func (f *flags) withGrants(do func(*cobra.Command, *flags, *grants.Store) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		m, err := f.inspect()
		if err != nil {
			return err
		}
		store, err := m.grants()
		if err != nil {
			return err
		}
		return do(cmd, f, store)
	}
}

func listGrants(cmd *cobra.Command, f *flags, store *grants.Store) error {
	list, err := store.List()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if f.json {
		type entry struct {
			Kind  string    `json:"kind"`
			Path  string    `json:"path"`
			Tier  string    `json:"tier"`
			Added time.Time `json:"added"`
		}
		var out []entry
		for _, g := range list {
			out = append(out, entry{string(g.Kind), g.GrantTarget.Path, g.Tier.String(), g.Added})
		}
		return output.List(w, out)
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "nothing is granted: in mode always-ask-cached a yes to a file or folder that is kept for good stands here")
	}
	for _, g := range list {
		fmt.Fprintf(w, "%-6s  %-5s  %s  (%s)\n", g.Kind, g.Tier, printable(g.GrantTarget.Path), g.Added.Local().Format(time.DateOnly))
	}
	return nil
}

func forgetGrants(cmd *cobra.Command, _ *flags, store *grants.Store) error {
	_, damaged := store.List()
	n, err := store.Forget()
	if err != nil {
		return err
	}
	if errors.Is(damaged, grants.ErrDamaged) {
		fmt.Fprintln(cmd.OutOrStdout(), "the file was damaged and has been moved aside; nothing is granted now")
		return nil
	}
	fmt.Fprintf(cmd.OutOrStdout(), "forgot %s\n", counted(n, "grant", "grants"))
	return nil
}
