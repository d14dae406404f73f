package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/rulebook"
	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/trust"
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
	"github.com/blitz-approve/blitz-approve/gate/desk"
	"github.com/blitz-approve/blitz-approve/gate/grants"
	"github.com/blitz-approve/blitz-approve/gate/review"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/settings"
	"github.com/blitz-approve/blitz-approve/tui"
)

// A session is one agent, its gate, and the screen or the lines on which it
// is seen.
type session struct {
	machine *machine
	name    string // the agent's
	prompt  string // the first prompt; may be empty
	// connect starts the agent.
	connect func(acp.Options) (*acp.Host, error)
	// lacks is what the agent is given tools for.
	lacks acp.Lacks
	// permits makes the session unattended when it is not nil.
	permits func(gate.Request) bool
	box     *box // the OS sandbox; nil is none
	// needsDesk says that nobody is to be asked but at the desk.
	needsDesk bool
	waits     trust.Pending
	// demo ends the session after its first whole turn.
	demo bool

	desk     *desk.Client // nil without one
	deskNote string       // why there is none although one is open
	brief    bool         // it is here for one request only
	// agentSession is the agent's own session that a brief one is about.
	agentSession string
	hosted       bool                   // a hook's, whose agent asks a session about the call
	handed       *handOver              // a hook's, where the agent asks; else nil
	stop         atomic.Pointer[func()] // ends the turn that runs

	gate      *gate.Gate
	modes     *sharedMode       // nil in a run with a mode of its own
	files     *settings.Watcher // nil where they aren't followed
	approvals *gate.Approvals
	grants    *grants.Store
	tally     tally
	talk      review.Transcript // what the reviewer is told of it
	reviewer  *review.Reviewer  // nil when there is none
}

// open makes the gate. approver is nil where nobody can be asked.
func (s *session) open(approver gate.Approver) error {
	m := s.machine
	approvals, err := m.approvals()
	if err != nil {
		return err
	}
	log, err := gate.OpenAuditLog(m.auditPath())
	if err != nil {
		return err
	}
	s.tally.next, s.approvals = log, approvals
	s.waits.Store = m.trust
	s.waits.Set(m.settings.Untrusted)
	store, err := m.grants()
	if err != nil {
		return err
	}
	s.grants = store
	s.gate, err = gate.New(gate.Options{
		Grants: store, SaveRules: s.saveRules, SavedIn: s.savedIn(), Site: publicsuffix.EffectiveTLDPlusOne,
		Workspace: m.workspace, GateHome: m.home, Policy: m.policy, Mode: m.mode, Sandboxed: s.box.whole(),
		Approver: approver, Approvals: approvals, Audit: &s.tally, Hooks: s.hooks(), Reviewer: s.review(),
	})
	return err
}

func (s *session) decide(ctx context.Context, req gate.Request) gate.Verdict {
	if s.permits != nil {
		ctx = gate.Unattended(ctx, s.permits)
	}
	v := s.gate.Decide(ctx, req)
	if s.desk != nil && v.Cause != gate.CauseHandedOver {
		s.desk.Settled(v)
	}
	return v
}

func (s *session) options(prompter prompts.Prompter, events func(acp.Event)) acp.Options {
	return acp.Options{
		Agent: s.name, Version: version(), Workspace: s.machine.workspace,
		Decide: s.decide, Check: s.gate.Check, Prompter: prompter, Events: s.listen(events),
		Unattended: s.permits != nil, Prepare: s.box.prepare,
		DontAsk:    func() bool { return s.gate.Mode() == gate.DontAsk },
		Planning:   func() bool { return s.gate.Mode() == gate.Plan },
		Withhold:   []string{review.OwnKeyVariable},
		PlanReview: s.machine.settings.PlanReview.Value,
		Words:      s.machine.words(),
	}
}

// onTerminal runs the session on the terminal until the person leaves.
func (s *session) onTerminal(ctx context.Context, term *tui.Terminal) error {
	ctx, leave := untilLeft(ctx)
	defer leave()
	screen, err := s.screen(ctx, func(o tui.Options) display { return s.machine.face(o, term) })
	if err != nil {
		return err
	}
	term.QuitOnSignal(screen.console.Quit)
	screen.announce()
	screen.follow(ctx, screen.console.Show)
	go screen.start(ctx)
	err = screen.console.Run(ctx)
	leave() // an agent that was never ready is not waited for
	screen.close()
	if err := ended(term, nil); err != nil {
		return err
	}
	if failed := screen.failed; err == nil && failed != nil && !errors.Is(failed, context.Canceled) {
		return &codedError{exitRefused, fmt.Errorf("the agent can't be used: %w", failed)}
	}
	return err
}

