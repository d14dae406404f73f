package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// dense are texts of a megabyte that have as much to draw as there can be.
var dense = map[string]string{
	"code":    repeated("`a` "),
	"open":    repeated("`a *b _c "),
	"strong":  repeated("**a** "),
	"stars":   repeated("*a"),
	"ticks":   repeated("``` x ` "),
	"lines":   repeated("- `a` *b*\n"),
	"quotes":  repeated("> > - a\n"),
	"items":   repeated("- a\n\n"),
	"table":   "|a|b|\n|-|-|\n" + repeated("|`a`|*b*|\n"),
	"columns": repeated("|a") + "\n" + repeated("|-"),
	"heads":   repeated("# a\n"),
	"escapes": repeated("\x1b"),
	"word":    repeated("x"),
	"nested":  repeated("> "),
	"blanks":  repeated(" ") + "x",
}

func repeated(s string) string { return strings.Repeat(s, 1<<20/len(s)) }

// P14: text of a megabyte is drawn in a time that grows with it, no faster.
func BenchmarkDense(b *testing.B) {
	th := newTheme(Theme{})
	for name, s := range dense {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				markdownRows(s, 76, &th)
			}
		})
	}
}

// A megabyte that arrives, and a key before it is laid out.
func BenchmarkDenseArrival(b *testing.B) {
	s := dense["items"]
	for name, msg := range map[string]tea.Msg{
		"plan":    Question{Question: prompts.Question{Text: "?", Document: s, Options: []prompts.Option{{Label: "yes"}}}},
		"text":    Question{Question: prompts.Question{Text: s}},
		"message": AgentSaid{s},
		"chunk":   AgentSaid{"x"},
	} {
		b.Run(name, func(b *testing.B) {
			m := New(Options{})
			m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			if name == "chunk" {
				takeAll(m, AgentSaid{dense["code"]})
			}
			for b.Loop() {
				m.Update(msg)
				m.Update(press("pgdown"))
				m.View()
				if name != "chunk" {
					m.queue, m.transcript = queue{}, transcript{}
				}
			}
		})
	}
}

// takeAll takes a message and lays out at once what comes later.
func takeAll(m *Model, msg tea.Msg) {
	m.route(msg)
	for m.refresh(); ; m.refresh() {
		if l := m.transcript.lay(&m.theme); l != nil {
			m.later(l)
		}
		if len(m.layings) == 0 {
			return
		}
		l := m.layings[0]
		m.layings = m.layings[1:]
		m.route(laidMsg{take: l()})
	}
}

// A key on a screen that shows a megabyte.
func BenchmarkDenseKey(b *testing.B) {
	for name, s := range map[string]string{"code": dense["code"], "lines": dense["lines"], "word": dense["word"]} {
		for asked, q := range map[string]prompts.Question{
			"plan":    {Text: "?", Document: s, Options: []prompts.Option{{Label: "yes"}}},
			"text":    {Text: s, Options: []prompts.Option{{Label: "a"}, {Label: "b"}}},
			"option":  {Text: "?", Options: []prompts.Option{{Label: s}, {Label: "b"}}},
			"preview": {Text: "?", Options: []prompts.Option{{Label: "a", Preview: s}, {Label: "b", Preview: "x"}}},
		} {
			b.Run(asked+"/"+name, func(b *testing.B) {
				m := New(Options{})
				m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
				takeAll(m, Question{ID: 1, Question: q})
				keys := []tea.KeyPressMsg{press("down"), press("up"), press("pgdown")}
				i := 0
				for b.Loop() {
					m.Update(keys[i%3])
					m.View()
					i++
				}
			})
		}
	}
}
