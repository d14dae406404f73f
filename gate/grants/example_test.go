package grants_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/grants"
)

// A grant that is saved in one session holds in the next, until a person
// forgets it.
func Example() {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(home)
	saved, err := grants.Open(filepath.Join(home, "approval-cache.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	docs := gate.GrantTarget{Kind: gate.GrantFolder, Path: "/srv/docs", Tier: gate.Read}
	if err := saved.Grant(gate.Grant{GrantTarget: docs, Saved: true}); err != nil {
		fmt.Println(err)
	}

	read := gate.Request{
		Tool: "read", Targets: []string{"/srv/docs/plan.md"}, Declared: gate.Declaration{Tier: gate.Read},
		GrantTargets: []gate.GrantTarget{{Kind: gate.GrantFile, Path: "/srv/docs/plan.md", Tier: gate.Read}},
	}
	later, err := gate.New(gate.Options{Workspace: home, Mode: gate.AlwaysAskCached, Grants: saved})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(later.Decide(context.Background(), read).Effect)

	n, err := saved.Forget()
	fmt.Println(n, "forgotten,", err)
	fmt.Println(later.Decide(context.Background(), read).Effect)
	// Output:
	// allow
	// 1 forgotten, <nil>
	// deny
}
