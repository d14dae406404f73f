package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/review"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

func acpCommand(f *flags) *cobra.Command {
	var toDesk bool
	cmd := &cobra.Command{
		Use:               "acp AGENT | acp -- COMMAND [ARG…]",
		ValidArgsFunction: firstOf(presetNames()),
		Short:             "Put the gate between an editor and its agent",
		Long: `Stand between an editor and a coding agent that both speak the Agent Client
Protocol: name this command in the editor's settings in place of the agent.

  blitz-approve acp gemini                 # a known agent: ` + strings.Join(presetNames(), ", ") + `
  blitz-approve acp -- my-agent --acp      # any other one

Rules and modes settle what they can, also files that the agent has the editor
write and commands that it has it run. The rest is asked in the editor's own
dialog, with what will happen as the gate sees it; for this session and always
are kept here. Each session is decided on by the settings of the folder that
the editor opens it in. Everything else passes unchanged.`,
		RunE: f.spoken(func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fmt.Errorf("name an agent: %s, or a command behind --", strings.Join(presetNames(), ", "))
			case f.workspace != "":
				return errors.New("--workspace has no use here: the editor says for each session which folder it works in")
			}
			argv, preset, err := agentOf(args)
			if err != nil {
				return err
			}
			m, err := f.inspect() // what is wrong with a flag is told before an agent starts; settings are those of the sessions
			if err != nil {
				return err
			}
			if err := installed(argv, m.workspace, preset); err != nil {
				return err
			}
			tellWaiting(cmd, "editor")
			e := &editorEnd{flags: f, name: preset.Name, toDesk: toDesk, log: cmd.ErrOrStderr()}
			if e.name == "" {
				e.name = argv[0]
			}
			return e.serve(cmd.Context(), m, argv, preset, cmd.InOrStdin(), cmd.OutOrStdout())
		}),
	}
	cmd.Flags().BoolVar(&toDesk, "desk", false, "ask at the desk, which must be open, instead of in the editor")
	return cmd
}

// An editorEnd is the program as an editor starts it: one agent, and a gate for
// each session.
type editorEnd struct {
	flags  *flags
	name   string // of the agent
	toDesk bool
	log    io.Writer // which editors keep
}

func (e *editorEnd) serve(ctx context.Context, m *machine, argv []string, preset acp.Preset, in io.Reader, out io.Writer) error {
	ctx, leave := untilLeft(ctx)
	defer leave()
	agent, err := acp.StartAgent(argv, acp.Options{Preset: preset, Withhold: []string{review.OwnKeyVariable}}, func(line string) {
		fmt.Fprintln(e.log, printable(line))
	})
	if err != nil {
		return startFault(argv[0], "", preset, err)
	}
	proxy := acp.NewProxy(in, out, agent.Stdout(), agent.Stdin(), acp.ProxyOptions{
		Agent: e.name, Preset: preset, Questions: e.toDesk, Tell: func(text string) { tellLine(e.log, text) },
		Open: func(dir string, editor *acp.Editor) (acp.Options, func(), error) { return e.open(ctx, dir, editor) },
	})
	m.vouch(preset, agent.ID(), agent.Done(), proxy.Announced, func(err error) { tellLine(e.log, err.Error()) })
	err = proxy.Serve(ctx)
	gone := errors.Is(err, acp.ErrAgentGone)
	if gone {
		<-agent.Done()
	}
	if exit := agent.Err(); gone && exit != nil {
		err = exit
	}
	_ = agent.Close()
	if gone {
		return &codedError{exitRefused, err}
	}
	return err
}

// open makes the gate of one session, by the settings of its folder (TAM-24).
func (e *editorEnd) open(ctx context.Context, dir string, editor *acp.Editor) (o acp.Options, end func(), err error) {
	f := *e.flags
	f.workspace = dir
	m, err := f.load()
	if err != nil {
		return o, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &session{machine: m, name: e.name, needsDesk: e.toDesk}
	end = func() {
		cancel()
		s.leave()
	}
	prompter, err := s.openFor(ctx, editor)
	if err != nil {
		end()
		return o, nil, err
	}
	tell := tellingEditor(editor)
	for _, n := range m.notices() {
		tell(n)
	}
	if !m.plain {
		for _, f := range m.settings.Untrusted {
			editor.Tell(acp.Warning, untrusted(f))
		}
	}
	if note := s.gate.ModeNote(); note != "" {
		editor.Tell(acp.Warning, note)
	}
	s.follow(ctx, tell)
	o = s.options(prompter, func(ev acp.Event) { s.heard(ev, editor) })
	return o, end, nil
}

// openFor opens the session for a person at an editor, or at the desk.
func (s *session) openFor(ctx context.Context, editor *acp.Editor) (prompts.Prompter, error) {
	s.joinMode(false)
	if !s.needsDesk {
		return editor, s.open(editor)
	}
	if err := s.atDesk(ctx); err != nil {
		return nil, err
	}
	s.stops(editor.Cancel)
	return s.desk, s.open(s.desk)
}

// heard takes what the gate has to know of a session in an editor.
func (s *session) heard(e acp.Event, editor *acp.Editor) {
	switch e := e.(type) {
	case acp.TurnEnded:
		s.gate.EndTurn(editor.Session())
	case acp.PlanReviewed:
		if !e.Result.Approved {
			return
		}
		for _, n := range s.endPlanning(e.Result) {
			editor.Tell(acp.Severity(n.Severity), n.Text)
		}
	}
}

// tellingEditor tells the person at the editor what they should know.
func tellingEditor(editor *acp.Editor) func(tui.Event) {
	return func(e tui.Event) {
		if n, ok := e.(tui.Notice); ok {
			editor.Tell(acp.Severity(n.Severity), n.Text)
		}
	}
}
