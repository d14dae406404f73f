package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
)

func longChange() gate.Change {
	return gate.Change{Path: "/w/a.go", Before: []byte("package a\n"), After: []byte("package a\n\nvar s = \"" + strings.Repeat("abc", 100) + "end\"\n")}
}

func editOf(c gate.Change) gate.Prompt {
	return gate.Prompt{
		Request: gate.Request{Kind: gate.WriteFile, Tool: "edit", Targets: []string{c.Path}, Diff: []gate.Change{c}},
		Verdict: gate.Verdict{Effect: gate.Ask, Offers: []gate.Decision{gate.Once}},
	}
}

// Long lines are folded, cut, or scrolled, as the person likes.
func TestLongLinesFoldCutAndScroll_APR30(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		b.ask(editOf(longChange()))
		see := func(what string, want bool) {
			t.Helper()
			if got := strings.Contains(b.text(), what); got != want {
				t.Errorf("%q is on the screen: %v\n%s", what, got, b.text())
			}
		}
		see(`end"`, true)
		b.key("z")
		see(`end"`, false)
		see("…+", true)
		b.key(strings.Split(strings.Repeat(">", 30), "")...)
		see(`end"`, true)
		see("var s", false)
		b.key(strings.Split(strings.Repeat("<", 30), "")...)
		see("var s", true)
		b.key("z")
		see(`end"`, true)
		see("…+", false)
	})
}

// What is cut was not read: approving shows it first (BEY-03).
func TestCutLinesAreNotRead_BEY03(t *testing.T) {
	bubble(t, Options{}, func(b *bench) {
		c := longChange()
		c.After = append(c.After, []byte(strings.Repeat("more\n", 60))...)
		id := b.ask(editOf(c))
		b.key("z")
		b.settle()
		for range 20 {
			b.key("pgdown")
			b.settle() // each page is seen
		}
		if n := b.queue.current().seen; n > 0 {
			t.Errorf("%d cut rows count as read", n)
		}
		b.key("y")
		b.wantWaiting(id)
		if w := b.queue.current(); w.cut || !w.asked {
			t.Errorf("cut %v, shown whole %v", w.cut, w.asked)
		}
	})
}

// Code is drawn at once, and in colours when they are there; nothing else of
// the screen changes, least of all whether it can be answered.
func TestCodeIsColouredLater_APR30(t *testing.T) {
	m := New(Options{Theme: Theme{Ground: GroundDark}})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.Update(Approval{ID: 1, Prompt: editOf(longChange())})
	if m.coloring() != nil {
		t.Error("there is nothing to colour before the diff is there")
	}
	w := m.queue.current()
	w.diffs, w.ready = compute([]gate.Change{longChange()}), true
	m.refresh()
	color := m.coloring()
	if color == nil || m.coloring() != nil {
		t.Fatal("what is on the screen is to be coloured once")
	}
	before, frame := m.View().Content, m.frame
	m.Update(color())
	after := m.View().Content
	if before == after {
		t.Error("no colours came")
	}
	if ansi.Strip(before) != ansi.Strip(after) || m.frame != frame {
		t.Error("more than colours changed")
	}
}

// Where arrows answer, the request stands in one row: the hunk that is jumped
// to is on another row of the full screen.
func TestJumpFromTheSummary(t *testing.T) {
	bubble(t, Options{AnswerKeys: AnswerList}, func(b *bench) {
		p := pagerEdit()
		p.Request.Editable = true
		b.ask(p)
		b.settle()
		b.wantNoText("return p.total")
		b.key("alt+down")
		b.wantText("return p.total / p.size")
		if w := b.queue.current(); w.hunk != 0 || w.body.hunks[0] < w.offset || w.body.hunks[0] >= w.end() {
			t.Errorf("hunk %d of the rows %v is marked, %d to %d are shown", w.hunk, w.body.hunks, w.offset, w.end())
		}
	})
}
