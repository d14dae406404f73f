package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

// The header says whether a sandbox is around the agent (TAM-05), and the end of
// its folder, which tells it from others.
func TestHeaderSaysWhatGuards(t *testing.T) {
	const long = "~/jobs/customers/a-company-with-a-long-name/services/shop"
	for _, c := range []struct {
		name         string
		opts         Options
		width        int
		want, absent string
	}{
		{"none", Options{}, 80, "no sandbox", "✓"},
		{"one", Options{Sandbox: "landlock"}, 80, "landlock ✓", "no sandbox"},
		{"several agents", Options{Several: true}, 80, "0 agents", "no sandbox"},
		{"yolo", Options{Mode: gate.Yolo}, 80, "yolo · no sandbox", "no sandbox   no sandbox"},
		{"yolo in one", Options{Mode: gate.Yolo, Sandbox: "landlock"}, 80, "landlock ✓", "no sandbox"},
		{"narrow", Options{Agent: "opencode", Workspace: "~/src/shop"}, 40, "~/src/shop", "no sandbox"},
		{"long folder", Options{Agent: "opencode", Workspace: long}, 80, "/services/shop ", "~/work"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, c.opts, func(b *bench) {
				b.send(tea.WindowSizeMsg{Width: c.width, Height: 24})
				top := strings.Split(b.text(), "\n")[0]
				if !strings.Contains(top, c.want) || strings.Contains(top, c.absent) {
					t.Errorf("the header is %q; it should have %q, not %q", top, c.want, c.absent)
				}
			})
		})
	}
}
