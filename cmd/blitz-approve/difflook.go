package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"strconv"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/filediff"
	"github.com/blitz-approve/blitz-approve/diffview"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A diffLook is how diffs are printed.
type diffLook struct {
	width      int
	color      string
	split      bool
	word       bool
	cut        bool
	light      bool
	colorBlind bool
	colors     map[string]string
}

func (l *diffLook) register(fs *pflag.FlagSet) {
	fs.IntVar(&l.width, "width", 0, "columns (default: those of the terminal, else 80)")
	fs.StringVar(&l.color, "color", "auto", "auto, always, never or none, 16, 256 or truecolor")
	fs.BoolVar(&l.split, "split", false, "old and new side by side")
	fs.BoolVar(&l.word, "word", false, "put changed words between signs, which need no colour: ⟨-old-⟩ and ⟨+new+⟩")
	fs.BoolVar(&l.cut, "cut", false, "cut long lines, and count what is hidden, instead of folding them")
	fs.BoolVar(&l.light, "light", false, "colours for a light ground")
	fs.BoolVar(&l.colorBlind, "color-blind", false, "blue and orange instead of green and red")
	fs.StringToStringVar(&l.colors, "colors", nil, "colours by role, such as added=#a5e6b3,gutter=240")
}

// follow takes over what the settings say and no flag of fs does.
func (l *diffLook) follow(t tui.Theme, fs *pflag.FlagSet) {
	if !fs.Changed("light") {
		l.light = t.Ground == tui.GroundLight
	}
	if !fs.Changed("color-blind") {
		l.colorBlind = t.ColorBlind
	}
	if t.NoColor && !fs.Changed("color") {
		l.color = "none"
	}
	own := l.colors
	l.colors = make(map[string]string)
	for _, role := range diffview.Roles() {
		if c, ok := t.Colors[role]; ok {
			l.colors[role] = c
		}
	}
	maps.Copy(l.colors, own) // what is wrong in there is said later
}

// colorWords are the values of --color beside auto, which looks at the
// terminal, and always, which doesn't.
var colorWords = map[string]colorprofile.Profile{
	"never": colorprofile.NoTTY, "none": colorprofile.NoTTY,
	"16": colorprofile.ANSI, "256": colorprofile.ANSI256, "truecolor": colorprofile.TrueColor,
}

func (l *diffLook) profile() (colorprofile.Profile, error) {
	if p, ok := colorWords[l.color]; ok {
		return p, nil
	}
	switch l.color {
	case "auto":
		if os.Getenv("NO_COLOR") != "" || !term.IsTerminal(os.Stdout.Fd()) {
			return colorprofile.NoTTY, nil
		}
		if p := colorprofile.Detect(os.Stdout, os.Environ()); p > colorprofile.ASCII {
			return p, nil
		}
		return colorprofile.NoTTY, nil
	case "always":
		return max(colorprofile.Env(os.Environ()), colorprofile.ANSI), nil
	}
	return 0, fmt.Errorf("--color %q: use auto, always, never, 16, 256 or truecolor", l.color)
}

// columns is the width to draw for. A pager's program tells it to what it
// starts by COLUMNS.
func (l *diffLook) columns() int {
	if l.width > 0 {
		return l.width
	}
	if w, _, err := term.GetSize(os.Stdout.Fd()); err == nil && w > 0 {
		return w
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return 80
}

// printer prints to out, as it fits standard output, and of each file at most
// limit rows; 0 means all.
func (l *diffLook) printer(out io.Writer, limit int) (*filediff.Printer, error) {
	profile, err := l.profile()
	if err != nil {
		return nil, err
	}
	if l.width < 0 {
		return nil, fmt.Errorf("--width %d: give a number from 1", l.width)
	}
	if err := diffview.CheckColors(l.colors); err != nil {
		return nil, fmt.Errorf("--colors: %w", err)
	}
	o := diffview.RenderOptions{Width: l.columns(), Split: l.split, Words: l.word, Wrap: !l.cut}
	if profile > colorprofile.ASCII {
		theme := diffview.Theme{Light: l.light, ColorBlind: l.colorBlind, Basic: profile == colorprofile.ANSI, Indexed: profile == colorprofile.ANSI256, Colors: l.colors}
		o.Style = theme.Style()
	}
	return filediff.New(out, profile, o, limit), nil
}
