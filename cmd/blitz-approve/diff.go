package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/tui"
)

// errDiffers sets the exit code and prints nothing: what differs was shown.
var errDiffers = errors.New("")

// A differ prints diffs as requests show them.
type differ struct {
	lines    string
	look     diffLook
	eachLine bool
	exitCode bool

	out     *diffOutput
	differs bool
}

func diffCommand(f *flags) *cobra.Command {
	var d differ
	cmd := &cobra.Command{
		Use:   "diff [OLD NEW]",
		Short: "Show a change as a request would; also a difftool and pager for git",
		Long: `Show the difference between two files, or two folders, as a request would show
it. A file that isn't there, and /dev/null, is one that is created or deleted.
Without files it reads a unified diff from standard input.

  blitz-approve diff old.go new.go
  git difftool --no-prompt --extcmd 'blitz-approve diff'
  git config diff.external 'blitz-approve diff'
  git config core.pager 'blitz-approve diff --color always | less -RFX'
  git config interactive.diffFilter 'blitz-approve diff --each-line --color always'

The exit code is 0, whether the files differ or not, as git wants it of such
programs; with --exit-code it is 1 if they differ. It is 2 if a file can't be
read. In a patch from git, colours are taken off where git puts them; to be
sure that the text of a file loses nothing that looks the same, set color.pager
to false.`,
		Args: cobra.MaximumNArgs(9),
		RunE: func(cmd *cobra.Command, args []string) error {
			limit, err := d.follow(f, cmd)
			if err != nil {
				return err
			}
			return d.run(cmd.Context(), args, limit)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&d.lines, "lines", "", `rows of each file to print, or "all" (default: ui.diff_lines, 120, and all of a patch)`)
	fs.BoolVar(&d.eachLine, "each-line", false, "print exactly one row for each line of a patch")
	fs.BoolVar(&d.exitCode, "exit-code", false, "end with 1 if anything differs")
	d.look.register(fs)
	return cmd
}

// follow takes over the settings where no flag says otherwise, and returns how
// many rows of a file are printed; 0 means all. Settings that can't be read
// don't keep anybody from seeing a diff.
func (d *differ) follow(f *flags, cmd *cobra.Command) (limit int, err error) {
	limit = tui.DefaultDiffLines
	if m, err := f.load(); err != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "blitz-approve: the settings are left out:", printable(err.Error()))
	} else {
		limit = m.settings.UI.DiffLines.Or(limit)
		d.look.follow(m.theme(), cmd.Flags())
	}
	if cmd.Flags().NArg() == 0 {
		limit = 0
	}
	switch n, err := strconv.Atoi(d.lines); {
	case d.lines == "all":
		return 0, nil
	case d.lines != "" && (err != nil || n < 1):
		return 0, fmt.Errorf("--lines %q: give a number from 1, or all", d.lines)
	case d.lines != "":
		return n, nil
	}
	return limit, nil
}

func (d *differ) run(ctx context.Context, args []string, limit int) error {
	var err error
	if d.out, err = d.look.output(os.Stdout, limit); err != nil {
		return err
	}
	switch len(args) {
	case 0:
		if isTerminal(os.Stdin) {
			return errors.New("nothing to compare: give two files or folders, or a patch on standard input, as in git diff | blitz-approve diff")
		}
		err = d.patch(ctx, os.Stdin)
	case 2:
		err = d.paths(ctx, args[0], args[1])
	case 7, 9:
		err = d.external(ctx, args)
	default:
		return fmt.Errorf("give two files or folders, or none and a patch on standard input: %d were given", len(args))
	}
	if err := errors.Join(err, d.out.flush()); err != nil {
		return err
	}
	if d.differs && d.exitCode {
		return &codedError{exitRefused, errDiffers}
	}
	return nil
}

