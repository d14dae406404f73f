package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options are what a [Gate] is made from. The zero Options make a gate in the
// current folder that asks for all but plain reads, and, without an Approver,
// refuses what it would have to ask (TAM-04).
type Options struct {
	// Workspace is the folder that the agent works in; empty means the
	// current one.
	Workspace string
	// Home is the person's home, against which ~ in rules is read; empty
	// means that of the process.
	Home string
	// GateHome is the folder with the gate's own files; nothing broad
	// reaches it.
	GateHome string
	Policy   Policy
	Mode     Mode
	// Approver puts requests before a person; nil means that nobody can be
	// asked.
	Approver Approver
	// Approvals are the saved keys; nil keeps none.
	Approvals *Approvals
	// Grants are the saved ask-and-remember grants; nil keeps none.
	Grants GrantStore
	// SaveRules saves allow rules in the user's settings: those for a line of
	// several commands together, so that it saves all of them or, with an error,
	// none. What it saved has to come back by [Gate.SetPolicy]. Nil means that no
	// rule can be saved.
	SaveRules func(place RulePlace, rules ...string) error
	// SavedIn names, for a person, the files that SaveRules saves in; that of
	// Approvals is under "".
	SavedIn map[RulePlace]string
	// Site is the domain that somebody registered which a host is in, such as
	// publicsuffix.EffectiveTLDPlusOne says it; nil offers no rules for
	// domains. It isn't part of this package since it brings along HTTP.
	Site func(host string) (string, error)
	// Audit records every decision before it is answered; nil records none.
	Audit Recorder
	// Sandboxed says that an OS sandbox holds the agent.
	Sandboxed bool
	Hooks     []Hook
	Reviewer  Reviewer
	Tracer    Tracer
}

// A Gate decides for one workspace. Use [New]; a nil Gate denies everything.
type Gate struct {
	opts    Options
	state   atomic.Pointer[state]
	changed atomic.Pointer[chan struct{}]
	mu      sync.Mutex // serialises changes of state
	now     func() time.Time
}

// state is what decisions depend on, replaced whole at each change.
type state struct {
	place       place
	policy      Policy
	index       *ruleIndex
	currentMode Mode
	session     session
	grants      GrantStore
}

// session is what was approved until the process ends.
type session struct {
	keys   map[string]bool
	tools  map[toolAtTier]bool
	grants []sessionGrant
	// timed is approved for a turn or until a time; turns counts the ends of
	// each agent session's turns.
	timed []Approved
	turns map[string]int
	// standing is kept for the agent's session elsewhere.
	standing []Approved
}

func (s *state) setPolicy(p Policy) { s.policy, s.index = p, newRuleIndex(&p, s.place) }

// toolAtTier names a tool for good: the same name under another kind or from
// another server is another tool.
type toolAtTier struct {
	kind   Kind
	server string
	tool   string
	tier   Tier
}

const anyKind Kind = "*"

// New makes a gate. Mode bypass without a sandbox starts as default; use
// [Gate.ModeNote] to tell the person (APR-14).
func New(opts Options) (*Gate, error) {
	var err error
	if opts.Workspace == "" {
		if opts.Workspace, err = os.Getwd(); err != nil {
			return nil, fmt.Errorf("find the workspace: %w", err)
		}
	}
	if opts.Workspace, err = filepath.Abs(opts.Workspace); err != nil {
		return nil, fmt.Errorf("find the workspace: %w", err)
	}
	if opts.Home == "" {
		opts.Home, _ = os.UserHomeDir()
	}
	g := &Gate{opts: opts, now: time.Now}
	at := newPlace(opts.Workspace, opts.Home, opts.GateHome)
	mode := opts.Mode
	if mode == Bypass && !opts.Sandboxed {
		mode = Default
	}
	g.state.Store(&state{place: at, policy: opts.Policy, index: newRuleIndex(&opts.Policy, at), currentMode: mode, grants: opts.Grants})
	changed := make(chan struct{})
	g.changed.Store(&changed)
	return g, nil
}

// Workspace is the folder that the gate decides for.
func (g *Gate) Workspace() string { return g.opts.Workspace }

// Mode is the mode in force.
func (g *Gate) Mode() Mode { return g.state.Load().currentMode }

// ModeNote says why the gate did not start in the mode that was asked for, or
// is empty.
func (g *Gate) ModeNote() string {
	if g.opts.Mode == Bypass && !g.opts.Sandboxed {
		return "mode bypass needs an active OS sandbox, and none is active: started in mode default"
	}
	return ""
}

// SetMode changes the mode, also for requests that wait. It returns
// [ErrBypassNeedsSandbox] for bypass without a sandbox.
func (g *Gate) SetMode(m Mode) error {
	if m == Bypass && !g.opts.Sandboxed {
		return ErrBypassNeedsSandbox
	}
	g.change(func(s *state) { s.currentMode = m })
	return nil
}

// SetPolicy replaces rules and tool policies, also for requests that wait.
// Rules added for the session stay, but for those that p holds too: a saved
// rule ends with its file (APR-15).
func (g *Gate) SetPolicy(p Policy) {
	saved := map[string]bool{}
	for i := range p.Rules {
		saved[p.Rules[i].Effect.String()+p.Rules[i].Text] = true
	}
	g.change(func(s *state) {
		for _, r := range s.policy.Rules {
			if r.Source.Layer == SessionLayer && !saved[r.Effect.String()+r.Text] {
				p.Rules = append(p.Rules[:len(p.Rules):len(p.Rules)], r)
			}
		}
		s.setPolicy(p)
	})
}

