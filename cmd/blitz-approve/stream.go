package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/stream"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

func streamCommand(f *flags) *cobra.Command {
	var name string
	var permit []string
	var unattended bool
	cmd := &cobra.Command{
		Use: "stream", Short: "Ask for any program: JSON lines in, JSON lines out", Args: cobra.NoArgs,
		Long: `Put what any program wants to do before the gate: it writes one message a line
on standard input and reads one answer a line on standard output, while the
screen is on the terminal. Without a terminal what has to be asked is asked at
the desk, if one is open, and else refused.

  {"type":"request","id":"1","request":{"tool":"bash","kind":"run_command","command":"make"}}
  {"type":"verdict","id":"1","verdict":"allow","cause":"user-once", …}

A kind is run_command with "command", write_file or delete_file with "path",
network with "url", mcp_tool with "server"; a tool of no kind does without. An
edit comes with what the file will hold, in base64, and is shown against the disk:

  {"type":"request","id":"2","request":{"tool":"edit","kind":"write_file","diff":[{"path":"a.txt","after_b64":"aGkK"}]}}
  {"type":"question","id":"3","args":{"question":"Which one?","options":["left","right"]}}
  {"type":"answer","id":"3","result":{"answer":"left", …}}

Whatever verdict is not allow is a refusal, and "refusal" says it to the agent.
All messages: go doc github.com/blitz-approve/blitz-approve/gate/stream`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(cmd.InOrStdin()) {
				// The program's messages and the person's keys can't both come from it.
				return errors.New("no program writes to standard input, it is the terminal: start this from the program, or write program | blitz-approve stream")
			}
			m, err := f.load()
			if err != nil {
				return err
			}
			s := &session{machine: m, name: name}
			if unattended || len(permit) > 0 {
				if s.permits, err = policy.Permits(permit, m.workspace, ""); err != nil {
					return err
				}
			}
			return s.stream(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&name, "agent", "a program", "name of the program, for the screen and the log")
	cmd.Flags().BoolVar(&unattended, "unattended", false, "nobody watches: only what --permit names is allowed")
	cmd.Flags().StringArrayVar(&permit, "permit", nil, "rule that an unattended program is permitted, such as 'shell(go test)'; may be repeated")
	return cmd
}

// stream serves a program until its output ends or the person leaves.
func (s *session) stream(ctx context.Context, in io.Reader, out, problems io.Writer) error {
	ctx, leave := untilLeft(ctx)
	defer leave()
	term, err := s.streamTerminal()
	if err != nil {
		return err
	}
	if term == nil {
		return s.streamAlone(ctx, in, out, problems)
	}
	return closing(term, s.streamOn(ctx, term, in, out))
}

// streamTerminal is the terminal, or nil where there is none to ask on.
func (s *session) streamTerminal() (*tui.Terminal, error) {
	if s.permits != nil {
		return nil, nil
	}
	term, err := s.machine.terminal()
	switch {
	case errors.Is(err, tui.ErrNoTerminal):
		return nil, nil
	case err != nil:
		return nil, &codedError{exitNoTerminal, err}
	}
	return term, nil
}

// streamOn serves the program with the screen on the terminal.
func (s *session) streamOn(ctx context.Context, term *tui.Terminal, in io.Reader, out io.Writer) error {
	ctx, leave := untilLeft(ctx)
	defer leave()
	var server *stream.Server
	screen, err := s.screen(ctx, func(o tui.Options) display {
		o.Submit = func(text string) { server.Prompt(text) }
		o.Cancel = func() { server.Cancel() }
		return s.machine.face(o, term)
	})
	if err != nil {
		return err
	}
	defer s.modes.leave()
	face := screen.console
	server = stream.New(out, s.streaming(face, func(e stream.Event) {
		if ended, ok := e.(stream.TurnEnded); ok {
			s.gate.EndTurn(ended.Session)
		}
		if shown := streamEvent(e); shown != nil {
			face.Show(shown)
		}
	}))
	term.QuitOnSignal(face.Quit)
	for _, n := range s.machine.notices() {
		face.Show(n)
	}
	screen.showModeNote()
	s.follow(ctx, face.Show)
	go screen.showApproved(ctx)
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(ctx, in)
		face.Quit()
	}()
	err = face.Run(ctx)
	leave()
	if e := <-served; e != nil && !errors.Is(e, context.Canceled) && err == nil {
		err = e
	}
	return ended(term, err)
}

// streamAlone serves the program without a terminal.
func (s *session) streamAlone(ctx context.Context, in io.Reader, out, problems io.Writer) error {
	prompter, leave, err := s.openAway(ctx, problems)
	if err != nil {
		return err
	}
	defer leave()
	s.follow(ctx, telling(problems))
	server := stream.New(out, s.streaming(prompter, nil))
	s.stops(server.Cancel)
	return server.Serve(ctx, in)
}

func (s *session) streaming(prompter prompts.Prompter, events func(stream.Event)) stream.Options {
	return stream.Options{
		Agent: s.name, Workspace: s.machine.workspace, Decide: s.decide, Prompter: prompter,
		Unattended: s.permits != nil, DontAsk: func() bool { return s.gate.Mode() == gate.DontAsk }, Events: events,
	}
}

// streamEvent is what the screen shows of what a program tells.
func streamEvent(e stream.Event) tui.Event {
	switch e := e.(type) {
	case stream.Decided:
		call := settledCall(e.ID, e.Verdict.Request.Tool, e.Verdict)
		call.Files = e.Verdict.Request.Diff
		return call
	case stream.Said:
		return tui.AgentSaid{Text: e.Text}
	case stream.TurnStarted:
		return tui.TurnStarted{}
	case stream.TurnEnded:
		return tui.TurnEnded{Reason: e.Reason}
	case stream.Todos:
		return tui.Tasks{List: e.List}
	}
	return nil
}
