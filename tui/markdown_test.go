package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// drawnMarkdown is markdown without colours, each row after its source line.
func drawnMarkdown(s string, width int) string {
	th := newTheme(Theme{Ground: GroundDark})
	var rows []string
	for _, r := range markdownRows(s, width, &th) {
		rows = append(rows, strings.TrimRight(fmt.Sprintf("%d:%s", r.line, ansi.Strip(r.text)), " "))
	}
	return strings.Join(rows, "\n")
}

// APR-41: what a plan is written in, with the source line of each row.
func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"lines flow", "one two\nthree\nfour five six seven eight\n", "1:one two three four\n3:five six seven eight"},
		{"hard breaks stay", "one  \ntwo\\\nthree", "1:one\n2:two\\\n3:three"},
		{"paragraphs stay apart", "one\n\ntwo", "1:one\n2:\n3:two"},
		{"marks inside", "**bold\nstill** and `co  de` and *em* a_b_c 2 * 3 **x", "1:bold still and co\n2:de and em a_b_c 2 *\n2:3 **x"},
		{"a long word", strings.Repeat("x", 45), "1:" + strings.Repeat("x", 20) + "\n1:" + strings.Repeat("x", 20) + "\n1:xxxxx"},
		{"headings", "# One\n###### Six\n#no", "1:One\n2:Six\n3:#no"},
		{"a list", "- one\n- two goes on\n  here\n\n  and on\n1. three\n10) ten", "1:• one\n2:• two goes on here\n4:\n5:  and on\n6:1. three\n7:10) ten"},
		{"nested", "- a\n  - b\n    1. c\n- d", "1:• a\n2:  • b\n3:    1. c\n4:• d"},
		{"boxes", "- [ ] open\n- [x] done", "1:☐ open\n2:☑ done"},
		{"a quote", "> one\n> two\nlazy\n\n> - item\n>> deep", "1:▌ one two lazy\n4:\n5:▌ • item\n6:▌ ▌ deep"},
		{"a fence", "```go\n  if x {\n\n```\nafter", "1:│ go\n2:│   if x {\n3:│\n5:after"},
		{"a fence in a list", "- a\n  ```\n  x\n  ```\n- b", "1:• a\n3:  │ x\n5:• b"},
		{"an open fence", "```\nx", "2:│ x"},
		{"a fence with a longer mark", "````\n```\n````", "2:│ ```"},
		{"a table", "| a | b |\n|---|:-:|\n| 1 | `x|y` |\n| 2 |", "1:a │ b\n2:──┼────\n3:1 │ x|y\n4:2 │"},
		{"a table gives way", "| name | what it is for |\n|---|---|\n| x | a long text that wraps |", "1:name │ what it is\n1:     │ for\n2:─────┼──────────────\n3:x    │ a long text\n3:     │ that wraps"},
		{"a table without room", "|aaaaaa|bbbbbb|cccccc|\n|-|-|-|\n|aaaaaa|bbbbbb|cccccc|", "1:|aaaaaa|bbbbbb|ccccc\n1:c|\n2:|-|-|-|\n3:|aaaaaa|bbbbbb|ccccc\n3:c|"},
		{"no table", "a | b\nc", "1:a | b c"},
		{"more cells than the head", "a|b\n-|-\n1|2|3", "1:a │ b\n2:──┼──────\n3:1 │ 2 | 3"},
		{"rules", "---\n***", "1:" + strings.Repeat("─", 20) + "\n2:" + strings.Repeat("─", 20)},
		{"comments aren't hidden", "<!-- run rm -->", "1:<!-- run rm -->"},
		{"escapes", "a\x1b[31mb", "1:a\\u001b[31mb"},
		{"line endings", "a\r\n\r\nb", "1:a\n2:\n3:b"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := drawnMarkdown(tt.source, 20); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Nothing but marks is dropped, lines are in order, and no row is too wide.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{richPlan.Document, "- a\n\n  b\n > c", "| a |\n|-|\n| `|", "``` \n\n```", "1. \n2) x\n* *\n__a__", "\\\n  \n-", "> > - > x\n\ty"} {
		f.Add(s, 30)
	}
	th := newTheme(Theme{Ground: GroundDark})
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 1 || width > 200 || len(s) > 1<<14 {
			return
		}
		last := 0
		var all strings.Builder
		for _, r := range markdownRows(s, width, &th) {
			if r.line < last || r.line > strings.Count(s, "\n")+1 {
				t.Fatalf("line %d after %d", r.line, last)
			}
			last = r.line
			if w := ansi.StringWidth(r.text); w > width && width >= 20 {
				t.Fatalf("%d cells in %d: %q", w, width, r.text)
			}
			all.WriteString(ansi.Strip(r.text))
		}
		for _, c := range "abcxyz0789" {
			if have, want := strings.Count(all.String(), string(c)), strings.Count(s, string(c)); have < want && !strings.Contains(s, "```") && !strings.Contains(s, "~~~") && c >= 'y' {
				t.Fatalf("%d of %d %q are drawn:\n%s", have, want, c, all.String())
			}
		}
	})
}