// Policy returns the policy in force. Its slices must not be changed.
func (g *Gate) Policy() Policy { return g.state.Load().policy }

// SessionLayer is the source of rules that end with the process.
const SessionLayer = "session"

// AddRule adds a rule until the process ends. The error is that of
// [ParseRule]; read rules apply from the next start and are refused here.
func (g *Gate) AddRule(effect Effect, text string) error {
	r, err := ParseRule(effect, text, Source{Layer: SessionLayer})
	if err != nil {
		return err
	}
	if r.kind == ruleRead {
		return ruleError("%q: read rules hold from the start; save it in the settings instead", r.Text)
	}
	g.change(func(s *state) {
		p := s.policy
		p.Rules = append(p.Rules[:len(p.Rules):len(p.Rules)], r)
		s.setPolicy(p)
	})
	return nil
}

// RemoveRule removes rules of that effect and text that were added with
// [Gate.AddRule], and reports whether there were any.
func (g *Gate) RemoveRule(effect Effect, text string) (removed bool) {
	text = strings.TrimSpace(text)
	g.change(func(s *state) {
		p := s.policy
		var kept []Rule
		for _, r := range p.Rules {
			if r.Source.Layer == SessionLayer && r.Effect == effect && r.Text == text {
				removed = true
				continue
			}
			kept = append(kept, r)
		}
		p.Rules = kept
		s.setPolicy(p)
	})
	return removed
}

// Remember approves a key until the process ends.
func (g *Gate) Remember(key string) {
	if key == "" {
		return
	}
	g.change(func(s *state) { s.session.keys = with(s.session.keys, key) })
}

// RememberTool approves a tool at a tier until the process ends, whatever its
// kind, but no tool of an MCP server (TAM-20).
func (g *Gate) RememberTool(tool string, tier Tier) {
	g.rememberTool(toolAtTier{kind: anyKind, tool: tool, tier: tier})
}

func (g *Gate) rememberTool(t toolAtTier) {
	g.change(func(s *state) { s.session.tools = with(s.session.tools, t) })
}

// Grant approves targets until the process ends (TAM-07). Links are followed
// now and not again; a target whose links lead nowhere is not approved. The error
// is that of the [GrantStore], which has to tell when everything is forgotten;
// nothing is approved then.
func (g *Gate) Grant(targets ...GrantTarget) error {
	var keys []GrantTarget
	for _, t := range targets {
		if key, ok := t.key(g.state.Load().place, ""); ok {
			keys = append(keys, key)
		}
	}
	return g.grantKeys(keys)
}

// Refresh re-evaluates every request that waits, after saved approvals or
// grants changed elsewhere.
func (g *Gate) Refresh() { g.change(func(*state) {}) }

// Forget drops everything that was approved for the session (TAM-12).
func (g *Gate) Forget() { g.change(func(s *state) { s.session = session{turns: s.session.turns} }) }

// ForgetGrants drops what was granted for the session, and nothing else: saved
// grants are the store's to forget (TAM-12).
func (g *Gate) ForgetGrants() { g.change(func(s *state) { s.session.grants = nil }) }

// with adds to a copy, since decisions read the old map at the same time.
func with[K comparable](m map[K]bool, k K) map[K]bool {
	next := make(map[K]bool, len(m)+1)
	for old := range m {
		next[old] = true
	}
	next[k] = true
	return next
}

// change replaces the state and wakes every request that waits.
func (g *Gate) change(f func(*state)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := *g.state.Load()
	f(&next)
	g.state.Store(&next)
	woken := make(chan struct{})
	close(*g.changed.Swap(&woken))
}

// Check says what would happen, without asking, recording or remembering
// anything. Hooks and the reviewer are not consulted. An ask that a person
// would get has Effect Ask.
func (g *Gate) Check(ctx context.Context, req Request) Verdict {
	if g == nil {
		return invalidGate(req)
	}
	return g.evaluate(ctx, g.state.Load(), req, runFrom(ctx))
}

func invalidGate(req Request) Verdict {
	return Verdict{Step: StepValid, Cause: CauseInvalid, Reason: "there is no gate to decide this", Request: req}
}

func (g *Gate) evaluate(ctx context.Context, s *state, req Request, r run) Verdict {
	return g.evaluation(ctx, s, req, r).verdict
}

// evaluation evaluates a request. Where the file system doesn't answer it does so
// once more in the dark: rules are held against what is written, and a person
// decides.
func (g *Gate) evaluation(ctx context.Context, s *state, req Request, r run) *evaluation {
	req.Origin.Workspace = g.opts.Workspace
	e := g.newEvaluation(ctx, s, r)
	ended := within(maxSilence, func(p *patience) {
		e.patience = p
		e.evaluate(req)
	})
	if !ended { // e goes on by itself
		dark := *s
		dark.place.dark = true
		other := g.newEvaluation(ctx, &dark, r)
		other.evaluate(req)
		other.verdict.Parts = other.parts()
		return other
	}
	e.verdict.Parts = e.parts()
	return e
}

func (g *Gate) newEvaluation(ctx context.Context, s *state, r run) *evaluation {
	e := &evaluation{state: s, ctx: ctx, run: r, now: g.now(), inMode: s.currentMode, reachable: g.opts.Approver != nil && !r.headless}
	switch {
	case r.planning:
		e.inMode = Plan
	case r.headless:
		e.inMode = Yolo
	}
	if g.opts.Approvals != nil {
		e.saved = g.opts.Approvals.has
	}
	e.verdict.Mode = e.inMode
	return e
}
