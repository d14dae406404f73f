package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate"
)

func whyCommand(f *flags) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "why ID", Short: "Explain one decision of the audit log", Args: cobra.ExactArgs(1),
		Long: `Explain one decision of the audit log: who decided, by which step, rule, file
and line, and for a command line every command in it. The start of an ID is
enough when no other begins with it; "last" is the newest.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.inspect()
			if err != nil {
				return err
			}
			r, err := findRecord(cmp.Or(file, m.auditPath()), args[0], cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if f.json {
				return output.List(cmd.OutOrStdout(), []gate.Record{r})
			}
			explainRecord(cmd.OutOrStdout(), r)
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "read this log instead of your own, such as that of a demo")
	return cmd
}

// findRecord looks a decision up by its ID, the start of it, or "last". A log
// that isn't there holds nothing.
func findRecord(path, id string, problems io.Writer) (gate.Record, error) {
	var found []gate.Record
	empty := true
	for r, err := range gate.Records(path) {
		switch {
		case errors.Is(err, gate.ErrDamagedRecord):
			fmt.Fprintf(problems, "blitz-approve: passed over: %s\n", printable(err.Error()))
			continue
		case err != nil:
			return r, err
		case id == "last" || strings.EqualFold(r.ID, id):
			return r, nil
		case len(id) >= 3 && strings.HasPrefix(strings.ToLower(r.ID), strings.ToLower(id)):
			found = append(found, r)
		}
		empty = false
	}
	switch {
	case empty:
		return gate.Record{}, errors.New("nothing was decided yet; blitz-approve check says what would be" + demoHint("why last"))
	case len(found) == 0:
		return gate.Record{}, fmt.Errorf("no decision %q; blitz-approve audit lists them", id)
	case len(found) == 1:
		return found[0], nil
	}
	return gate.Record{}, errors.New("several decisions begin with " + id + ": write more of it")
}

func explainRecord(w io.Writer, r gate.Record) {
	row := func(label, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-9s  %s\n", label, printable(value))
		}
	}
	row(r.Verdict, strings.TrimSpace(r.Tool+"  "+strings.Join(r.Targets, "  ")))
	row("because", r.Reason)
	row("decided", fmt.Sprintf("by %s · step %s · cause %s", r.Who, r.Step, r.Cause))
	if r.Rule != "" {
		row("rule", r.Rule+" · "+r.Source)
	}
	for _, p := range r.Parts {
		row("command", p)
	}
	row("said", r.Message)
	if len(r.Asked) > 0 {
		row("asked was", strings.Join(r.Asked, " ")+" · "+r.AskedHash)
	}
	if !r.Until.IsZero() {
		row("holds until", r.Until.Local().Format(time.DateTime))
	}
	row("warning", r.Warning)
	row("asked by", strings.Join(nonEmpty(r.Agent, "session "+r.Session, r.Protocol), " · "))
	row("where", r.Workspace+" · mode "+r.Mode+" · tier "+r.Tier)
	row("when", r.Time.Local().Format(time.DateTime)+fmt.Sprintf(" · answered after %d ms", r.TookMS))
	row("id", r.ID+" · "+r.Digest)
	row("left out", leftOut(r))
}

func nonEmpty(list ...string) []string {
	var kept []string
	for _, s := range list {
		if s != "" && s != "session " {
			kept = append(kept, s)
		}
	}
	return kept
}
