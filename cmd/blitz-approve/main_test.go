//go:build unix

package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/blitz-approve/blitz-approve/gate/sandbox"
)

// TestMain makes this test's program also the programs that the scripts run.
func TestMain(m *testing.M) {
	sandbox.Main() // first: testscript knows only its own programs
	testscript.Main(shortPlace{m}, map[string]func(){
		"blitz-approve": func() { os.Exit(run(os.Args[1:])) },
		"fake-agent":    func() { os.Exit(fakeAgent(os.Args[1:])) },
	})
}

// A shortPlace runs the tests with their files in /tmp, wherever temporary files
// are: the name of a socket has room for some hundred bytes.
type shortPlace struct{ testscript.TestingM }

func (p shortPlace) Run() int {
	for name, value := range map[string]string{"TMPDIR": "/tmp", "GOTMPDIR": ""} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return p.TestingM.Run()
}

// TestScripts runs the whole program as people do. The commands that are not
// testscript's own are in script_test.go.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Cmds:                scriptCommands(),
		Setup:               setUpScript,
		RequireExplicitExec: true,
		Condition: func(name string) (bool, error) {
			if name == "hup" { // a hang-up ends programs here
				return !signal.Ignored(syscall.SIGHUP), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
	})
}

// setUpScript gives a script an empty workspace, and a home for the person
// and for the gate.
func setUpScript(env *testscript.Env) error {
	for name, folder := range map[string]string{"HOME": "user", "BLITZ_HOME": "gate", "SHOP": "shop"} {
		path := filepath.Join(env.WorkDir, folder)
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
		env.Setenv(name, path)
	}
	env.Setenv("TERM", "xterm-256color")
	env.Values[terminalKey{}] = &terminal{}
	return nil
}
