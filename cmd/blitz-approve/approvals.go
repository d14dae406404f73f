package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
)

func approvalsCommand(f *flags) *cobra.Command {
	cmd := &cobra.Command{Use: "approvals", Short: "List and take back what you approved for always"}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the saved approvals", Args: cobra.NoArgs,
			RunE: f.withApprovals(listApprovals),
		},
		&cobra.Command{
			Use: "revoke KEY…", Short: "Take back saved approvals, by key as listed or by number", Args: cobra.MinimumNArgs(1),
			RunE: f.withApprovals(revokeApprovals),
		},
		&cobra.Command{
			Use: "clear", Short: "Take back every saved approval", Args: cobra.NoArgs,
			RunE: f.withApprovals(clearApprovals),
		},
	)
	return cmd
}

// withApprovals makes a command of what is to be done with the saved
// approvals.
func (f *flags) withApprovals(do func(*cobra.Command, *flags, *gate.Approvals, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		m, err := f.inspect()
		if err != nil {
			return err
		}
		approvals, err := m.approvals()
		if err != nil {
			return err
		}
		return do(cmd, f, approvals, args)
	}
}

func listApprovals(cmd *cobra.Command, f *flags, approvals *gate.Approvals, _ []string) error {
	list := approvals.List()
	w := cmd.OutOrStdout()
	if f.json {
		type saved struct {
			Key   string    `json:"key"`
			Label string    `json:"label"`
			Added time.Time `json:"added"`
		}
		out := make([]saved, 0, len(list))
		for _, k := range list {
			out = append(out, saved{k.Key, k.Label, k.Added})
		}
		return output.List(w, out)
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "nothing is approved for always: the answer always… to a request puts it here")
	}
	for i, k := range list {
		fmt.Fprintf(w, "%3d  %s  %s  (%s)\n", i+1, k.Added.Local().Format(time.DateOnly), showKey(k.Key), printable(k.Label))
	}
	return nil
}

// showKey prints a key on one line; a command's key separates its workspace
// by a NUL, which is shown as a space and an arrow.
func showKey(key string) string { return printable(strings.ReplaceAll(key, "\x00", " → ")) }

func revokeApprovals(cmd *cobra.Command, _ *flags, approvals *gate.Approvals, args []string) error {
	list := approvals.List()
	var keys []string
	for _, arg := range args {
		key := ""
		for i, k := range list {
			if arg == k.Key || arg == showKey(k.Key) || arg == fmt.Sprint(i+1) {
				key = k.Key
			}
		}
		if key == "" {
			return fmt.Errorf("no saved approval %q; see blitz-approve approvals list", arg)
		}
		keys = append(keys, key)
	}
	for _, key := range keys {
		if _, err := approvals.Revoke(key); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "revoked %s\n", showKey(key))
	}
	return nil
}

func clearApprovals(cmd *cobra.Command, _ *flags, approvals *gate.Approvals, _ []string) error {
	n, err := approvals.Clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "took back %s\n", counted(n, "saved approval", "saved approvals"))
	return nil
}
