package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/trust"
	"github.com/blitz-approve/blitz-approve/settings"
)

func trustCommand(f *flags) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "trust", Short: "Show what this project's settings would loosen, and trust them", Args: cobra.NoArgs,
		Long: `Show what this project's settings would loosen, and trust them if you say so.
Trust is in the content of the file: when it changes, it waits again. What a
project's settings restrict holds without trust. A file with a mistake in it is
not trusted.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := f.inspect()
			if err != nil {
				return err
			}
			if f.json {
				return output.List(cmd.OutOrStdout(), m.waiting())
			}
			return m.askTrust(cmd.InOrStdin(), cmd.OutOrStdout(), yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "trust without asking")
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the trusted files", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return listTrust(cmd, f) },
		},
		&cobra.Command{
			Use: "revoke FILE", Short: "No longer trust a file", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return revokeTrust(cmd, f, args[0]) },
		},
	)
	return cmd
}

// askTrust shows each file that waits, and trusts those that the person says
// yes to.
func (m *machine) askTrust(in io.Reader, out io.Writer, yes bool) error {
	if len(m.settings.Untrusted) == 0 {
		fmt.Fprintln(out, "nothing in this project waits for trust")
		return nil
	}
	answers := bufio.NewReader(in)
	refused, unread := false, 0
	for _, file := range m.settings.Untrusted {
		m.showLoosening(out, file)
		if mistakes := trust.Unfit(file); len(mistakes) > 0 {
			fmt.Fprintln(out, "not trusted, since it can't be read as it is meant:")
			for _, p := range mistakes {
				fmt.Fprintf(out, "  %s\n", settingsfile.Line(p))
			}
			unread += len(mistakes)
			continue
		}
		if !yes {
			fmt.Fprint(out, "Trust it? Write yes: ")
			answer, err := answers.ReadString('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if strings.TrimSpace(answer) != "yes" {
				fmt.Fprintln(out, "not trusted")
				refused = true
				continue
			}
		}
		if err := m.trust.TrustShown(file); err != nil {
			return err
		}
		fmt.Fprintln(out, "trusted, until it changes")
	}
	if unread > 0 {
		what := counted(unread, "mistake is in the way: mend it", "mistakes are in the way: mend them")
		return &codedError{exitRefused, fmt.Errorf("%s, and run blitz-approve trust again", what)}
	}
	if refused {
		return &codedError{exitRefused, errors.New("what was not trusted stays without force")}
	}
	return nil
}

func (m *machine) showLoosening(out io.Writer, file *settings.File) {
	w := trust.WaitingOf(m.trust, file)
	if w.Known {
		fmt.Fprintf(out, "%s has changed since you trusted it:\n", printable(file.Name))
	} else {
		fmt.Fprintf(out, "%s would loosen:\n", printable(file.Name))
	}
	for _, line := range w.Lines() {
		fmt.Fprintf(out, "  %s\n", printable(line))
	}
}

func listTrust(cmd *cobra.Command, f *flags) error {
	m, err := f.inspect()
	if err != nil {
		return err
	}
	list, err := m.trust.List()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if f.json {
		return output.List(w, list)
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "no project's settings are trusted: blitz-approve trust, in a project, shows what waits for it")
	}
	for _, t := range list {
		fmt.Fprintf(w, "%s  %s\n", t.Added.Local().Format(time.DateOnly), printable(t.File))
	}
	return nil
}

func revokeTrust(cmd *cobra.Command, f *flags, file string) error {
	m, err := f.inspect()
	if err != nil {
		return err
	}
	found, err := m.trust.Revoke(file)
	if err != nil {
		return err
	}
	if !found {
		return &codedError{exitRefused, fmt.Errorf("%q is not trusted; blitz-approve trust list lists what is", file)}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is no longer trusted\n", printable(file))
	return nil
}

func (m *machine) waiting() (list []trust.Waiting) {
	for _, f := range m.settings.Untrusted {
		list = append(list, trust.WaitingOf(m.trust, f))
	}
	return list
}
