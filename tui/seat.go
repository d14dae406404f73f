package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// A Client is one of several agents that ask on the same screen (BEY-01). What
// ends a turn, and a message that refuses, are for the one whose request is
// shown; the others wait on.
type Client struct {
	// Agent and Workspace are names for the header.
	Agent, Workspace string
	// Cancel ends its turn; it may be nil.
	Cancel func()
}

// A Seat is a client's place on a screen. What is asked through it is in the
// screen's one queue.
type Seat struct {
	mail   *mailbox
	client *Client
	alone  bool // questions of one call come one after the other
}

var (
	_ gate.Approver         = (*Seat)(nil)
	_ prompts.GroupPrompter = (*Seat)(nil)
)

// Seat makes a place for one of several agents.
func (c *Console) Seat(client *Client) *Seat { return &Seat{mail: c.mail, client: client} }

// Seat makes a place for one of several agents.
func (p *Plain) Seat(client *Client) *Seat { return &Seat{mail: p.mail, client: client, alone: true} }

// Approve is as [Console.Approve].
func (s *Seat) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	return s.mail.approve(ctx, s.client, p)
}

// Ask is as [Console.Ask].
func (s *Seat) Ask(ctx context.Context, q prompts.Question) (prompts.Answer, error) {
	return s.mail.ask(ctx, s.client, q)
}

// AskGroup is as [Console.AskGroup].
func (s *Seat) AskGroup(ctx context.Context, qs []prompts.Question) ([]prompts.Answer, error) {
	if !s.alone {
		return s.mail.askGroup(ctx, s.client, qs)
	}
	var given []prompts.Answer
	for _, q := range qs {
		a, err := s.Ask(ctx, q)
		if err != nil {
			return given, err
		}
		given = append(given, a)
	}
	return given, nil
}

// alone reports that there is one agent, which takes prompts and has a mode.
func (m *Model) alone() bool { return !m.opts.Several }

// leaveAsked is Ctrl+D while something waits, where several agents ask: they
// would go on asking. Twice it leaves, and what waits is refused.
func (m *Model) leaveAsked() tea.Cmd {
	switch {
	case !m.field().empty():
		return nil
	case m.parting != 0 && m.arming.held:
		m.say(m.tr("ctrl+d again leaves, and refuses what waits"))
		return m.leaveUnlessHeld()
	case m.parting != 0:
		return m.quit()
	}
	m.serial++
	m.parting = m.serial
	m.say(m.tr("ctrl+d again leaves, and refuses what waits"))
	return after(leaveTime, forgetMsg{m.parting})
}

// mayHaveTasks reports that there can be a checklist to hide: that of the one
// agent, or one that is shown.
func (m *Model) mayHaveTasks() bool { return m.alone() || m.tasks.Total > 0 }

// modeOf is the mode in which w is asked. Each of several agents has its own.
func (m *Model) modeOf(w *waiting) gate.Mode {
	if w != nil && w.from != nil && w.approval != nil {
		return w.approval.Prompt.Verdict.Mode
	}
	return m.mode
}
