package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/cases"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/replay"
	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/gate"
)

func checkCommand(f *flags) *cobra.Command {
	var jsonl, rule, exitCode bool
	var from, file string
	cmd := &cobra.Command{
		Use:   "check [COMMAND | KIND(TARGET)…] | --jsonl [FILE…] | --rule RULE [SAMPLE] | --replay FROM",
		Short: "Say what would happen, and why; nothing is asked, written or remembered",
		Long: `Say what would happen to a request, and why. Nothing is asked, written or
remembered.

  blitz-approve check 'git push' 'write(src/a.go)'
  blitz-approve check --exit-code 'git push' && git push
  blitz-approve check --rule 'shell(git *)' 'git log'
  blitz-approve check --jsonl cases.jsonl     # exit code 1 if one is not as expected
  blitz-approve check --replay 7d             # exit code 1 if something changes

--replay decides what is in the audit log once more, by the rules of today, and
prints what comes out otherwise. FROM is ` + sinceForms + `; or the path of
a log. Each workspace has its own settings; with --workspace only its requests
count, and with --settings that file stands for all settings. The mode is the
one of then, or that of --approval-mode. What a person, a hook or a reviewer
answered counts as an ask, and so does what a person approved before. Files and
links are looked at as they are now. The newest ` + fmt.Sprint(replay.Limit) + ` records are taken.
What a credential was left out of can't be decided again, and is counted.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" && from == "" {
				return errors.New("--settings goes with --replay")
			}
			if exitCode && (jsonl || rule || from != "") {
				return errors.New("--exit-code goes with requests alone")
			}
			if from != "" {
				if len(args) > 0 || jsonl || rule {
					return errors.New("--replay takes no requests, and neither --jsonl nor --rule")
				}
				return replayLog(cmd, f, from, file)
			}
			m, err := f.load()
			if err != nil {
				return err
			}
			k := &cases.Checker{Workspace: m.workspace, GateHome: m.home, Policy: m.policy, Mode: m.mode}
			switch {
			case jsonl && rule:
				return errors.New("use either --jsonl or --rule")
			case jsonl:
				err := cases.AnswerLines(cmd.Context(), args, cmd.OutOrStdout(), cases.ErrUnexpected, func(where string, line []byte) (any, bool) {
					a := k.Line(cmd.Context(), line)
					k.Note(where, a)
					return a, a.OK
				})
				k.Summary(cmd.ErrOrStderr())
				return err
			case rule:
				return checkRule(args, m, cmd.OutOrStdout(), f.json)
			case len(args) == 0:
				return errors.New("nothing to check: name a request, such as 'shell(git push)', or give --jsonl")
			}
			m.report(cmd.ErrOrStderr())
			answers, err := checkRequests(cmd, args, m, f.json)
			if err == nil && exitCode {
				err = unpassed(answers)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&jsonl, "jsonl", false, "read one case a line from the files, or from standard input")
	cmd.Flags().BoolVar(&rule, "rule", false, "say how a rule is read, and whether it applies to a sample")
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "end with 1 if a request would be refused, else with 3 if one would be asked")
	cmd.Flags().StringVar(&from, "replay", "", "decide once more what the audit log holds since then, or a whole log by its path")
	cmd.Flags().StringVar(&file, "settings", "", "with --replay: by the rules of this file alone")
	return cmd
}

// A checkedRequest is one answer of `check --json`.
type checkedRequest struct {
	Request string `json:"request"`
	cases.Outcome
}

// checkRequests checks what is written as kind(target) on the command line. One
// that can't be read is an error, and keeps no other from its answer.
func checkRequests(cmd *cobra.Command, args []string, m *machine, asJSON bool) ([]checkedRequest, error) {
	approvals, err := m.approvals()
	if err != nil {
		return nil, err
	}
	mode, _, _, modeErr := m.modeHere()
	if modeErr != nil {
		tellLine(cmd.ErrOrStderr(), modeErr.Error())
	}
	g, err := gate.New(gate.Options{
		Workspace: m.workspace, GateHome: m.home, Policy: m.policy, Mode: mode, Approvals: approvals,
		Approver: gate.ApproverFunc(nil),
	})
	if err != nil {
		return nil, err
	}
	tellModeNote(cmd.ErrOrStderr(), g)
	var answers []checkedRequest
	var unread error
	for _, arg := range args {
		arg = cases.AsRequest(arg)
		req, err := cases.ParseRequest(arg, m.workspace)
		if err != nil {
			unread = errors.Join(unread, err)
			continue
		}
		v := g.Check(cmd.Context(), req)
		if answers = append(answers, checkedRequest{arg, cases.OutcomeOf(v)}); !asJSON {
			explain(cmd.OutOrStdout(), arg, &req, v)
		}
	}
	if asJSON {
		return answers, errors.Join(output.List(cmd.OutOrStdout(), answers), unread)
	}
	return answers, unread
}

// errUnpassed sets the exit code and prints nothing: the answers were printed.
var errUnpassed = errors.New("")

// unpassed is an error unless all requests would pass by themselves.
func unpassed(answers []checkedRequest) error {
	has := func(e gate.Effect) bool {
		return slices.ContainsFunc(answers, func(a checkedRequest) bool { return a.Verdict == e.String() })
	}
	switch {
	case has(gate.Deny):
		return &codedError{exitRefused, errUnpassed}
	case has(gate.Ask):
		return &codedError{exitNoTerminal, errUnpassed}
	}
	return nil
}

// explain prints a verdict for a person.
func explain(w io.Writer, what string, req *gate.Request, v gate.Verdict) {
	printable := func(s string) string { return diffview.EscapeCommand(s, req.CalledNames()) }
	fmt.Fprintf(w, "%-5s  %s\n       %s (step %s, cause %s)\n", v.Effect, printable(what), printable(v.Reason), v.Step, v.Cause)
	if v.Rule != nil {
		fmt.Fprintf(w, "       rule %s\n", printable(v.Rule.String()))
	}
	if len(v.Parts) < 2 {
		return
	}
	for _, p := range v.Parts {
		fmt.Fprintf(w, "       · %s\n", printable(p.String()))
	}
}

// A ruleReading is the answer of `check --rule --json`.
type ruleReading struct {
	Rule    string `json:"rule"`
	Kind    string `json:"kind"`
	Match   string `json:"match"`
	Pattern string `json:"pattern"`
	Sample  string `json:"sample,omitempty"`
	Applies *bool  `json:"applies,omitempty"`
	Note    string `json:"note,omitempty"`
}

// checkRule says how a rule is read (APR-15).
func checkRule(args []string, m *machine, w io.Writer, asJSON bool) error {
	if len(args) == 0 || len(args) > 2 {
		return errors.New("give a rule, and a sample if you like: check --rule 'shell(git *)' 'git log'")
	}
	sample := ""
	if len(args) == 2 {
		sample = args[1]
	}
	r, err := gate.CheckRule(gate.Allow, args[0], sample, m.workspace, "")
	if err != nil {
		return err
	}
	if asJSON {
		return output.List(w, []ruleReading{{args[0], r.Kind, r.Match, r.Pattern, sample, r.Applies, r.Note}})
	}
	fmt.Fprintf(w, "%s is a rule for %s, read as a %s: %s\n", printable(args[0]), r.Kind, r.Match, printable(r.Pattern))
	if r.Applies != nil {
		fmt.Fprintf(w, "it %s to %s\n", map[bool]string{true: "applies", false: "does not apply"}[*r.Applies], printable(sample))
	}
	if r.Note != "" {
		fmt.Fprintf(w, "note: %s\n", printable(r.Note))
	}
	return nil
}
