// Command blitz-approve stands between coding agents and this machine: what
// an agent wants to do passes one gate, and what rules and modes don't settle
// is put before a person.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/output"
	"github.com/blitz-approve/blitz-approve/gate/sandbox"
)

func main() {
	sandbox.Main() // the sandboxed child is this program too
	collectLate()
	os.Exit(run(os.Args[1:]))
}

// run is the program without its process; tests start it from their own.
func run(args []string) int {
	ctx, stop := untilSignal()
	defer stop()
	out := output.Watch(os.Stdout)
	cmd := rootCommand(out)
	cmd.SetArgs(bareWorkspace(cmd, args))
	err := cmd.ExecuteContext(ctx)
	if lost := out.Err(); !errors.Is(err, lost) {
		err = errors.Join(err, lost)
	}
	return exitCode(err)
}

// forRelease adds what is in no ordinary build.
var forRelease = func(root *cobra.Command) {}

// rootCommand is the program, whose commands print to out.
func rootCommand(out io.Writer) *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:   "blitz-approve",
		Short: "A gate between coding agents and your machine",
		Long: `blitz-approve hosts a coding agent and asks you before it edits or deletes
files, runs commands, reaches the network or calls MCP tools. Rules and modes
settle what they can; every decision is explained and logged.

Try it:  blitz-approve demo
Use it:  blitz-approve run gemini

Without a command it is the desk: one inbox for all agents on this machine.`,
		Args:          cobra.NoArgs,
		RunE:          f.spoken(func(cmd *cobra.Command, _ []string) error { return openDesk(cmd, &f) }),
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
	}
	root.SetOut(out)
	f.register(root.PersistentFlags())
	completeFlags(root)
	root.SetGlobalNormalizationFunc(otherNames)
	root.AddCommand(
		demoCommand(&f),
		runCommand(&f),
		acpCommand(&f),
		streamCommand(&f),
		mcpCommand(&f),
		hookCommand(&f),
		installHookCommand(&f),
		uninstallHookCommand(&f),
		checkCommand(&f),
		showCommand(&f),
		diffCommand(&f),
		approvalsCommand(&f),
		auditCommand(&f),
		rulesCommand(&f),
		grantsCommand(&f),
		modeCommand(&f),
		settingsCommand(&f),
		trustCommand(&f),
		whyCommand(&f),
		doctorCommand(&f),
	)
	forRelease(root)
	sayPlainly(root)
	helpOfUsed(root)
	return root
}
