package gate_test

import (
	"context"
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
)

// Embed the gate in an agent: one gate per workspace, one Decide per action.
func Example() {
	var policy gate.Policy
	_ = policy.AddRule(gate.Allow, "shell(go test)", gate.Source{Layer: "flag"})
	_ = policy.AddRule(gate.Deny, "shell(git push --force)", gate.Source{Layer: "flag"})

	// A real agent gives a screen here, such as tui.NewConsole.
	person := gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		fmt.Println("asked about", p.Request.Targets[0])
		return p.Answer(gate.Once), nil
	})
	g, err := gate.New(gate.Options{Workspace: "/srv/shop", Policy: policy, Mode: gate.Default, Approver: person})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, command := range []string{"go test ./...", "git push --force", "make"} {
		v := g.Decide(context.Background(), gate.CommandRequest("/srv/shop", "bash", command))
		fmt.Println(v.Effect, command, "·", v.Cause)
	}
	// Output:
	// allow go test ./... · rule-allow
	// deny git push --force · rule-deny
	// asked about make
	// allow make · user-once
}

// A person may run another command than the one that was asked for, when the
// agent says that it can take that: run what the verdict holds.
func ExampleEdit() {
	person := gate.ApproverFunc(func(_ context.Context, p gate.Prompt) (gate.Answer, error) {
		shown, err := p.Revise(gate.Edit{Command: "go test ./pager"}) // a screen shows this before it asks again
		if err != nil {
			return gate.Answer{}, err
		}
		fmt.Println("shown", shown.Request.Targets[0])
		return shown.Answer(gate.Once), nil
	})
	g, err := gate.New(gate.Options{Workspace: "/srv/shop", Mode: gate.Default, Approver: person})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := gate.CommandRequest("/srv/shop", "bash", "go test ./...")
	req.Editable = true
	v := g.Decide(context.Background(), req)
	fmt.Println(v.Effect, v.Request.Targets[0])
	fmt.Println(v.Message)
	// Output:
	// shown go test ./pager
	// allow go test ./pager
	// the user approved another command in place of "go test ./...": "go test ./pager"
}

// Widths are the rules to choose from when an approval shall last.
func ExampleGate_Widths() {
	person := gate.ApproverFunc(func(context.Context, gate.Prompt) (gate.Answer, error) { return gate.Answer{}, nil })
	g, err := gate.New(gate.Options{Workspace: "/srv/shop", Mode: gate.Default, Approver: person})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range g.Widths(gate.CommandRequest("/srv/shop", "bash", "go test ./pager")) {
		fmt.Println(w.Rule, "·", w.Label)
	}
	// Output:
	// shell(/go test \./pager/) · exactly this command
	// shell(go test ./pager *) · go test ./pager, whatever follows
	// shell(go test *) · go test, whatever follows
}

// CheckRule says how a rule is read before it is saved.
func ExampleCheckRule() {
	r, err := gate.CheckRule(gate.Allow, "shell(git *)", "git log > out.txt", "/srv/shop", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Kind, r.Match, *r.Applies)
	fmt.Println(r.Note)
	// Output:
	// shell glob false
	// a redirection to a file asks, whatever a rule allows
}
