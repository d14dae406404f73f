package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/policy"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/tui"
)

func runCommand(f *flags) *cobra.Command {
	var prompt string
	var unattended bool
	var permit []string
	var boxed, noNetwork, toDesk bool
	var tools string
	cmd := &cobra.Command{
		Use:               "run AGENT | run -- COMMAND [ARG…]",
		ValidArgsFunction: firstOf(presetNames()),
		Short:             "Run a coding agent behind the gate",
		Long: `Run a coding agent that speaks the Agent Client Protocol behind the gate.

  blitz-approve run gemini                 # a known agent: ` + strings.Join(presetNames(), ", ") + `
  blitz-approve run -- my-agent --acp      # any other one

Without a terminal, --prompt runs one turn: what has to be asked is asked at the
desk, if one is open (blitz-approve without a command), and else refused.`,
		RunE: f.spoken(func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("name an agent: %s, or a command behind --", strings.Join(presetNames(), ", "))
			}
			argv, preset, err := agentOf(args)
			if err != nil {
				return err
			}
			m, err := f.load()
			if err != nil {
				return err
			}
			if err := installed(argv, m.workspace, preset); err != nil {
				return err
			}
			s := &session{machine: m, name: preset.Name, prompt: prompt, needsDesk: toDesk, connect: m.launch(argv, preset)}
			if s.name == "" {
				s.name = argv[0]
			}
			if s.lacks, err = lacksOf(tools, preset); err != nil {
				return err
			}
			if unattended || len(permit) > 0 {
				if s.permits, err = policy.Permits(permit, m.workspace, ""); err != nil {
					return err
				}
			}
			if boxed || noNetwork {
				if s.box, err = newBox(m, preset.Name, noNetwork); err != nil {
					return err
				}
			}
			return errors.Join(s.start(cmd.Context(), cmd), s.box.close())
		}),
	}
	cmd.Flags().StringVarP(&prompt, "prompt", "p", "", "start with this prompt")
	cmd.Flags().BoolVar(&toDesk, "desk", false, "ask at the desk, which must be open; needs --prompt")
	cmd.Flags().BoolVar(&boxed, "sandbox", false, "put the agent under the OS sandbox, or don't start it; mode bypass needs it")
	cmd.Flags().BoolVar(&noNetwork, "no-network", false, "cut the agent off the network, its model included; implies --sandbox")
	cmd.Flags().StringVar(&tools, "tools", "auto", "tools for questions, plans and tasks that the agent is given: auto (those that it lacks), all or none")
	cmd.Flags().BoolVar(&unattended, "unattended", false, "nobody watches: only what --permit names is allowed; needs --prompt")
	cmd.Flags().StringArrayVar(&permit, "permit", nil, "rule that an unattended run is permitted, such as 'shell(go test)'; may be repeated")
	return cmd
}

// lacksOf reads the flag --tools.
func lacksOf(tools string, preset acp.Preset) (acp.Lacks, error) {
	switch tools {
	case "auto":
		return preset.Lacks, nil
	case "all":
		return acp.Lacks{Questions: true, Plans: true, Todos: true}, nil
	case "none":
		return acp.Lacks{}, nil
	}
	return acp.Lacks{}, fmt.Errorf("unknown --tools %q: use auto, all or none", tools)
}

// agentOf finds the agent: a preset by name, or a command line.
func agentOf(args []string) ([]string, acp.Preset, error) {
	if preset, ok := acp.PresetFor(args[0]); ok && len(args) == 1 {
		return preset.Argv(), preset, nil
	}
	preset, known := acp.Recognize(args)
	if !known && len(args) == 1 && !strings.ContainsAny(args[0], "/.") {
		if _, err := exec.LookPath(args[0]); err != nil {
			return nil, preset, fmt.Errorf("no agent %q: use one of %s, or give a command that can be found in $PATH behind --", args[0], strings.Join(presetNames(), ", "))
		}
	}
	return args, preset, nil
}

func presetNames() []string {
	var names []string
	for _, p := range acp.Presets() {
		names = append(names, p.Name)
	}
	return names
}

func (m *machine) launch(argv []string, preset acp.Preset) func(acp.Options) (*acp.Host, error) {
	return func(o acp.Options) (*acp.Host, error) {
		o.Preset = preset
		h, err := acp.Launch(argv, o)
		if err != nil {
			return nil, startFault(argv[0], o.Workspace, preset, err)
		}
		m.vouch(preset, h.ProcessID(), h.Done(), h.Announced, warning(o.Events))
		return h, nil
	}
}

// start runs the session on the terminal, or in lines where there is none.
func (s *session) start(ctx context.Context, cmd *cobra.Command) error {
	if s.permits != nil {
		if s.prompt == "" {
			return errors.New("an unattended run needs --prompt")
		}
		return s.inLines(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	if s.needsDesk {
		if s.prompt == "" {
			return errors.New("a run at the desk needs --prompt")
		}
		return s.inLines(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	term, err := s.machine.terminal()
	switch {
	case errors.Is(err, tui.ErrNoTerminal) && s.prompt != "":
		return s.inLines(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr())
	case err != nil:
		return &codedError{exitNoTerminal, fmt.Errorf("%w; with --prompt, one turn runs without, in which nobody can be asked", err)}
	}
	err = closing(term, s.onTerminal(ctx, term))
	s.parting(cmd.OutOrStdout())
	return err
}

// parting tells after the screen is gone what is worth keeping.
func (s *session) parting(w io.Writer) {
	if s.gate == nil || len(s.tally.all()) == 0 || s.machine.plain && s.demo {
		return // in lines the end of the demo stays readable
	}
	for _, line := range s.summary(s.machine.words()) {
		fmt.Fprintln(w, printable(line))
	}
}
