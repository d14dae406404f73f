package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// clickOn clicks the first place where text is on the screen.
func (b *bench) clickOn(text string) {
	b.t.Helper()
	for y, row := range strings.Split(b.text(), "\n") {
		if i := strings.Index(row, text); i >= 0 {
			b.send(tea.MouseClickMsg{X: ansi.StringWidth(row[:i]), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	b.t.Fatalf("no %q to click on\n%s", text, b.text())
}

var withMouse = Options{Mouse: true}

// TAM-22: a click on a choice takes it, held to what holds for a key.
func TestClickTakesAChoice_TAM22(t *testing.T) {
	for _, o := range []Options{withMouse, {Mouse: true, AnswerKeys: AnswerList}} {
		for i, want := range []gate.Answer{once, {Decision: gate.Session}, {Decision: gate.Refuse}} {
			text := [][]string{{"once", "s session", "/Esc no"}, {"Approve  ", "for this se", "Deny"}}[o.AnswerKeys][i]
			for _, size := range [][2]int{{80, 24}, {160, 50}, {40, 20}} {
				bubble(t, o, func(b *bench) {
					if size[0] < terse {
						text = strings.Replace(text, "/Esc no", "n no", 1)
					}
					b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					b.send(tea.FocusMsg{})
					id := b.ask(command("make test"))
					b.wait(armed / 2)
					b.clickOn("asked by") // nothing is there
					b.clickOn(text)       // too early
					b.wantWaiting(id)
					b.settle()
					b.clickOn(text)
					b.wantAnswer(id, want)
				})
			}
		}
	}
}

// APR-30: the click that brings the window to the front answers nothing,
// neither does a double click, another button, or a click anywhere else.
func TestClicksThatAnswerNothing(t *testing.T) {
	for name, f := range map[string]func(b *bench){
		"comes to the front":   func(b *bench) { b.send(tea.BlurMsg{}); b.send(tea.FocusMsg{}); b.clickOn("once") },
		"focus is told later":  func(b *bench) { b.send(tea.BlurMsg{}); b.settle(); b.clickOn("once"); b.send(tea.FocusMsg{}) },
		"a double click":       func(b *bench) { b.clickOn("asked by"); b.clickOn("once") },
		"the other button":     func(b *bench) { b.send(tea.MouseClickMsg{X: 3, Y: 22, Button: tea.MouseRight}) },
		"with a modifier":      func(b *bench) { b.send(tea.MouseClickMsg{X: 3, Y: 22, Button: tea.MouseLeft, Mod: tea.ModCtrl}) },
		"a draft":              func(b *bench) { b.typing("no, wait"); b.settle(); b.clickOn("once") },
		"what is off":          func(b *bench) { b.ask(edit(300)); b.key("ctrl+n"); b.settle(); b.clickOn("session") },
		"a hint":               func(b *bench) { b.clickOn("comment") },
		"the wheel":            func(b *bench) { b.send(tea.MouseWheelMsg{X: 3, Y: 22, Button: tea.MouseWheelDown}) },
		"letting go":           func(b *bench) { b.send(tea.MouseReleaseMsg{X: 3, Y: 22, Button: tea.MouseLeft}) },
		"a sheet lies over it": func(b *bench) { b.key("?"); b.settle(); b.everyClick() },
		"the line of a":        func(b *bench) { b.key("a"); b.settle(); b.everyClick() },
		"the line of tab":      func(b *bench) { b.key("tab"); b.settle(); b.everyClick() },
		"too small":            func(b *bench) { b.send(tea.WindowSizeMsg{Width: 20, Height: 5}); b.settle(); b.everyClick() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, withMouse, func(b *bench) {
				b.send(tea.FocusMsg{})
				id := b.ask(command("make test"))
				b.settle()
				f(b)
				b.wantWaiting(id)
				if len(b.answers) > 0 {
					t.Errorf("answered: %v", b.answers)
				}
			})
		})
	}
	bubble(t, Options{}, func(b *bench) { // the mouse is off
		id := b.ask(command("make test"))
		b.send(tea.FocusMsg{})
		b.settle()
		b.everyClick()
		b.wantWaiting(id)
		if b.View().MouseMode != tea.MouseModeNone {
			t.Error("the mouse is taken")
		}
	})
}

// everyClick clicks on every cell.
func (b *bench) everyClick() {
	for y := range b.height {
		for x := 0; x < b.width; x += 3 {
			b.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
			b.wait(repeatGap)
		}
	}
}

// A terminal that hasn't told of the focus may send the click that brings the
// window to the front: the first one only asks for another.
func TestClickWithoutFocusEvents(t *testing.T) {
	bubble(t, withMouse, func(b *bench) {
		id := b.ask(command("make test"))
		b.settle()
		b.clickOn("once")
		b.wantWaiting(id)
		b.wantText("click once more")
		b.settle()
		b.clickOn("n no")
		b.wantWaiting(id)
		b.settle()
		b.clickOn("n no")
		b.wantAnswer(id, gate.Answer{Decision: gate.Refuse})
	})
}

// Options of questions and plans are taken by a click too; where several may
// be chosen it toggles.
func TestClickOnOptions(t *testing.T) {
	bubble(t, withMouse, func(b *bench) {
		b.send(tea.FocusMsg{})
		id := b.question(choice)
		b.settle()
		b.clickOn("2 ")
		b.wantReply(id, prompts.Answer{Text: choice.Options[1].Label, Selected: []string{choice.Options[1].Label}}, nil)
		id = b.question(several())
		b.settle()
		b.clickOn("2 ")
		if w := b.queue.find(id); w == nil || !w.chosen[1] {
			t.Errorf("not chosen\n%s", b.text())
		}
	})
}
