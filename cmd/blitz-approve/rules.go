package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/rulebook"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

func rulesCommand(f *flags) *cobra.Command {
	cmd := &cobra.Command{Use: "rules", Short: "List, add, remove, suggest and import permission rules"}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the rules in force, with where they come from", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return listRules(cmd, f) },
		},
		editRules(f, "add allow|ask|deny RULE", "Add a rule to your settings, in place", addRule),
		suggestRules(f),
		editRules(f, "remove [allow|ask|deny] RULE", "Remove a rule from your settings, in place", removeRule),
		importRules(f),
	)
	return cmd
}

// editRules is a command that changes one list in one file of the person's
// own: the global one, or with --here that of this workspace.
func editRules(f *flags, use, short string, edit func(io.Writer, string, []string) error) *cobra.Command {
	var s scope
	cmd := &cobra.Command{
		Use: use, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return fmt.Errorf("write it as: blitz-approve rules %s, with the rule in quotes", use)
			}
			m, err := f.inspect()
			if err != nil {
				return err
			}
			path, err := m.sources.Path(s.layer())
			if err != nil {
				return err
			}
			return edit(cmd.OutOrStdout(), path.Name, args)
		},
	}
	s.register(cmd, false)
	return cmd
}

var effects = map[string]gate.Effect{"allow": gate.Allow, "ask": gate.Ask, "deny": gate.Deny}

func addRule(w io.Writer, path string, args []string) error {
	if len(args) != 2 {
		return errors.New("write an effect and a rule: rules add allow 'shell(go test)'")
	}
	effect, err := readEffect(args[0])
	if err != nil {
		return err
	}
	if err := settings.AddRule(path, effect, args[1]); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s %s is in %s\n", effect, printable(args[1]), printable(path))
	if r, err := gate.CheckRule(effect, args[1], "", "", ""); err == nil && r.Kind == "tool" {
		fmt.Fprintln(w, "note: without parentheses it names a tool; for a command write shell(…)")
	}
	if effect == gate.Allow && reachesAll(args[1]) {
		fmt.Fprintln(w, "careful: every command passes by this rule that no other rule stops")
	}
	return nil
}

// reachesAll reports whether an allow rule is for any command whatever, in
// whichever way it is written.
func reachesAll(rule string) bool {
	r, err := gate.CheckRule(gate.Allow, rule, "zq7-command 'of any' --words", "", "")
	return err == nil && r.Kind == "shell" && *r.Applies
}

func readEffect(word string) (gate.Effect, error) {
	effect, ok := effects[word]
	if !ok {
		return effect, fmt.Errorf("%q is no effect: use allow, ask or deny", word)
	}
	return effect, nil
}

func removeRule(w io.Writer, path string, args []string) error {
	rule, wanted := args[len(args)-1], []gate.Effect{gate.Deny, gate.Ask, gate.Allow}
	if len(args) == 2 {
		effect, err := readEffect(args[0])
		if err != nil {
			return err
		}
		wanted = []gate.Effect{effect}
	}
	found := false
	for _, effect := range wanted {
		removed, err := settings.RemoveRule(path, effect, rule)
		if err != nil {
			return err
		}
		if removed {
			found = true
			fmt.Fprintf(w, "%s %s is no longer in %s\n", effect, printable(rule), printable(path))
		}
	}
	if !found {
		return &codedError{exitRefused, fmt.Errorf("%s holds no rule %q; blitz-approve rules list says where rules come from", path, rule)}
	}
	return nil
}

// A listedRule is one rule of `rules list --json`.
type listedRule struct {
	Effect string `json:"effect"`
	Rule   string `json:"rule"`
	Source string `json:"source"`
	File   string `json:"file"` // "" for a flag
	Line   int    `json:"line"` // 0 for a flag
	Error  string `json:"error,omitempty"`
}

func listRules(cmd *cobra.Command, f *flags) error {
	m, err := f.inspect()
	if err != nil {
		return err
	}
	var list []listedRule
	row := func(effect gate.Effect, text string, s gate.Source, problem string) {
		list = append(list, listedRule{effect.String(), text, s.Layer, s.File, s.Line, problem})
	}
	for _, r := range m.policy.Rules {
		row(r.Effect, r.Text, r.Source, "")
	}
	for _, b := range m.policy.Broken {
		row(b.Effect, b.Text, b.Source, b.Err.Error())
	}
	w := cmd.OutOrStdout()
	if f.json {
		return output.List(w, list)
	}
	for _, r := range list {
		where := gate.Source{Layer: r.Source, File: shortPath(r.File), Line: r.Line}
		if r.File == "" {
			where.File = ""
		}
		fmt.Fprintf(w, "%-5s  %s  (%s, %s)\n", r.Effect, printable(r.Rule), r.Source, printable(where.String()))
		if r.Error != "" {
			fmt.Fprintf(w, "       can't be read, and holds what it may cover at ask: %s\n", printable(r.Error))
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "no rule was set yet; to add one: blitz-approve rules add allow 'shell(go test)'")
	}
	if !m.policy.NoReadOnlyDefaults {
		listDefaults(w)
	}
	return nil
}

// listDefaults lists the built-in rules and what asks in spite of them; those
// with the same options stand together.
func listDefaults(w io.Writer) {
	fmt.Fprintln(w, "\nbuilt-in, in the workspace (read_only_defaults = false switches them off):")
	for _, d := range rulebook.Defaults() {
		fmt.Fprintf(w, "allow  %s\n", d.Commands)
		if d.Guards != "" {
			fmt.Fprintf(w, "       asks with %s\n", d.Guards)
		}
	}
}
