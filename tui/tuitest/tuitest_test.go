package tuitest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo shows what it was sent.
type echo struct {
	lines         []string
	width, height int
	dark          bool
}

type tick struct{}

func (e *echo) Init() tea.Cmd { return tea.RequestBackgroundColor }

func (e *echo) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		e.width, e.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		e.dark = msg.IsDark()
		e.lines = append(e.lines, fmt.Sprintf("dark %t", e.dark))
	case tea.KeyPressMsg:
		e.lines = append(e.lines, "key "+msg.String())
		switch msg.String() {
		case "q":
			return e, tea.Quit
		case "t":
			return e, tea.Tick(time.Minute, func(time.Time) tea.Msg { return tick{} })
		}
	case tick:
		e.lines = append(e.lines, "a minute later")
	case tea.PasteMsg:
		e.lines = append(e.lines, "paste "+msg.Content)
	case tea.MouseClickMsg:
		e.lines = append(e.lines, fmt.Sprintf("click %d,%d", msg.X, msg.Y))
	case tea.MouseWheelMsg:
		e.lines = append(e.lines, "wheel "+msg.String())
	case tea.BlurMsg:
		e.lines = append(e.lines, "blur")
	}
	return e, nil
}

func (e *echo) View() tea.View {
	v := tea.NewView(fmt.Sprintf("%d×%d\n%s", e.width, e.height, strings.Join(e.lines, "\n")))
	v.AltScreen, v.ReportFocus, v.WindowTitle = true, true, "echo"
	v.MouseMode = tea.MouseModeCellMotion
	return v
}

func TestKeysArriveAsTheyAreNamed(t *testing.T) {
	keys := []string{
		"y", "Y", "esc", "enter", "tab", "shift+tab", "space", "backspace", "up", "ctrl+up", "pgdown", "home", "end",
		"delete", "f1", "f5", "ctrl+c", "ctrl+o", "alt+x", "alt+enter", "ä",
	}
	for name, c := range map[string]struct {
		opts []Option
		keys []string
	}{
		"kitty":  {keys: append(keys, "ctrl+enter", "shift+enter", "ctrl+shift+x")},
		"legacy": {opts: []Option{Legacy()}, keys: keys},
	} {
		t.Run(name, func(t *testing.T) {
			term := Start(t, &echo{}, 40, 60, c.opts...)
			term.WaitFor("dark true")
			term.Settle() // so that the unambiguous keys are on
			for _, k := range c.keys {
				term.Key(k)
			}
			term.Settle()
			var got []string
			for line := range strings.Lines(term.Screen()) {
				if k, ok := strings.CutPrefix(strings.TrimSpace(line), "key "); ok {
					got = append(got, k)
				}
			}
			if strings.Join(got, " ") != strings.Join(c.keys, " ") {
				t.Errorf("keys arrived as\n%q, want\n%q", got, c.keys)
			}
		})
	}
}

func TestTerminalAnswers(t *testing.T) {
	term := Start(t, &echo{}, 40, 12, Light())
	term.WaitFor("40×12", "dark false")
	term.Resize(30, 9)
	term.WaitFor("30×9")
	term.Paste("two\nlines")
	term.WaitFor("paste two")
	term.Click(3, 4)
	term.Wheel(0, 0, -1)
	term.Focus(false)
	term.WaitFor("click 3,4", "wheel wheelup", "blur")
	if term.Title() != "echo" || !term.AltScreen() {
		t.Errorf("title %q, alternate screen %t", term.Title(), term.AltScreen())
	}
	term.Key("q")
	if err := term.Ended(); err != nil {
		t.Error(err)
	}
	if term.AltScreen() {
		t.Error("the alternate screen is still there after the end")
	}
}

// What Settle returns to is the frame that shows all that was typed.
func TestSettle(t *testing.T) {
	term := Start(t, &echo{}, 40, 200)
	for i := range 100 {
		term.Type(string(rune('a' + i%10)))
		if i%9 == 0 {
			term.Settle()
			if got := strings.Count(term.Screen(), "key "); got != i+1 {
				t.Fatalf("%d keys on the screen after %d", got, i+1)
			}
		}
	}
}

// Inside a bubble time passes only when everybody waits for it.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := Start(t, &echo{}, 40, 12, Legacy())
		term.WaitFor("dark true")
		term.Key("t", "esc")
		term.WaitFor("key esc")
		before := time.Now()
		time.Sleep(59 * time.Second)
		term.Settle()
		if strings.Contains(term.Screen(), "later") {
			t.Error("the minute was too short")
		}
		term.WaitFor("a minute later")
		if d := time.Since(before).Round(time.Second); d != time.Minute {
			t.Errorf("it took %s", d)
		}
	})
}

func TestNewTermForAForeignProgram(t *testing.T) {
	term := NewTerm(t, 20, 5, Colors(colorprofile.ANSI))
	p := tea.NewProgram(&echo{}, term.Options()...)
	done := make(chan error)
	go func() {
		_, err := p.Run()
		done <- err
	}()
	term.WaitFor("20×5")
	term.Type("q")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type still string

func (s still) Init() tea.Cmd                       { return nil }
func (s still) Update(tea.Msg) (tea.Model, tea.Cmd) { return s, nil }
func (s still) View() tea.View                      { return tea.NewView(string(s)) }

func TestPictureAndGolden(t *testing.T) {
	bold := lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#ff5f5f"))
	bar := lipgloss.NewStyle().Foreground(lipgloss.Color("2")).Background(lipgloss.Color("#10202a"))
	struck := lipgloss.NewStyle().Strikethrough(true).Faint(true)
	reverse := lipgloss.NewStyle().Reverse(true)
	term := Start(t, still(strings.Join([]string{
		bold.Render("danger <b>") + " plain  two blanks",
		bar.Render("+ added 漢字 ✓ │") + "|",
		struck.Render("done") + " " + reverse.Render(" y ") + " ╭──╮",
	}, "\n")), 34, 4)
	term.WaitFor("danger", "done")
	term.Settle()
	term.Golden("picture")
	svg := term.SVG()
	for _, want := range []string{
		`fill="#ff5f5f"`, `font-weight="bold"`, "danger &lt;b&gt;", `fill="#10202a"`, "漢", "line-through", `fill="#98c379"`, "┐",
	} {
		if has := strings.Contains(svg, want); has != (want != "┐") {
			t.Errorf("picture has %q: %t", want, has)
		}
	}
	if path := os.Getenv("TUITEST_SVG"); path != "" {
		if err := os.WriteFile(path, []byte(svg), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// A wait that can't end fails the test, and says what the screen shows.
func TestWaitingInVain(t *testing.T) {
	var failure string
	synctest.Test(t, func(t *testing.T) {
		rec := &recorder{TB: t}
		term := Start(rec, &echo{}, 20, 5)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			term.WaitFor("never")
		}()
		<-ended
		failure = rec.failure
	})
	if !strings.Contains(failure, "never") || !strings.Contains(failure, "20×5") {
		t.Errorf("failure says %q", failure)
	}
}

type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Fatalf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }
