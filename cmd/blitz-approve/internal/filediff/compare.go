package filediff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/diffview"
)

// Paths compares two files or two folders.
func (p *Printer) Paths(ctx context.Context, old, new string) error {
	if err := errors.Join(mustExist(old), mustExist(new)); err != nil {
		return err
	}
	was, is := isFolder(old), isFolder(new)
	if was != is && !isNone(old) && !isNone(new) {
		return fmt.Errorf("%s is a folder and %s is none: give two files or two folders", output.Printable(pick(was, old, new)), output.Printable(pick(was, new, old)))
	}
	if was || is {
		return p.folders(ctx, old, new)
	}
	before, errOld := readSide(old)
	after, errNew := readSide(new)
	if err := errors.Join(errOld, errNew); err != nil {
		return err
	}
	f := before.with(after)
	f.Path = new
	title := output.Printable(old) + " → " + output.Printable(new)
	switch {
	case os.Getenv("GIT_DIFFTOOL_EXTCMD") != "" && os.Getenv("BASE") != "":
		// git gives copies, which have other names and modes than the file.
		f.Path, f.BeforeMode, f.AfterMode = os.Getenv("BASE"), 0, 0
		title = output.Printable(f.Path)
	case before.content == nil, old == new:
		title = output.Printable(new)
	case after.content == nil:
		title, f.Path = output.Printable(old), old
	}
	return p.print(ctx, title, f)
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// folders compares all files of two folders. One that can't be read keeps none of
// the others from being shown.
func (p *Printer) folders(ctx context.Context, old, new string) error {
	names := map[string]bool{}
	var unread error
	for _, dir := range []string{old, new} {
		if !isFolder(dir) {
			continue
		}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				unread = errors.Join(unread, err)
				return nil
			}
			if e.IsDir() {
				return ctx.Err()
			}
			name, err := filepath.Rel(dir, path)
			names[name] = true
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, errOld := readEntry(filepath.Join(old, name))
		after, errNew := readEntry(filepath.Join(new, name))
		if err := errors.Join(errOld, errNew); err != nil {
			unread = errors.Join(unread, err)
			continue
		}
		if err := p.entry(ctx, name, before, after); err != nil {
			return err
		}
	}
	return unread
}

// entry prints what differs between the two that are called name.
func (p *Printer) entry(ctx context.Context, name string, before, after side) error {
	switch {
	case before.odd != "" || after.odd != "":
		p.odd(name, before, after)
		if before.content == nil && after.content == nil {
			return nil
		}
	case before.same(after):
		return nil
	}
	f := before.with(after)
	f.Path = name
	return p.print(ctx, output.Printable(name), f)
}

// odd says of what can't be compared that it is there.
func (p *Printer) odd(name string, before, after side) {
	p.differs = p.differs || before.odd != after.odd
	what := "not a regular file: " + before.odd
	switch {
	case before.odd == "":
		what = "not a regular file now: " + after.odd
	case after.odd == "":
		what = "not a regular file before: " + before.odd
	case before.odd != after.odd:
		what += " before, " + after.odd + " now"
	}
	if p.printed {
		p.row("")
	}
	for _, row := range diffview.Wrap(output.Printable(name), p.options.Width) {
		p.row(p.options.Style.Title.Inline(true).Render(row))
	}
	p.row("! " + what)
}

// External is the call of git's diff.external: the path, then file, object and
// mode of both sides, then for a renamed file its new path and what changed.
func (p *Printer) External(ctx context.Context, args []string) error {
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
	return p.print(ctx, output.Printable(f.Path), f)
}

// print compares and prints one file.
func (p *Printer) print(ctx context.Context, title string, f diffview.File) error {
	diff := diffview.Compute(ctx, f, diffview.Limits{})
	if err := ctx.Err(); err != nil {
		return err
	}
	p.differs = p.differs || diff.Changed()
	return p.diff(ctx, title, diff)
}
