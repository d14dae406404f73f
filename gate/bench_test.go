package gate

import (
	"fmt"
	"testing"
)

// BenchmarkDecide measures one decision without a person, by the number of
// rules. Words, globs, hosts and paths are mixed.
func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		var p Policy
		for i := range n {
			text := []string{"shell(tool%d run)", "shell(tool%d *)", "web(host%d.example.com)", "write(dir%d/**)"}[i%4]
			if err := p.AddRule(Allow, fmt.Sprintf(text, i), Source{}); err != nil {
				b.Fatal(err)
			}
		}
		g, err := New(Options{Workspace: "/w", Home: "/home/u", Policy: p, Mode: AcceptEdits})
		if err != nil {
			b.Fatal(err)
		}
		for name, req := range map[string]Request{
			"read": tool("grep", Declaration{Tier: Read}), "edit": edit("src/a.go"), "fetch": fetch("other.test"), "command": shellRun("git status"),
		} {
			b.Run(fmt.Sprintf("%s/rules=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					g.Check(b.Context(), req)
				}
			})
		}
	}
}
