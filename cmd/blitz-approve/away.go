package main

import (
	"context"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// openAway opens a session that has no terminal. What has to be asked is asked
// at the desk, if one is open; the prompter is nil where nobody can be asked.
// Whoever gets leave calls it at the end.
func (s *session) openAway(ctx context.Context, problems io.Writer) (prompter prompts.Prompter, leave func(), err error) {
	s.joinMode(false)
	defer func() {
		if err != nil {
			s.leave()
		}
	}()
	if s.permits == nil {
		if err := s.atDesk(ctx); err != nil {
			return nil, nil, err
		}
	}
	var approver gate.Approver
	if s.desk != nil {
		approver, prompter = s.desk, s.desk
	}
	if err := s.open(approver); err != nil {
		return nil, nil, err
	}
	s.machine.report(problems)
	tellModeNote(problems, s.gate)
	if s.deskNote != "" {
		tellLine(problems, s.deskNote)
	}
	return prompter, s.leave, nil
}

// leave is the end of a session that has no screen.
func (s *session) leave() {
	if s.desk != nil {
		s.desk.Close()
	}
	s.modes.leave()
}

// telling writes the notices of a session that nobody sees on a screen.
func telling(w io.Writer) func(tui.Event) {
	return func(e tui.Event) {
		if n, ok := e.(tui.Notice); ok {
			tellLine(w, n.Text)
		}
	}
}

func tellLine(w io.Writer, text string) { fmt.Fprintf(w, "blitz-approve: %s\n", printable(text)) }
