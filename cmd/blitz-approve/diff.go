package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

// errDiffers sets the exit code and prints nothing: what differs was shown.
var errDiffers = errors.New("")

// A differ is what `diff` is told by its flags.
type differ struct {
	lines    string
	look     diffLook
	eachLine bool
	exitCode bool
}

func diffCommand(f *flags) *cobra.Command {
	var d differ
	cmd := &cobra.Command{
		Use:   "diff [OLD NEW]",
		Short: "Show a change as a request would; also a difftool and pager for git",
		Long: `Show the difference between two files, or two folders, as a request would show
it, with nothing left out unless --lines says so. /dev/null in place of one
means that the other is created or deleted. Without files it reads a unified
diff from standard input.

  blitz-approve diff old.go new.go
  git difftool --no-prompt --extcmd 'blitz-approve diff'
  git config --global diff.external 'blitz-approve diff'
  git config --global core.pager 'blitz-approve diff --color always | less -RFX'
  git config --global interactive.diffFilter 'blitz-approve diff --each-line --color always'

With --global, since what only one repository sets makes the gate ask about all
that git does there: it could have come with the repository.

The exit code is 0, whether the files differ or not, as git wants it of such
programs; with --exit-code it is 1 if they differ. It is 2 if a file can't be
read. In a patch from git, colours are taken off where git puts them; to be
sure that the text of a file loses nothing that looks the same, set color.pager
to false. What is no unified diff, such as a log, keeps git's colours.`,
		Args: cobra.MaximumNArgs(9),
		RunE: func(cmd *cobra.Command, args []string) error {
			limit, err := d.limit()
			if err != nil {
				return err
			}
			d.follow(f, cmd)
			return d.run(cmd.Context(), args, cmd.OutOrStdout(), limit)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&d.lines, "lines", "", `print at most so many rows of each file, and count the rest (default: all)`)
	fs.BoolVar(&d.eachLine, "each-line", false, "print exactly one row for each line of a patch")
	fs.BoolVar(&d.exitCode, "exit-code", false, "end with 1 if anything differs")
	d.look.register(fs)
	return cmd
}

// follow takes over the look that settings name where no flag does. Settings
// that can't be read don't keep anybody from seeing a diff.
func (d *differ) follow(f *flags, cmd *cobra.Command) {
	m, err := f.load()
	if err != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "blitz-approve: the settings are left out:", printable(err.Error()))
		return
	}
	d.look.follow(m.theme(), cmd.Flags())
}

// limit is how many rows of a file are printed; 0 means all. A pager or difftool
// that leaves something out by itself would hide it (BEY-03).
func (d *differ) limit() (int, error) {
	if d.lines == "" || d.lines == "all" {
		return 0, nil
	}
	n, err := strconv.Atoi(d.lines)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("--lines %q: give a number from 1, or all", d.lines)
	}
	return n, nil
}

func (d *differ) run(ctx context.Context, args []string, out io.Writer, limit int) error {
	p, err := d.look.printer(out, limit)
	if err != nil {
		return err
	}
	switch len(args) {
	case 0:
		if isTerminal(os.Stdin) {
			return errors.New("nothing to compare: give two files or folders, or a patch on standard input, as in git diff | blitz-approve diff")
		}
		err = p.Patch(ctx, os.Stdin, d.eachLine)
	case 2:
		err = p.Paths(ctx, args[0], args[1])
	case 7, 9:
		err = p.External(ctx, args)
	default:
		return fmt.Errorf("give two files or folders, or none and a patch on standard input, and not %d", len(args))
	}
	if lost := p.Flush(); !errors.Is(err, lost) {
		err = errors.Join(err, lost)
	}
	if err != nil {
		return err
	}
	if p.Differs() && d.exitCode {
		return &codedError{exitRefused, errDiffers}
	}
	return nil
}