// paths compares two files or two folders.
func (d *differ) paths(ctx context.Context, old, new string) error {
	was, is := isFolder(old), isFolder(new)
	if was != is && (was || exists(old)) && (is || exists(new)) {
		return fmt.Errorf("%s is a folder and %s is none: give two files or two folders", printable(pick(was, old, new)), printable(pick(was, new, old)))
	}
	if was || is {
		return d.folders(ctx, old, new)
	}
	before, errOld := readSide(old)
	after, errNew := readSide(new)
	if err := errors.Join(errOld, errNew); err != nil {
		return err
	}
	if before.content == nil && after.content == nil && (old != os.DevNull || new != os.DevNull) {
		return fmt.Errorf("neither %s nor %s is there", printable(old), printable(new))
	}
	f := before.with(after)
	f.Path = new
	title := printable(old) + " → " + printable(new)
	switch {
	case os.Getenv("GIT_DIFFTOOL_EXTCMD") != "" && os.Getenv("BASE") != "":
		// git gives copies, which have other names and modes than the file.
		f.Path, f.BeforeMode, f.AfterMode = os.Getenv("BASE"), 0, 0
		title = printable(f.Path)
	case before.content == nil, old == new:
		title = printable(new)
	case after.content == nil:
		title, f.Path = printable(old), old
	}
	return d.print(ctx, title, f)
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// folders compares all files of two folders.
func (d *differ) folders(ctx context.Context, old, new string) error {
	names := map[string]bool{}
	for _, dir := range []string{old, new} {
		if !isFolder(dir) {
			continue
		}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			names[name] = true
			return err
		})
		if err != nil {
			return err
		}
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		before, errOld := readSide(filepath.Join(old, name))
		after, errNew := readSide(filepath.Join(new, name))
		if err := errors.Join(errOld, errNew); err != nil {
			return err
		}
		if before.same(after) {
			continue
		}
		f := before.with(after)
		f.Path = name
		if err := d.print(ctx, printable(name), f); err != nil {
			return err
		}
	}
	return nil
}

// external is the call of git's diff.external: the path, then file, object and
// mode of both sides, then for a renamed file its new path and what changed.
func (d *differ) external(ctx context.Context, args []string) error {
	before, errOld := readSide(args[1])
	after, errNew := readSide(args[4])
	if err := errors.Join(errOld, errNew); err != nil {
		return err
	}
	f := before.with(after)
	f.Path, f.BeforeMode, f.AfterMode = args[0], diffview.GitMode(args[3]), diffview.GitMode(args[6])
	if len(args) > 7 && args[7] != args[0] {
		f.Path, f.From = args[7], args[0]
	}
	return d.print(ctx, printable(f.Path), f)
}

// print compares and prints one file.
func (d *differ) print(ctx context.Context, title string, f diffview.File) error {
	diff := diffview.Compute(ctx, f, diffview.Limits{})
	if err := ctx.Err(); err != nil {
		return err
	}
	d.differs = d.differs || diff.Changed()
	return d.out.diff(ctx, title, diff)
}

// A side is one version of a file as it is on disk.
type side struct {
	content []byte // nil if there is none
	mode    fs.FileMode
}

// readSide reads a file, or what comes through a pipe.
func readSide(path string) (side, error) {
	if path == os.DevNull || path == "/dev/null" {
		return side{}, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return side{}, nil
	} else if err != nil {
		return side{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return side{}, err
	}
	content := make([]byte, 0, info.Size()+1)
	for {
		n, err := file.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if err == io.EOF {
			break
		} else if err != nil {
			return side{}, err
		}
		if len(content) == cap(content) {
			content = slices.Grow(content, len(content)+512)
		}
	}
	s := side{content: content}
	if info.Mode().IsRegular() && runtime.GOOS != "windows" {
		s.mode = info.Mode()
	}
	return s, nil
}

func (s side) with(after side) diffview.File {
	return diffview.File{Before: s.content, After: after.content, BeforeMode: s.mode, AfterMode: after.mode}
}

func (s side) same(o side) bool {
	return (s.content == nil) == (o.content == nil) && string(s.content) == string(o.content) && s.mode&0o111 == o.mode&0o111
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
