package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Console is a [Model] on a terminal. Its methods may be called from any
// number of goroutines, also before Run: what is asked waits, in order.
//
// It is a [gate.Approver] and a [prompts.Prompter]. Requests and questions
// are in one queue, oldest first.
type Console struct {
	model   *Model
	options []tea.ProgramOption
	mail    *mailbox
}

var (
	_ gate.Approver         = (*Console)(nil)
	_ prompts.GroupPrompter = (*Console)(nil)
)

// NewConsole makes a console. The program options say which terminal it is on;
// without them it is standard input and output.
func NewConsole(o Options, options ...tea.ProgramOption) *Console {
	c := &Console{model: New(o), options: options, mail: newMailbox()}
	c.model.mail = c.mail
	return c
}

// Run shows the screen until the person leaves or ctx ends; then it returns
// nil, or the cause of ctx's end. Everything that still waits gets [ErrEnded].
// It can be called once.
func (c *Console) Run(ctx context.Context) error {
	if err := c.mail.open(); err != nil {
		return err
	}
	defer c.mail.close()
	go ansi.StringWidthWc("─") // builds a table of 2 MB, which the first frame waits for
	program := tea.NewProgram(c.model, append(c.options[:len(c.options):len(c.options)], tea.WithContext(ctx))...)
	stop := make(chan struct{})
	pumped := make(chan struct{})
	go func() {
		defer close(pumped)
		c.pump(program, stop)
	}()
	_, err := program.Run()
	close(stop)
	<-pumped
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("approval screen: %w", err)
}

// pump hands the program what was put into the outbox, everything that is
// there at once.
func (c *Console) pump(program *tea.Program, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-c.mail.wake:
		}
		program.Send(c.mail.take())
	}
}

// Approve puts p before the person and waits for the answer. When ctx ends the
// request is withdrawn and the error is the cause; when the screen ends it is
// [ErrEnded].
func (c *Console) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	return c.mail.approve(ctx, nil, p)
}

// Ask puts q before the person and waits for the answer. A question with a
// document, such as a plan, is shown in full screen (APR-40, APR-41). Errors
// are those of Approve, and [prompts.ErrDeclined].
func (c *Console) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	return c.mail.ask(ctx, nil, q)
}

// AskGroup puts the questions of one call before the person as pages, which are
// sent together (APR-40a). Errors are those of Ask; with
// [prompts.ErrDeclined] come the answers up to the first question without one.
func (c *Console) AskGroup(ctx context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	return c.mail.askGroup(ctx, nil, qs)
}

// Show puts an event on the screen. It returns at once.
func (c *Console) Show(e Event) { c.mail.post(e) }

// Quit ends Run, as if the person had left.
func (c *Console) Quit() { c.mail.post(quitMsg{}) }