// screen makes the face of the session; the agent isn't started.
func (s *session) screen(ctx context.Context, face func(tui.Options) display) (*screen, error) {
	sc := &screen{session: s, ready: make(chan struct{})}
	s.joinMode(true)
	o := s.machine.look()
	o.Agent, o.Workspace, o.Mode, o.Sandbox = s.name, shortPath(s.machine.workspace), s.machine.mode, s.box.name()
	o.Submit = func(text string) { sc.submit(ctx, text) }
	o.Cancel, o.SetMode = sc.cancel, sc.chooseMode
	o.Revoke = func() { s.gate.RevokeApproved() }
	book := s.ruleBook()
	o.Rules, o.Past = book.Screen(), book.Past
	sc.console = face(o)
	if err := s.open(sc.console); err != nil {
		s.modes.leave()
		return nil, err
	}
	book.Gate, book.Approvals, book.Grants = s.gate, s.approvals, s.grants
	return sc, nil
}

// ruleBook is that of the session. What is remembered is missing in it before
// the session is open.
func (s *session) ruleBook() *rulebook.Book {
	m := s.machine
	return &rulebook.Book{
		Workspace: m.workspace, Sources: m.sources, Trust: m.trust,
		AuditPath: m.auditPath(), ApprovalsPath: m.approvalsPath(), Apply: s.applyFiles,
	}
}

// A screen joins a session with its console.
type screen struct {
	*session
	console display
	host    *acp.Host
	// ready closes when the agent can be prompted, or never will be.
	ready chan struct{}
	// failed is why there is no agent, once ready is closed.
	failed error
	// decided are the calls whose line already says what they do; events come
	// one at a time, so that nothing guards it.
	decided map[string]bool
}

// announce shows what is known before the agent is started.
func (sc *screen) announce() {
	for _, p := range sc.machine.notices() {
		sc.console.Show(p)
	}
	sc.showModeNote()
	sc.console.Show(tui.AgentStarting{Name: sc.name})
	if sc.prompt != "" {
		sc.console.Show(tui.Prompted{Text: sc.prompt})
	}
}

// start brings the agent up.
func (sc *screen) start(ctx context.Context) {
	go sc.showApproved(ctx)
	host, err := sc.connected(sc.options(sc.console, sc.show))
	if err == nil {
		sc.host = host
		err = begin(ctx, host)
	}
	if err != nil {
		sc.host, sc.failed = nil, err
		sc.console.Show(tui.Notice{Severity: tui.Failure, Text: "The agent can't be used: " + err.Error()})
		if host != nil {
			host.Close()
		}
	}
	close(sc.ready)
	if sc.host == nil {
		sc.console.Show(tui.AgentGone{})
		return
	}
	sc.console.Show(tui.AgentReady{})
	<-sc.host.Done()
	sc.console.Show(tui.AgentGone{})
}

// showModeNote says why the session isn't in the mode that was asked for.
func (sc *screen) showModeNote() {
	if note := sc.gate.ModeNote(); note != "" {
		sc.console.Show(tui.ModeChanged{Mode: sc.gate.Mode()})
		sc.console.Show(tui.Notice{Severity: tui.Warning, Text: note})
	}
}

// startTime is how long an agent may take until it has a session. Some look
// for updates or log in first.
const startTime = 2 * time.Minute

// begin greets the agent and opens its session.
func begin(ctx context.Context, h *acp.Host) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, errSilent)
	defer cancel()
	err := greet(ctx, h)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

func greet(ctx context.Context, h *acp.Host) error {
	if _, err := h.Initialize(ctx); err != nil {
		return greetFault(err)
	}
	return h.NewSession(ctx)
}

// submit sends a prompt and waits for its turn. It runs off the goroutine
// that draws.
func (sc *screen) submit(ctx context.Context, text string) {
	select {
	case <-sc.ready:
	case <-ctx.Done():
		return
	}
	if sc.host == nil {
		return // the screen knows
	}
	reason, err := sc.host.Prompt(ctx, text)
	sc.gate.EndTurn(sc.host.Session())
	if err != nil && ctx.Err() == nil && !errors.Is(err, acp.ErrClosed) {
		sc.console.Show(tui.Notice{Severity: tui.Failure, Text: err.Error()})
	}
	if sc.demo && err == nil && reason == acp.EndTurn {
		sc.console.Show(tui.Finished{Summary: sc.summary(sc.machine.words())})
	}
}

func (sc *screen) cancel() {
	select {
	case <-sc.ready:
		if sc.host != nil {
			sc.host.Cancel()
		}
	default:
	}
}

// chooseMode is for the person's own word. A mode that can't be shared holds
// here all the same.
func (sc *screen) chooseMode(m gate.Mode) error {
	shareErr, err := sc.setMode(m)
	if shareErr != nil {
		sc.console.Show(onlyHere(shareErr))
	}
	return err
}

func (sc *screen) close() {
	defer sc.modes.leave()
	<-sc.ready
	if sc.host != nil {
		sc.host.Close()
	}
}
