//go:build unix

package permissionhook_test

import (
	"context"
	"fmt"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/permissionhook"
	"github.com/blitz-approve/blitz-approve/gate"
)

// A hook that refuses everything that deploys and leaves the rest to others.
func Example() {
	hook := permissionhook.New(permissionhook.Options{
		Name:    "freeze",
		Command: `grep -q deploy && echo '{"decision":"deny","reason":"no deployments before Monday"}'; exit 0`,
	})
	g, err := gate.New(gate.Options{Workspace: "/srv/shop", Mode: gate.Default, Hooks: []gate.Hook{hook}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, command := range []string{"make deploy", "make test"} {
		v := g.Decide(context.Background(), gate.CommandRequest("/srv/shop", "bash", command))
		fmt.Println(command, "·", v.Cause)
	}
	// Output:
	// make deploy · hook-deny
	// make test · no-approver
}
