package tui_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// Embed the gate in your agent: the console is what asks the person. Here
// nobody is there to answer, and the end of the screen refuses.
func Example() {
	ctx, leave := context.WithCancel(context.Background())
	screen := tui.NewConsole(tui.Options{Agent: "my agent", Workspace: "~/src/shop"},
		// A program of your own leaves these out, or takes OpenTerminal's.
		tea.WithInput(strings.NewReader("")), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24))

	// Give screen to gate.New as Options.Approver. The gate calls Approve for
	// what only a person may allow.
	go func() {
		defer leave()
		screen.Show(tui.UserSaid{Text: "Tidy up."})
		asking, stop := context.WithCancel(ctx)
		stop() // the agent gave up
		answer, err := screen.Approve(asking, gate.Prompt{Request: gate.Request{
			Tool: "bash", Kind: gate.RunCommand, Targets: []string{"rm -rf build"},
		}})
		fmt.Println(answer.Decision, err)
	}()
	if err := screen.Run(ctx); err != nil {
		fmt.Println(err)
	}
	_, err := screen.Ask(ctx, prompts.Question{Text: "Anything else?"})
	fmt.Println(err)
	// Output:
	// deny context canceled
	// context canceled
	// nobody answered: the approval screen has ended
}
