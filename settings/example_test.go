package settings_test

import (
	"fmt"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/settings"
)

func ExampleParse() {
	f, problems := settings.Parse("settings.toml", []byte(`
[permissions]
allow = ["shell(go test)"]
dney  = ["shell(rm)"]
`), settings.Global)
	for _, r := range f.Rules {
		fmt.Println(r.Effect, r.Value, r.Source)
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// allow shell(go test) settings.toml:3
	// deny  settings.toml:4
	// settings.toml:4:1: unknown key permissions.dney: did you mean deny?
}

func ExampleStartingMode() {
	s := &settings.Settings{}
	start, err := settings.StartingMode(s, gate.AlwaysAsk)
	fmt.Println(start.Mode, start.Source, err)
	// Output: auto built-in <nil>
}
