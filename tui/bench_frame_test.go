package tui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// large is a screen with a diff of 10,000 lines waiting and a long transcript.
func large() *Model {
	m := New(Options{})
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	for range 2000 {
		m.Update(AgentSaid{"Some words with `code`.\n"})
		m.Update(ToolCall{Kind: "bash", Title: "ls", Status: ToolDone, Verdict: &gate.Verdict{Cause: "mode-default"}})
	}
	waitingFor(m, edit(10000))
	m.queue.current().full = true
	m.refresh()
	m.queue.current().scroll(5000)
	return m
}

// P14: a frame and a key take a few milliseconds at most.
func BenchmarkFrame(b *testing.B) {
	m := large()
	for b.Loop() {
		m.View()
	}
}

func BenchmarkKey(b *testing.B) {
	m := large()
	keys := []tea.KeyPressMsg{press("j"), press("k")}
	i := 0
	for b.Loop() {
		m.Update(keys[i%2])
		m.View()
		i++
	}
}

// A question with thousands of options: highlighting another one takes as long
// as drawing each of them once.
func BenchmarkManyOptions(b *testing.B) {
	q := prompts.Question{Text: "Which one?"}
	for i := range 2000 {
		q.Options = append(q.Options, prompts.Option{Label: fmt.Sprint("option ", i), Preview: "one\ntwo"})
	}
	m := New(Options{})
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	m.Update(Question{ID: 1, Question: q})
	keys := []tea.KeyPressMsg{press("down"), press("up")}
	i := 0
	for b.Loop() {
		m.Update(keys[i%2])
		m.View()
		i++
	}
}
