package gate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A tool declares what it does: the same for each call, or by its arguments.
func ExampleTool() {
	type query struct{ Action, Table string }
	database := gate.Tool[query]{
		Name: "database",
		ApprovalFor: func(q query) gate.Declaration {
			if q.Action == "select" {
				return gate.Declaration{Tier: gate.Read}
			}
			return gate.Declaration{Tier: gate.Write, Override: q.Action == "drop", Reason: "it changes " + q.Table}
		},
		Details: func(q query) []gate.Field { return []gate.Field{{Label: "table", Value: q.Table}} },
	}
	g, err := gate.New(gate.Options{Workspace: "/srv/shop", Mode: gate.WriteMode})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range []query{{"select", "orders"}, {"insert", "orders"}, {"drop", "orders"}} {
		v := g.Decide(context.Background(), database.Request("/srv/shop", q))
		fmt.Println(q.Action, v.Effect, v.Request.Declared.Tier, v.Cause)
	}
	// Output:
	// select allow read mode-write
	// insert allow write mode-write
	// drop deny write no-approver
}

// TestTool: a tool that says nothing, or nonsense, is exec, and what it can't
// show is approved once at most (TAM-01, TAM-19, TAM-26).
func TestTool(t *testing.T) {
	type args struct{ Path string }
	fault := func() { panic("broken") }
	for name, row := range map[string]struct {
		tool gate.Tool[args]
		want string
	}{
		"nothing":           {gate.Tool[args]{Name: "t"}, `exec [] {"Path":"a"} false `},
		"static":            {gate.Tool[args]{Name: "t", Approval: gate.Declaration{Tier: gate.Read}}, `read [] {"Path":"a"} false `},
		"nonsense":          {gate.Tool[args]{Name: "t", Approval: gate.Declaration{Tier: 9, Policy: "perhaps"}}, `exec [] {"Path":"a"} false `},
		"by the arguments":  {gate.Tool[args]{Name: "t", Approval: gate.Declaration{Tier: gate.Read}, ApprovalFor: func(a args) gate.Declaration { return gate.Declaration{Tier: gate.Write} }}, `write [] {"Path":"a"} false `},
		"panics":            {gate.Tool[args]{Name: "t", Approval: gate.Declaration{Tier: gate.Read}, ApprovalFor: func(args) gate.Declaration { fault(); return gate.Declaration{} }}, `exec [] {"Path":"a"} true `},
		"targets panic":     {gate.Tool[args]{Name: "t", Kind: gate.WriteFile, Targets: func(args) []string { fault(); return nil }}, `exec [] {"Path":"a"} true write:/w`},
		"details panic":     {gate.Tool[args]{Name: "t", Details: func(args) []gate.Field { fault(); return nil }}, `exec [] {"Path":"a"} true `},
		"a kind has a key":  {gate.Tool[args]{Name: "t", Kind: gate.RunCommand, Targets: func(a args) []string { return []string{"cat " + a.Path} }}, "exec [cat a] {\"Path\":\"a\"} false cmd:/w\x00cat a"},
		"MCP tools write":   {gate.Tool[args]{Name: "t", Kind: gate.MCPTool, Server: "s", Approval: gate.Declaration{Tier: gate.Read}}, `write [s:t] {"Path":"a"} false mcp:s:t`},
		"a host has a key":  {gate.Tool[args]{Name: "t", Kind: gate.Network, Targets: func(args) []string { return []string{"https://Example.com/x"} }}, `exec [https://Example.com/x] {"Path":"a"} false web:example.com`},
		"grants are looked": {gate.Tool[args]{Name: "t", GrantTargets: func(a args) []gate.GrantTarget { return []gate.GrantTarget{{Kind: gate.GrantFile, Path: a.Path}} }}, `exec [] {"Path":"a"} false `},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := gate.New(gate.Options{Workspace: "/w", Mode: gate.Default})
			if err != nil {
				t.Fatal(err)
			}
			flat := strings.NewReplacer("\n", "", "  ", "", ": ", ":")
			req := row.tool.Request("/w", args{"a"})
			v := g.Check(t.Context(), req)
			r := v.Request
			if got := fmt.Sprintf("%v %v %v %v %v", r.Declared.Tier, r.Targets, flat.Replace(r.Detail), r.Unrevealed, r.Key); got != row.want {
				t.Errorf("got  %q\nwant %q", got, row.want)
			}
			if name == "grants are looked" && (len(r.GrantTargets) != 1 || r.GrantTargets[0].Path != "a") {
				t.Errorf("grant targets %v", r.GrantTargets)
			}
		})
	}
	odd := gate.Tool[func()]{Name: "t"}
	if r := odd.Request("/w", nil); !r.Unrevealed {
		t.Error("arguments that can't be shown count as shown")
	}
}
