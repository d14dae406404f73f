package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/tui"
)

// errNobody ends a session in which something had to be asked and nobody was
// there.
var errNobody = errors.New("something had to be asked and there is no terminal: it was refused")

// inLines runs one turn without a terminal: events are printed line by line.
// What has to be asked is asked at the desk, and refused without one (APR-30).
func (s *session) inLines(ctx context.Context, out, problems io.Writer) error {
	prompter, leave, err := s.openAway(ctx, problems)
	if err != nil {
		return err
	}
	defer leave()
	p := &linePrinter{out: out}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.follow(ctx, telling(problems))
	host, err := s.connected(s.options(prompter, s.inLine(p)))
	if err != nil {
		return err
	}
	defer host.Close()
	s.stops(host.Cancel)
	if err := begin(ctx, host); err != nil {
		return err
	}
	_, err = host.Prompt(ctx, s.prompt)
	p.end()
	if err != nil {
		return err
	}
	for _, line := range s.summary(tui.NewCatalogue("en")) { // as the lines above it
		fmt.Fprintln(out, printable(line))
	}
	return s.unasked()
}

// inLine prints events. An approved plan puts the gate into its mode.
func (s *session) inLine(p *linePrinter) func(acp.Event) {
	return func(e acp.Event) {
		p.show(e)
		if plan, ok := e.(acp.PlanReviewed); ok && plan.Result.Approved {
			for _, n := range s.endPlanning(plan.Result) {
				p.show(acp.Notice{Severity: acp.Severity(n.Severity), Text: n.Text})
			}
		}
	}
}

// unasked is an error when something was refused: of its own exit code when
// only a person was missing.
func (s *session) unasked() error {
	var refused error
	for _, r := range s.tally.all() {
		switch {
		case r.Cause == gate.CauseNoApprover:
			return &codedError{exitNoTerminal, errNobody}
		case r.Verdict != gate.Allow.String():
			refused = &codedError{exitRefused, errors.New("something was refused; see the list above")}
		}
	}
	return refused
}

// A linePrinter prints what an agent does, for pipes and logs.
type linePrinter struct {
	out io.Writer

	mu   sync.Mutex // events go on while the end is printed
	open bool       // a line of the agent's words is not ended yet
}

func (p *linePrinter) show(e acp.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := e.(type) {
	case acp.AgentChunk:
		for i, row := range strings.Split(e.Text, "\n") {
			if i > 0 {
				fmt.Fprintln(p.out)
			}
			fmt.Fprint(p.out, printable(row))
		}
		p.open = true
	case acp.Decided:
		p.line("%-5s  %s  (%s)", e.Verdict.Effect, cmp.Or(whatRan(e.Verdict.Request), e.Verdict.Request.Tool), e.Verdict.Cause)
		switch e.Verdict.Cause {
		case gate.CauseNoApprover, gate.CauseUnattendedRefused:
			p.line("       %s", e.Verdict.Reason) // it names a rule or a mode that would do
		}
	case acp.PlanReviewed:
		p.line("plan   %s", planOutcome(e))
	case acp.Todos:
		p.line("tasks  %d of %d done", e.List.Done, e.List.Total)
	case acp.Notice:
		p.line("%s: %s", e.Severity, e.Text)
	case acp.Stderr:
		p.line("agent: %s", e.Line)
	case acp.AgentExited:
		if e.Err != nil {
			p.line("error: the agent has ended: %v", e.Err)
		}
	}
}

func (p *linePrinter) line(format string, args ...any) {
	p.endLine()
	fmt.Fprintln(p.out, printable(fmt.Sprintf(format, args...)))
}

// end ends what is printed of the turn.
func (p *linePrinter) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endLine()
}

func (p *linePrinter) endLine() {
	if p.open {
		fmt.Fprintln(p.out)
		p.open = false
	}
}
