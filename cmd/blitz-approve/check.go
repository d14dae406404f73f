package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/gate"
)

func checkCommand(f *flags) *cobra.Command {
	var jsonl, rule bool
	cmd := &cobra.Command{
		Use:   "check [RULE(TARGET)…] | --jsonl [FILE…] | --rule RULE [SAMPLE]",
		Short: "Say what would happen, and why; nothing is asked, written or remembered",
		Long: `Say what would happen to a request, and why. Nothing is asked, written or
remembered.

  blitz-approve check 'shell(git push)' 'write(src/a.go)'
  blitz-approve check --rule 'shell(git *)' 'git log'
  blitz-approve check --jsonl cases.jsonl     # exit code 1 if one is not as expected`,
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.load()
			if err != nil {
				return err
			}
			k := &checker{workspace: m.workspace, machine: m.policy, mode: m.mode}
			switch {
			case jsonl && rule:
				return errors.New("use either --jsonl or --rule")
			case jsonl:
				return k.files(cmd.Context(), args, cmd.OutOrStdout())
			case rule:
				return checkRule(args, m, cmd.OutOrStdout())
			case len(args) == 0:
				return errors.New("nothing to check: name a request, such as 'shell(git push)', or give --jsonl")
			}
			m.report(cmd.ErrOrStderr())
			return k.requests(cmd, args, m)
		},
	}
	cmd.Flags().BoolVar(&jsonl, "jsonl", false, "read one case a line from the files, or from standard input")
	cmd.Flags().BoolVar(&rule, "rule", false, "say how a rule is read, and whether it applies to a sample")
	return cmd
}

// requests checks what is written as kind(target) on the command line.
func (k *checker) requests(cmd *cobra.Command, args []string, m *machine) error {
	approvals, err := m.approvals()
	if err != nil {
		return err
	}
	g, err := gate.New(gate.Options{
		Workspace: m.workspace, GateHome: m.home, Policy: m.policy, Mode: m.mode, Approvals: approvals,
		Approver: gate.ApproverFunc(nil),
	})
	if err != nil {
		return err
	}
	for _, arg := range args {
		req, err := requestOf(arg, m.workspace)
		if err != nil {
			return err
		}
		explain(cmd.OutOrStdout(), arg, g.Check(cmd.Context(), req))
	}
	return nil
}

// requestOf reads kind(target) as the request that a rule of that form would
// match exactly.
func requestOf(arg, workspace string) (gate.Request, error) {
	kind, target, ok := strings.Cut(strings.TrimSuffix(arg, ")"), "(")
	if !ok || !strings.HasSuffix(arg, ")") || target == "" {
		return gate.Request{}, fmt.Errorf("%q is not a request: write kind(target), such as shell(git push), write(src/a.go), web(example.com) or mcp(server:tool)", arg)
	}
	switch kind {
	case "shell", "Bash", "run_command":
		return gate.CommandRequest(workspace, "bash", target), nil
	case "write", "Edit", "Write", "write_file":
		return gate.WriteRequest(workspace, "edit", gate.Change{Path: target}), nil
	case "delete", "delete_file":
		return gate.DeleteRequest(workspace, "delete", target), nil
	case "web", "WebFetch", "network":
		return gate.FetchRequest("web_fetch", strings.TrimPrefix(target, "domain:")), nil
	case "read", "Read":
		return gate.ReadRequest("read", target), nil
	case "mcp", "mcp_tool":
		server, tool, ok := strings.Cut(target, ":")
		if !ok {
			return gate.Request{}, fmt.Errorf("%q: name the server and the tool, such as mcp(github:create_issue)", arg)
		}
		return gate.MCPRequest(server, tool), nil
	}
	return gate.Request{}, fmt.Errorf("%q: unknown kind %q; the kinds are shell, write, delete, read, web and mcp", arg, kind)
}

// explain prints a verdict for a person.
func explain(w io.Writer, what string, v gate.Verdict) {
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

// checkRule says how a rule is read (APR-15).
func checkRule(args []string, m *machine, w io.Writer) error {
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
	fmt.Fprintf(w, "%s is a rule for %s, read as a %s: %s\n", printable(args[0]), r.Kind, r.Match, printable(r.Pattern))
	if r.Applies != nil {
		fmt.Fprintf(w, "it %s to %s\n", map[bool]string{true: "applies", false: "does not apply"}[*r.Applies], printable(sample))
	}
	if r.Note != "" {
		fmt.Fprintf(w, "note: %s\n", printable(r.Note))
	}
	return nil
}
