package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// A foundTerminal is what is known of the terminal. What it doesn't tell is
// empty.
type foundTerminal struct {
	Present bool   `json:"present"`
	Term    string `json:"term"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Colors  string `json:"colors"` // none, ascii, 16, 256 or truecolor
	// Background is "dark" or "light".
	Background string `json:"background,omitempty"`
	// Keyboard is "kitty" where keys such as Ctrl+Enter can be told apart, or
	// "plain".
	Keyboard string `json:"keyboard,omitempty"`
	// Inside is tmux or screen, which may hold back what the terminal can do.
	Inside string `json:"inside,omitempty"`
}

func findTerminal() foundTerminal {
	t := foundTerminal{Term: os.Getenv("TERM"), Colors: "none"}
	switch {
	case os.Getenv("TMUX") != "":
		t.Inside = "tmux"
	case os.Getenv("STY") != "":
		t.Inside = "screen"
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return t
	}
	defer tty.Close()
	t.Present = true
	t.Width, t.Height, _ = term.GetSize(tty.Fd())
	t.Colors = colorsOf(colorprofile.Detect(tty, os.Environ()))
	if t.Term != "dumb" {
		t.Background, t.Keyboard = understood(ask(tty))
	}
	return t
}

func colorsOf(p colorprofile.Profile) string {
	switch p {
	case colorprofile.TrueColor:
		return "truecolor"
	case colorprofile.ANSI256:
		return "256"
	case colorprofile.ANSI:
		return "16"
	case colorprofile.ASCII:
		return "ascii"
	}
	return "none"
}

// question asks for the background's colour, the state of the kitty keyboard
// and, last, the primary attributes, which every terminal tells: what was not
// answered before that never will be.
const question = "\x1b]11;?\x1b\\\x1b[?u\x1b[c"

// understood reads the answers to the question.
func understood(answer string) (background, keyboard string) {
	if !strings.Contains(answer, "\x1b[?") {
		return "", ""
	}
	keyboard = "plain"
	for _, part := range strings.Split(answer, "\x1b") {
		rgb, isColor := strings.CutPrefix(part, "]11;rgb:")
		flags, isFlags := strings.CutPrefix(part, "[?")
		switch {
		case isColor:
			background = brightness(strings.TrimRight(rgb, "\a\\"))
		case isFlags && strings.HasSuffix(flags, "u"):
			keyboard = "kitty"
		}
	}
	return background, keyboard
}

// brightness reads rrrr/gggg/bbbb, with one to four digits each.
func brightness(rgb string) string {
	sum, parts := 0.0, strings.Split(rgb, "/")
	if len(parts) != 3 {
		return ""
	}
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		var v int
		if _, err := fmt.Sscanf(parts[i], "%x", &v); err != nil || len(parts[i]) > 4 {
			return ""
		}
		sum += weight * float64(v) / float64(int(1)<<(4*len(parts[i]))-1)
	}
	if sum < 0.5 {
		return "dark"
	}
	return "light"
}

func (t *foundTerminal) print(w io.Writer) {
	if !t.Present {
		fmt.Fprintln(w, "terminal   none: what has to be asked is refused")
		return
	}
	fmt.Fprintf(w, "terminal   %s, %d×%d, colours: %s", printable(t.Term), t.Width, t.Height, t.Colors)
	if t.Background != "" {
		fmt.Fprintf(w, ", background: %s", t.Background)
	}
	if t.Keyboard == "plain" {
		fmt.Fprint(w, ", Ctrl+Enter can't be told from Enter: Ctrl+Q does the same")
	} else if t.Keyboard != "" {
		fmt.Fprintf(w, ", keyboard: %s", t.Keyboard)
	}
	if t.Inside != "" {
		fmt.Fprintf(w, ", inside %s", t.Inside)
	}
	fmt.Fprintln(w)
	if t.Term == "dumb" {
		fmt.Fprintln(w, "           it can't move its cursor: lines are used instead of the screen")
	}
}
