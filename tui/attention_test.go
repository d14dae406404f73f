package tui

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui/tuitest"
)

var osc = regexp.MustCompile("\x1b\\][^\a]*\a")

// A person who looks at another window is called, once, and reads there
// nothing of what is asked.
func TestCallsSomebodyWhoLooksElsewhere(t *testing.T) {
	tests := []struct {
		name, environ string
		notify        Notify
		want          string
	}{
		{"iTerm", "TERM_PROGRAM=iTerm.app", NotifyAuto, ansi.Notify("blitz-approve: bot asks to run a command")},
		{"foot", "TERM=foot", NotifyAuto, "\x1b]777;notify;blitz-approve;bot asks to run a command\a"},
		{"unknown terminal", "TERM=vt100", NotifyAuto, "\a"},
		{"inside tmux", "TMUX=/tmp/tmux-0/default,1,0", NotifyAuto, "\a"},
		{"bell only", "TERM_PROGRAM=iTerm.app", NotifyBell, "\a"},
		{"forced", "TERM=vt100", NotifyOSC, ansi.Notify("blitz-approve: bot asks to run a command")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, term, _ := start(t, Options{Notify: tt.notify}, tuitest.Environ(tt.environ))
			term.WaitFor("Nothing has happened")
			term.Focus(false)
			term.Key("?") // what it shows comes after the change of the focus
			term.WaitFor("back to the shell")
			term.Key("esc")
			term.WaitFor("Nothing has happened")
			before := len(term.Output())
			p := command("rm -rf secret-place")
			p.Request.Origin.Agent = "bot"
			for range 2 {
				go func() { _, _ = c.Approve(t.Context(), p) }()
			}
			calls := func(output string) int {
				out := output[before:]
				if tt.want == "\a" {
					out = osc.ReplaceAllString(out, "") // these end in one too
				}
				return strings.Count(out, tt.want)
			}
			term.WaitFor("1 of 2")
			term.UntilWritten("a call", func(output string) bool { return calls(output) > 0 })
			term.Settle()
			if n := calls(term.Output()); n != 1 {
				t.Errorf("%d calls %q, want 1", n, tt.want)
			}
		})
	}
}

func TestCallsNobodyWhoLooks(t *testing.T) {
	for name, prepare := range map[string]func(*bench){
		"focused":         func(b *bench) { b.send(tea.FocusMsg{}) },
		"not known":       func(*bench) {},
		"back again":      func(b *bench) { b.send(tea.BlurMsg{}); b.send(tea.FocusMsg{}) },
		"doesn't want it": func(b *bench) { b.opts.Notify = NotifyOff; b.send(tea.BlurMsg{}) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(b *bench) {
				prepare(b)
				b.queue.add(newQuestion(1, prompts.Question{Text: "?"}))
				if cmd := b.arrived(); cmd != nil {
					t.Errorf("called: %v", cmd())
				}
			})
		})
	}
}

// Coming back to the window arms anew: the first keys may have been meant for
// the window before (APR-30).
func TestComingBackArmsAnew(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		id := b.ask(command("ls"))
		b.settle()
		b.send(tea.BlurMsg{})
		b.send(tea.FocusMsg{})
		b.key("y")
		b.wantWaiting(id)
		b.settle()
		b.key("y")
		b.wantAnswer(id, once)
	})
}

func TestCallsAtTheEndOfATurn(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.send(tea.BlurMsg{})
		cmd := b.happen(TurnEnded{})
		if cmd == nil {
			t.Fatal("nobody was called")
		}
		if raw, ok := cmd().(tea.RawMsg); !ok || raw.Msg != "\a" {
			t.Errorf("%v", raw)
		}
	})
}

// Keys that were meant for an editor, or for the shell, answer nothing: what
// is shown afterwards is armed anew, also when it isn't what was edited
// (APR-30).
func TestLendingArmsAnew(t *testing.T) {
	for name, back := range map[string]tea.Msg{
		"suspended": lentMsg{}, "edited": rewrittenMsg{id: 1, text: "a", before: "a"},
		"edited, withdrawn": rewrittenMsg{id: 9}, "plan edited, withdrawn": editedMsg{id: 9},
	} {
		bubble(t, Options{}, func(b *bench) {
			id := b.ask(command("make"))
			b.settle()
			b.send(back)
			if b.arming.armed {
				t.Errorf("%s: armed at once", name)
			}
			b.key("y")
			b.wantWaiting(id)
			b.settle()
			b.key("y")
			b.wantAnswer(id, once)
		})
	}
}
