package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
)

func TestTellApart(t *testing.T) { // BEY-01
	all := []string{"~/old/shop", "~/new/shop", "/srv/api", "~/w/x/shop2"}
	for path, want := range map[string]string{
		"~/old/shop": "old/shop", "~/new/shop": "new/shop", "/srv/api": "api", "~/w/x/shop2": "shop2",
		"/a/old/shop": "/a/old/shop", "/": "/", "": "",
	} {
		if got := TellApart(path, all); got != want {
			t.Errorf("%q is told apart as %q, not %q", path, got, want)
		}
	}
}

// At the desk one sees who waits, and where: on a screen of the common width
// too, in the header, in the list of what waits and in the lines above (BEY-01).
func TestWhoWaitsWhere(t *testing.T) {
	for _, width := range []int{80, 120} {
		bubble(t, Options{Several: true, Agent: "desk"}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: width, Height: 30})
			root := "~/a-folder-with-a-long-name/and-one-more-below-it/of-which-there-are-many/"
			for _, tree := range []string{"fix", "main"} {
				b.asks(&Client{Agent: "claude", Workspace: root + tree + "/shop"}, command("make "+tree))
			}
			b.send(ToolCall{ID: "1", Kind: "claude", Place: "fix/shop", Title: "ls", Status: ToolDone, Verdict: &gate.Verdict{Effect: gate.Allow}})
			b.settle()
			rows := strings.Split(b.text(), "\n")
			if !strings.Contains(rows[0], "claude · ") || !strings.Contains(rows[0], "/fix/shop") {
				t.Errorf("%d columns, header: %s", width, rows[0])
			}
			text := b.text()
			for _, want := range []string{"▸ claude · fix/shop", "claude · main/shop", "✓ claude · fix/shop ls"} {
				if width == 120 && strings.HasPrefix(want, "▸") {
					want = "claude · fix/shop"
				}
				if !strings.Contains(text, want) {
					t.Errorf("%d columns: no %q in\n%s", width, want, text)
				}
			}
		})
	}
}

// What Ctrl+C does is said as it is: others aren't refused (APR-30).
func TestHelpOfSeveral(t *testing.T) {
	for several, want := range map[bool]string{true: "else refuse what this agent asks", false: "else refuse everything"} {
		for _, s := range []screen{requestScreen, questionScreen, planScreen} {
			said := ""
			for _, b := range newKeymap(Options{Several: several})[s] {
				if b.name == "cancel" {
					said = b.help
				}
			}
			if !strings.Contains(said, want) {
				t.Errorf("several %t, screen %v: %q", several, s, said)
			}
		}
	}
}
