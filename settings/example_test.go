package settings_test

import (
	"fmt"
	"os"
	"path/filepath"

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

func ExampleAddRule() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "settings.toml")
	os.WriteFile(name, []byte("[permissions]\nallow = [\n    'shell(make)', # builds only\n]\n"), 0o600)
	if err := settings.AddRule(name, gate.Allow, "shell(go test)"); err != nil {
		panic(err)
	}
	text, _ := os.ReadFile(name)
	fmt.Print(string(text))
	fmt.Println(settings.AddRule(name, gate.Allow, "shel(ls)"))
	// Output:
	// [permissions]
	// allow = [
	//     'shell(make)', # builds only
	//     'shell(go test)',
	// ]
	// bad rule: "shel(ls)": unknown kind "shel"; the kinds are shell, write, delete, read, web, mcp, skill and agent
}

// A project's allow rule holds once the user trusts what they were shown.
func ExampleTrustStore() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	project := filepath.Join(dir, ".blitz")
	os.Mkdir(project, 0o700)
	os.WriteFile(filepath.Join(project, "settings.toml"), []byte("[permissions]\nallow = [\"shell(make)\"]\n"), 0o600)

	trust := settings.NewTrustStore(filepath.Join(dir, "home"))
	sources := settings.Sources{Home: filepath.Join(dir, "home"), Workspace: dir, Trusted: trust.Trusted}
	s, _ := settings.Load(sources)
	for _, f := range s.Untrusted {
		fmt.Println("waits:", settings.Loosening(f))
		if err := trust.Trust(f.Name, f.Content); err != nil {
			panic(err)
		}
	}
	s, _ = settings.Load(sources)
	fmt.Println("holds:", s.Rules[0].Effect, s.Rules[0].Value)
	// Output:
	// waits: [permissions.allow = shell(make)]
	// holds: allow shell(make)
}
