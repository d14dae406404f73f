//go:build unix

package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

const bareText = "one line"

// A bareModel is the least that a full-screen program can be.
type bareModel struct{}

func (bareModel) Init() tea.Cmd                         { return nil }
func (m bareModel) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (bareModel) View() tea.View {
	v := tea.NewView(bareText)
	v.AltScreen = true
	return v
}

func bareScreen() {
	if _, err := tea.NewProgram(bareModel{}).Run(); err != nil {
		os.Exit(1)
	}
}

// BenchmarkFirstFrame is the time from the start of the process to the first
// frame on a terminal: of the demo, and of the least program of the same
// libraries to compare with. Both are this test's program, so both start with
// the same packages linked.
func BenchmarkFirstFrame(b *testing.B) {
	for _, c := range []struct {
		name, text string
		program    []string
	}{
		{"bare", bareText, []string{"bare-screen"}},
		{"demo", "demo agent", []string{"blitz-approve", "demo"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				b.StopTimer()
				var t terminal
				if err := t.open(100, 30); err != nil {
					b.Fatal(err)
				}
				cmd := exec.Command(c.program[0], c.program[1:]...)
				home := b.TempDir()
				cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+home, "BLITZ_HOME="+home, "TMPDIR="+home)
				b.StartTimer()
				start := time.Now()
				if err := t.start(cmd); err != nil {
					b.Fatal(err)
				}
				err := t.until("the first frame", func(screen string) bool { return strings.Contains(screen, c.text) })
				took = append(took, time.Since(start))
				b.StopTimer()
				t.close()
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			// On a busy machine the mean says little.
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Microseconds())/1000, "min-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
		})
	}
}
