package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/prompts"
)

// BEY-03, APR-40: whatever the size, the highlighted option is on the screen,
// and each word of the question and of its options can be brought onto it.
func TestOptionsAreReadWhole(t *testing.T) {
	t.Parallel()
	var words []string
	text := func(name string, n int) string {
		var s []string
		for i := range n {
			s = append(s, fmt.Sprintf("%s%03d", name, i))
		}
		words = append(words, s...)
		return strings.Join(s, " ")
	}
	q := prompts.Question{Text: text("q", 30)}
	for i := range 12 {
		q.Options = append(q.Options, prompts.Option{Label: text(fmt.Sprintf("l%x", i), 1+40*(i%3)), Description: text(fmt.Sprintf("d%x", i), 30*(i%2))})
	}
	for _, size := range [][2]int{{30, 8}, {40, 10}, {80, 24}, {120, 40}} {
		bubble(t, Options{}, func(b *bench) {
			b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			b.question(q)
			seen := ""
			for i := range len(q.Options) + 1 {
				if n := strings.Count("\n"+b.text(), "\n▸ "); n != 1 {
					t.Fatalf("%v: option %d, %d highlighted (P05)\n%s", size, i, n, b.text())
				}
				for range 400 {
					before := b.text()
					seen += before
					if b.key("pgdown"); b.text() == before {
						break
					}
				}
				b.key("down")
			}
			for _, word := range words {
				if !strings.Contains(seen, word) {
					t.Errorf("%v: %s is never shown (P04)\n%s", size, word, b.text())
					break
				}
			}
		})
	}
}
