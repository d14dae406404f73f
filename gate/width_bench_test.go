package gate

import (
	"fmt"
	"testing"
)

// What is offered is computed before a person sees the request: with a
// thousand rules it must not be noticed.
func BenchmarkWidths(b *testing.B) {
	var p Policy
	for i := range 1000 {
		if err := p.AddRule(Allow, fmt.Sprintf("shell(tool%d sub%d *)", i, i), Source{Layer: "global"}); err != nil {
			b.Fatal(err)
		}
	}
	g, err := New(Options{Workspace: "/w", Home: "/home/u", Mode: Default, Approver: always(Answer{}), Policy: p})
	if err != nil {
		b.Fatal(err)
	}
	req := CommandRequest("/w", "bash", "go test -run TestPages ./pager ./cart")
	for b.Loop() {
		if len(g.Widths(req)) != 6 {
			b.Fatal(g.Widths(req))
		}
	}
}
