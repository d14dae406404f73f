package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
)

// A suggestedRule is one rule of `rules suggest --json`.
type suggestedRule struct {
	Effect   string    `json:"effect"`
	Rule     string    `json:"rule"`
	Command  string    `json:"command"`
	Calls    int       `json:"calls"`    // that it would have let pass
	Approved int       `json:"approved"` // of these, by a person
	Refused  int       `json:"refused"`  // always 0: such a rule is not suggested
	Total    int       `json:"total"`    // calls in the log
	Last     time.Time `json:"last"`
}

func suggestRules(f *flags) *cobra.Command {
	var since, file string
	var atLeast int
	cmd := &cobra.Command{
		Use: "suggest", Short: "Suggest allow rules for what you approved often in this workspace", Args: cobra.NoArgs,
		Long: fmt.Sprintf(`Suggest allow rules for what you approved often in this workspace, from the
newest %d records of the audit log. Each is a line to paste.

Never suggested is what was refused or denied even once, what a rule or a guard
asks about each time, what can't be read for sure, and what destroys, publishes,
runs given or fetched text, or reaches outside the workspace.`, gate.HistoryLimit),
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			var from time.Time
			if since != "" {
				if from, err = parseSince(since, time.Now()); err != nil {
					return fmt.Errorf("--since %w", err)
				}
			}
			m.report(cmd.ErrOrStderr())
			h, err := gate.ReadHistory(cmp.Or(file, m.auditPath()), from)
			if err != nil {
				return err
			}
			list, err := h.Suggest(m.workspace, m.policy, atLeast)
			if err != nil {
				return err
			}
			return printSuggestions(cmd, h, list, f.json)
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "only by what is not older: 24h, 7d or 2026-01-31")
	cmd.Flags().StringVar(&file, "file", "", "read this log instead of your own")
	cmd.Flags().IntVar(&atLeast, "min", 3, "only for what was approved at least so many times")
	return cmd
}

func printSuggestions(cmd *cobra.Command, h *gate.History, list []gate.Suggestion, asJSON bool) error {
	w := cmd.OutOrStdout()
	var rows []suggestedRule
	for _, s := range list {
		paste := "blitz-approve rules add --here allow " + shellQuoted(s.Rule.Text)
		rows = append(rows, suggestedRule{s.Rule.Effect.String(), s.Rule.Text, paste, s.Calls, s.Approved, 0, h.Total, s.Last})
	}
	if asJSON {
		return output.List(w, rows)
	}
	for _, r := range rows {
		fmt.Fprintf(w, "%s\n    %s of %d would not have been asked about; you approved %d and refused none, last on %s\n",
			printable(r.Command), counted(r.Calls, "past call", "past calls"), r.Total, r.Approved, r.Last.Local().Format(time.DateOnly))
	}
	if len(rows) == 0 {
		fmt.Fprintln(w, "no rule to suggest: nothing harmless was approved often enough in this workspace")
	}
	return nil
}

// shellQuoted is text as one word of a shell.
func shellQuoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
