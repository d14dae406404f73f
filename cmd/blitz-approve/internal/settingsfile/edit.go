package settingsfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// ErrNotSaved is the error of an edit after which the file is as it was. It names
// the copy, in which what was written is kept.
var ErrNotSaved = errors.New("the settings file was not saved")

// notSaved is an [ErrNotSaved] that says why.
type notSaved struct{ error }

func (e notSaved) Is(target error) bool { return target == ErrNotSaved }

func (e notSaved) Unwrap() error { return e.error }

// An Edit is a settings file in a person's editor.
type Edit struct {
	Path     settings.Path
	Editor   tui.Editor
	Terminal *os.File // what the editor reads keys from and draws on
	In       *bufio.Reader
	Out      io.Writer

	copy string // where the copy is
}

// Run edits until the copy may be saved, or the person leaves it.
func (e *Edit) Run(ctx context.Context) error {
	old, err := settings.Content(e.Path.Name)
	if err != nil {
		return err
	}
	begun := old
	if old == nil {
		begun = []byte(New)
	}
	dir, err := os.MkdirTemp("", "blitz-approve-edit-")
	if err != nil {
		return err
	}
	e.copy = filepath.Join(dir, filepath.Base(e.Path.Name))
	if err := os.WriteFile(e.copy, begun, 0o600); err != nil {
		return err
	}
	for {
		if err := e.open(ctx); err != nil {
			return e.kept(fmt.Errorf("the editor failed: %w", err))
		}
		now, err := os.ReadFile(e.copy)
		if err != nil {
			return err
		}
		if bytes.Equal(now, begun) {
			fmt.Fprintln(e.Out, "nothing was changed")
			return os.RemoveAll(dir)
		}
		problems := Problems(e.Path, now)
		for _, p := range problems {
			fmt.Fprintln(e.Out, Line(p))
		}
		if Mistakes(problems) > 0 {
			if e.again() {
				continue
			}
			return e.kept(errors.New("not saved: there are mistakes"))
		}
		if err := settings.Save(e.Path.Name, old, now); err != nil {
			return e.kept(err)
		}
		fmt.Fprintf(e.Out, "saved %s\n", output.Printable(e.Path.Name))
		return os.RemoveAll(dir)
	}
}

// again asks whether to go on. Nobody to answer is a no.
func (e *Edit) again() bool {
	fmt.Fprint(e.Out, "Edit again? [Y/n] ")
	answer, err := e.In.ReadString('\n')
	if err != nil {
		fmt.Fprintln(e.Out)
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "" || answer == "y" || answer == "yes"
}

// kept ends without saving, and says where the copy is.
func (e *Edit) kept(err error) error {
	return notSaved{fmt.Errorf("%w; %s is as it was, and what you wrote is in %s", err, e.Path.Name, e.copy)}
}

func (e *Edit) open(ctx context.Context) error {
	out, errs := e.Terminal, e.Terminal
	if e.Terminal == os.Stdin {
		out, errs = os.Stdout, os.Stderr
	}
	return e.Editor.Edit(ctx, e.copy, e.Terminal, out, errs)
}
