package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/agenthook"
	"github.com/blitz-approve/blitz-approve/gate"
)

func hookCommand(f *flags) *cobra.Command {
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "hook " + strings.Join(agenthook.Names(), "|"),
		Short: "Answer one event of an agent's own hooks",
		Long: `Answer one event of an agent's own hooks: it is read from standard input, and
the answer is written to standard output, both as that agent has them:

  echo '{"cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}' |
    blitz-approve hook claude
  {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow", …}}

Rules, modes and approvals are those of every session on the workspace. What has
to be asked is asked at the desk, if one is open (blitz-approve without a
command), else by the agent itself. Codex and opencode can't be told to ask before a call:
without a desk it is refused then.

An agent that "run" or "acp" hosts is asked about there, once, where the hook can
tell for sure that the session is asked: then it only refuses what rules deny. It
can tell on Linux, without --sandbox; not for Copilot CLI and opencode while their
own settings let calls pass unasked (doctor names them), and not before a call of
Codex, which asks nobody about what stays in its sandbox. Else, and for an agent
that the hosted one starts as a tool, the hook asks as always.

To have an agent run it before each call:

  blitz-approve install claude

Whatever goes wrong here, nothing is allowed by it.`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: agenthook.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, _ := agenthook.For(args[0]) // one of ValidArgs
			if !cmd.Flags().Changed("limit") {
				limit = agent.Limit
			}
			return f.answerHook(cmd.Context(), limit, agent, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().DurationVar(&limit, "limit", 0, "the time limit that the agent's settings give this hook; it refuses a little earlier (default: the agent's own)")
	return cmd
}

// answerHook answers one event within limit. An error of this function ends the
// program with exit code 2, which agents take for a refusal.
func (f *flags) answerHook(ctx context.Context, limit time.Duration, agent *agenthook.Agent, in io.Reader, out io.Writer) error {
	start := time.Now()
	ctx, end := context.WithTimeoutCause(ctx, askTime(limit), errHookTime)
	defer end()
	e, err := readEvent(ctx, agent, in)
	if err != nil {
		return err
	}
	if !e.Answered() {
		return nil
	}
	ctx, stop := withParent(ctx)
	defer stop()
	a, err := inTime(limit-time.Since(start), func() (agenthook.Answer, error) { return f.hookAnswer(ctx, e) })
	if err != nil {
		a = agenthook.Answer{Reason: "blitz-approve can't decide, so it was refused: " + err.Error()}
	}
	return e.Write(out, a)
}

// readEvent reads the event, and waits for the end of it no longer than ctx
// lasts: a hook that is cut off while it reads lets the call happen.
func readEvent(ctx context.Context, agent *agenthook.Agent, in io.Reader) (agenthook.Event, error) {
	var e agenthook.Event
	read := make(chan error, 1)
	go func() {
		var err error
		e, err = agent.ReadEvent(in)
		read <- err
	}()
	select {
	case err := <-read:
		return e, err
	case <-ctx.Done():
		// Not the code of what was cancelled: agents take only this one for a refusal.
		return agenthook.Event{}, &codedError{exitUsage, fmt.Errorf("the event has no end: %w", context.Cause(ctx))}
	}
}

// hookAnswer puts the event before the gate.
func (f *flags) hookAnswer(ctx context.Context, e agenthook.Event) (agenthook.Answer, error) {
	s, err := f.hookSession(ctx, e)
	if err != nil {
		return agenthook.Answer{}, err
	}
	defer s.leave()
	return s.answerCall(ctx, e)
}

// answerCall decides on a call. What it is about must still be the same when it
// is allowed, else it is decided on again (BEY-02).
func (s *session) answerCall(ctx context.Context, e agenthook.Event) (agenthook.Answer, error) {
	const maxChanges = 3
	requests := e.Requests(s.machine.workspace)
	if s.hosted {
		return s.passOn(ctx, e, requests)
	}
	is := doneBy(requests)
	for range maxChanges {
		a, err := s.answerRequests(ctx, e, requests)
		if err != nil || a.Decision != agenthook.Allow {
			return a, err
		}
		requests = e.Requests(s.machine.workspace)
		was := is
		if is = doneBy(requests); slices.Equal(was, is) {
			return a, nil
		}
	}
	return agenthook.Answer{}, errors.New("what it is about keeps changing")
}

// doneBy is all that requests do, and where the files lead that they name.
func doneBy(requests []gate.Request) (list []string) {
	for i := range requests {
		list = append(append(list, requests[i].Digest()), requests[i].Leads()...)
	}
	return list
}

var errNothingKnown = errors.New("nothing is known of what it does")

// answerRequests decides on all that a call does.
func (s *session) answerRequests(ctx context.Context, e agenthook.Event, requests []gate.Request) (agenthook.Answer, error) {
	a := agenthook.Answer{Decision: agenthook.Allow}
	if len(requests) == 0 {
		return a, errNothingKnown
	}
	atDesk := s.desk != nil && e.Tool == agenthook.AskUserQuestion
	for _, r := range requests {
		r.OwnRules = r.OwnRules && !atDesk
		v := s.decide(ctx, r)
		switch {
		case v.Cause == gate.CauseLeft:
			if a.Decision == agenthook.Allow {
				a = agenthook.Answer{Decision: agenthook.Silent}
			}
		case v.Cause == gate.CauseHandedOver:
			a = s.handed.answer()
		case !v.Allowed():
			return agenthook.Answer{Reason: v.Refusal() + planHint(e, v), Stop: v.Cause == gate.CauseCancelled}, nil
		case v.Asked != nil:
			input, err := e.Edited(v.Request)
			if err != nil {
				return a, err
			}
			a.Input = input
		}
		if a.Decision == agenthook.Allow {
			a.Reason = "blitz-approve: " + v.Reason
		}
	}
	if !e.Own() || a.Decision == agenthook.Ask {
		return a, nil // what has to be asked isn't left to the agent's own will
	}
	if atDesk {
		return s.askQuestions(ctx, e)
	}
	return agenthook.Answer{Decision: agenthook.Silent}, nil
}

// planHint is the way out of mode plan. An agent that has its plan approved by its
// own dialog doesn't tell its hooks, and would not know why it is still refused.
func planHint(e agenthook.Event, v gate.Verdict) string {
	if v.Cause != gate.CauseModePlan || e.Protocol != "" {
		return ""
	}
	return ". If the user has approved a plan in " + e.Agent.Title + ", blitz-approve hasn't heard of it: they leave mode plan with blitz-approve mode default"
}

// passOn leaves a call to the session that hosts the agent and is asked about
// it: of all that the call does, this hook only refuses what is refused anyway.
func (s *session) passOn(ctx context.Context, e agenthook.Event, requests []gate.Request) (agenthook.Answer, error) {
	if len(requests) == 0 {
		return agenthook.Answer{}, errNothingKnown
	}
	ask, why := false, ""
	for _, r := range requests {
		if v := s.gate.Check(ctx, r); v.Effect == gate.Ask {
			ask, why = true, v.Reason
			continue
		}
		switch v := s.decide(ctx, r); {
		case v.Cause == gate.CauseHandedOver:
			ask, why = true, s.handed.answer().Reason
		case !v.Allowed():
			return agenthook.Answer{Reason: v.Refusal()}, nil
		}
	}
	return e.PassedOn(ask, "blitz-approve: "+why), nil
}

// hookSession is the gate of the workspace, with the desk as its person if one
// is open.
func (f *flags) hookSession(ctx context.Context, e agenthook.Event) (*session, error) {
	if f.workspace == "" && e.Agent.Project != "" {
		f.workspace = os.Getenv(e.Agent.Project)
	}
	if f.workspace == "" {
		f.workspace = e.Dir
	}
	if !filepath.IsAbs(e.Dir) {
		return nil, fmt.Errorf("%q is not where anything can run", e.Dir)
	}
	m, err := f.load()
	if err != nil {
		return nil, err
	}
	s := &session{machine: m, name: e.Agent.Title, brief: true, agentSession: e.Session}
	s.modeOfCall()
	approver, err := s.hookApprover(ctx, e)
	if err != nil {
		return nil, err
	}
	if err := s.open(approver); err != nil {
		s.leave()
		return nil, err
	}
	if s.desk != nil {
		s.desk.Standing(s.gate.Stand)
	}
	return s, nil
}

// parentTime is how often a hook looks whether who started it still lives.
const parentTime = time.Second

var errOrphan = gate.Withdrawn(errors.New("the agent has ended"))

// withParent is a context that ends with the process that started this one:
// agents leave their hooks behind, and nobody is to be asked for a dead one.
func withParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancelCause(ctx)
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(parentTime)
		defer tick.Stop()
		for os.Getppid() == parent {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		stop(errOrphan)
	}()
	return ctx, func() { stop(nil) }
}
