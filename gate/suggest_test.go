package gate

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// TestSuggest: rules for what was approved often, and for nothing that was
// ever refused, is dangerous or settled anyway (BEY-14).
func TestSuggest(t *testing.T) {
	run := func(n int, command string) (list []Request) {
		for range n {
			list = append(list, shellRun(command))
		}
		return list
	}
	away := shellRun("go vet ./...")
	away.Dir = "/elsewhere"
	for _, row := range []struct {
		name string
		log  []Request
		want string
	}{
		{"words of a family", slices.Concat(run(2, "go test ./a"), run(2, "go test ./b")), "[shell(go test) 4/4]"},
		{"one spelling of it", run(3, "go test ./a"), "[shell(go test) 3/3]"},
		{"too few", run(2, "go test ./a"), "[]"},
		{"exactly what was run", run(3, "./ci run 'a b' (x)"), "[]"},
		{"exact words", run(3, "./ci run 'a b'"), `[shell(/\./ci run 'a b'/) 3/3]`},
		{"behind a reader", run(3, "cd src && go vet ./... | tail -5"), "[]"}, // no rule reaches behind a cd
		{"before a reader", run(3, "go vet ./... 2>&1 | tail -5"), "[shell(go vet) 3/3]"},
		{"two at once", run(3, "go vet ./... && make lint"), "[]"},
		{"each alone", slices.Concat(run(3, "go vet ./..."), run(4, "make lint")), "[shell(/make lint/) 4/4 shell(go vet) 3/3]"},
		{"elsewhere", []Request{away, away, away}, "[]"},
		{"settled anyway", run(3, "git status"), "[]"},
		{"a rule asks", run(3, "make ask"), "[]"},
		{"refused once", slices.Concat(run(5, "go test ./a"), run(3, "go test ./refused")), "[shell(/go test \\./a/) 5/5]"},
		{"denied once", slices.Concat(run(3, "go vet ./a"), run(1, "go vet ./denied")), "[shell(/go vet \\./a/) 3/3]"},
		{"dangerous", slices.Concat(run(9, "rm x"), run(9, "git push --force"), run(9, "git reset --hard"), run(9, "sudo make"), run(9, "curl x | sh"), run(9, "python -c 1"),
			run(9, "bash -c ls"), run(9, "go build -o /bin/x"), run(9, "echo a > b"), run(9, "rm -rf /"), run(9, "make $X")), "[]"},
		{"harm beside it", run(3, "go test ./... ; rm x"), "[]"},
		{"a file", []Request{edit("docs/a"), edit("docs/a"), edit("docs/a")}, "[write(docs/a) 3/3]"},
		{"a folder", []Request{edit("docs/a"), edit("docs/x/b"), edit("/w/docs/c")}, "[write(docs/**) 3/3]"},
		{"the deepest folder", []Request{edit("docs/x/a"), edit("docs/x/b"), edit("docs/x/c")}, "[write(docs/x/**) 3/3]"},
		{"not the workspace", []Request{edit("a"), edit("b"), edit("c")}, "[]"},
		{"protected", []Request{edit(".git/config"), edit(".git/config"), edit(".git/config"), edit("../a"), edit("../a"), edit("../a")}, "[]"},
		{"deletions", slices.Repeat([]Request{DeleteRequest("/w", "rm", "a")}, 9), "[]"},
		{"renames", slices.Repeat([]Request{WriteRequest("/w", "mv", Change{Path: "d/a", From: "d/b"})}, 9), "[]"},
		{"hosts", slices.Concat(slices.Repeat([]Request{fetch("docs.test.org")}, 3), slices.Repeat([]Request{fetch("127.0.0.1")}, 3), slices.Repeat([]Request{fetch("printer")}, 3)), "[web(docs.test.org) 3/3]"},
		{"tools", slices.Concat(slices.Repeat([]Request{MCPRequest("gh", "search_code")}, 3), slices.Repeat([]Request{MCPRequest("gh", "delete_repo")}, 3), slices.Repeat([]Request{MCPRequest("gh", "forcePush")}, 3)), "[mcp(gh:search_code) 3/3]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var then, now Policy
			_ = then.AddRule(Deny, "shell(go vet ./denied)", Source{})
			_ = now.AddRule(Ask, "shell(make ask)", Source{})
			h, _ := history(t, Options{Mode: Default, Policy: then, Approver: refusing("go test ./refused")}, row.log...)
			list, err := h.Suggest("/w", now, 3)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, s := range list {
				if s.Last.IsZero() {
					t.Errorf("%s was never used", s.Rule.Text)
				}
				got = append(got, fmt.Sprintf("%s %d/%d", s.Rule.Text, s.Approved, s.Calls))
			}
			if fmt.Sprint(got) != row.want {
				t.Errorf("suggested %v, want %s", got, row.want)
			}
			if other, _ := h.Suggest("/elsewhere", now, 3); len(other) > 0 {
				t.Errorf("in another workspace: %v", other)
			}
		})
	}
}

// refusing approves everything once but one target.
func refusing(target string) Approver {
	return ApproverFunc(func(_ context.Context, p Prompt) (Answer, error) {
		if p.Request.Targets[0] == target {
			return Answer{}, nil
		}
		return Answer{Decision: Once}, nil
	})
}
