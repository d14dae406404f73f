package tuitest

import (
	"bytes"
	"io"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// A Term is a terminal with one program on it. Its methods are called from
// the goroutine of the test; they fail the test when something goes wrong.
type Term struct {
	t       testing.TB
	profile colorprofile.Profile
	environ []string
	theme   theme
	legacy  bool

	in   *input
	done chan struct{} // closed when the program of Start has ended
	err  error         // its error, once done is closed

	mu       sync.Mutex // guards what follows; held while the emulator is used
	em       *vt.Emulator
	changed  chan struct{} // closed and replaced at each output
	output   bytes.Buffer
	title    string
	kitty    []int // the stack of keyboard flags that the program pushed
	barriers int   // the last barrier sent
	painted  int   // the last one that came back as output
	escapes  int   // escape keys that the program has read
}

// An Option changes what kind of terminal a [Term] is. Without options it is
// dark, shows 24-bit colour and knows the Kitty keyboard protocol.
type Option func(*Term)

// Colors sets how many colours the terminal shows.
func Colors(p colorprofile.Profile) Option { return func(t *Term) { t.profile = p } }

// Light makes the terminal dark on light.
func Light() Option { return func(t *Term) { t.theme = light } }

// Legacy makes a terminal that can't tell Ctrl+Enter from Enter and sends a
// lone escape byte for the Esc key.
func Legacy() Option { return func(t *Term) { t.legacy = true } }

// Environ adds variables, in the form of [os.Environ], to those that the
// program sees.
func Environ(vars ...string) Option {
	return func(t *Term) { t.environ = append(t.environ, vars...) }
}

// Start runs a program with model on a new terminal of width × height cells.
// The program is ended with the test.
func Start(t testing.TB, model tea.Model, width, height int, opts ...Option) *Term {
	t.Helper()
	term := NewTerm(t, width, height, opts...)
	p := tea.NewProgram(model, term.Options()...)
	term.done = make(chan struct{})
	go func() {
		defer close(term.done)
		_, term.err = p.Run()
	}()
	t.Cleanup(func() {
		term.in.close()
		p.Quit()
		<-term.done
	})
	return term
}

// NewTerm makes a terminal for a program that the test or the code under test
// starts with [Term.Options]. Whoever starts it ends it, before the test ends.
func NewTerm(t testing.TB, width, height int, opts ...Option) *Term {
	term := &Term{
		t: t, profile: colorprofile.TrueColor, theme: dark,
		environ: []string{"TERM=xterm-256color"},
		in:      newInput(), changed: make(chan struct{}),
		em: vt.NewEmulator(width, height),
	}
	for _, o := range opts {
		o(term)
	}
	term.em.SetDefaultForegroundColor(term.theme.foreground)
	term.em.SetDefaultBackgroundColor(term.theme.background)
	term.em.SetCallbacks(vt.Callbacks{Title: func(s string) { term.title = s }})
	term.registerKeyboard()
	term.registerBarrier()
	// The terminal's replies and what is typed take the same way, in order.
	// The queue never blocks: a reply that waited for its reader would hold
	// up the very output that the reader's program is writing.
	pumped := make(chan struct{})
	go func() {
		defer close(pumped)
		_, _ = io.Copy(term.in, term.em)
	}()
	t.Cleanup(func() {
		term.in.close()
		// Emulator.Close races with its Read; closing the pipe doesn't.
		_ = term.em.InputPipe().(io.Closer).Close()
		<-pumped
	})
	return term
}

// Options are what a program needs to run on the terminal. They include a
// filter, so the program can't have another one.
func (t *Term) Options() []tea.ProgramOption {
	return []tea.ProgramOption{
		tea.WithInput(t.in), tea.WithOutput(screen{t}),
		tea.WithWindowSize(t.em.Width(), t.em.Height()),
		tea.WithColorProfile(t.profile), tea.WithEnvironment(t.environ),
		tea.WithoutSignalHandler(), tea.WithFPS(120),
		tea.WithFilter(t.filter),
	}
}

// Ended waits until the program of [Start] has ended by itself, and returns
// its error.
func (t *Term) Ended() error {
	t.t.Helper()
	timeout, stop := t.deadline()
	defer stop()
	select {
	case <-t.done:
		return t.err
	case <-timeout:
		t.t.Fatalf("the program is still running:\n%s", t.Screen())
		return nil
	}
}

// Resize changes the size of the terminal and tells the program.
func (t *Term) Resize(width, height int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.em.Resize(width, height)
	t.em.SendText(ansi.InBandResize(height, width, 0, 0))
}

// screen is the side of the terminal that the program writes to.
type screen struct{ *Term }

// Write feeds the emulator. Bubble Tea relies on a terminal line discipline
// that turns \n into \r\n when its input isn't a terminal.
func (s screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.output.Write(p)
	_, err := s.em.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	s.announce()
	return len(p), err
}

// announce wakes whoever waits for a change; the caller holds mu.
func (t *Term) announce() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// Screen is the text on the screen, without colours and without blanks at the
// ends of lines.
func (t *Term) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return trimRight(t.em.String())
}

// Title is the terminal's title, as the program set it.
func (t *Term) Title() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.title
}

// Output is every byte that the program has written.
func (t *Term) Output() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.output.String()
}

// AltScreen reports whether the alternate screen is shown.
func (t *Term) AltScreen() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.em.IsAltScreen()
}

// Cursor is the position of the cursor, from 0, and whether it is shown.
func (t *Term) Cursor() (x, y int, shown bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.em.CursorPosition()
	return p.X, p.Y, !t.em.CursorHidden()
}

// Cell is the cell in column x of row y, from 0: its text and its style.
func (t *Term) Cell(x, y int) uv.Cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.em.CellAt(x, y); c != nil {
		return *c
	}
	return uv.Cell{}
}
