package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// Options say how a [Host] treats its agent.
type Options struct {
	// Agent is the agent's name for display and for the audit log; empty
	// takes the preset's, then the one that the agent gives.
	Agent string
	// Version is our own version, told to the agent.
	Version string
	// Workspace is the absolute path in which the session works.
	Workspace string
	// Decide is asked for every permission; nil denies all.
	Decide func(context.Context, gate.Request) gate.Verdict
	// Check says what would be decided now, without asking, as [gate.Gate.Check]
	// does. A [Proxy] has it look once more at what was approved, when the agent
	// has the editor do it; nil decides on that anew.
	Check func(context.Context, gate.Request) gate.Verdict
	// Prompter shows questions and plans; nil declines them.
	Prompter prompts.Prompter
	// Unattended says that nobody watches: questions and plans are declined.
	Unattended bool
	// DontAsk reports whether the gate's mode withholds plan reviews; nil
	// never does.
	DontAsk func() bool
	// Planning reports whether the gate's mode is plan, in which every prompt
	// is planned (APR-14); nil never does.
	Planning func() bool
	// PlanReview is the setting of that name: [prompts.AgentDecides] lets the
	// agent begin to plan by itself (APR-42), anything else doesn't.
	PlanReview string
	// PlanLabels are the words of a plan review, for translation.
	PlanLabels prompts.ReviewLabels
	// Words are those of an editor's dialogs and of forms; nil speaks English.
	Words Words
	// Events takes what the screen shows, one event at a time and in order.
	// While it blocks, nothing more is read from the agent. It may call
	// [Host.Cancel], but nothing of Host that waits for the agent.
	Events     func(Event)
	MCPServers []MCPServer
	Preset     Preset
	// Env is added to the agent's environment by [Launch], and Withhold names
	// the variables that it doesn't inherit.
	Env, Withhold []string
	// Prepare may change the agent's command before [Launch] starts it, to
	// put it under a sandbox for example.
	Prepare func(*exec.Cmd) error
}

var (
	// ErrNoSession is returned before [Host.NewSession] has succeeded.
	ErrNoSession = errors.New("no session is open")
	// ErrVersion is returned for an agent of another protocol version.
	ErrVersion = errors.New("the agent speaks another version of the protocol")
	// ErrLogin is returned when the agent wants a login first.
	ErrLogin = errors.New("the agent needs a login")
)

// A Host runs one session of one agent and puts all that the agent wants
// before the gate. Its methods may be called from any goroutine.
type Host struct {
	hosted
	conn    *Conn
	process *Process // nil for [NewHost]
	served  chan struct{}
	leaving sync.WaitGroup // reports the end of the process
	turns   chan struct{}

	// These are guarded as those of hosted are.
	logins  []Login
	opening bool
}

// NewHost talks to an agent over r and w, which it closes in the end if they
// are io.Closers. Call [Host.Close] when done.
func NewHost(r io.Reader, w io.Writer, o Options) *Host {
	h := newHost(o)
	h.serve(r, w)
	return h
}

func newHost(o Options) *Host {
	h := &Host{served: make(chan struct{}), turns: make(chan struct{}, 1)}
	h.begin(o, nil, nil)
	return h
}

func (h *Host) serve(r io.Reader, w io.Writer) {
	h.conn = NewConn(r, w, Handler{Request: h.request, Notify: h.notify, Fault: h.fault})
	h.conn.spoken = make(chan struct{})
	h.peer = h.conn
	go func() {
		defer close(h.served)
		if err := h.conn.Serve(h.ctx); err != nil && h.ctx.Err() == nil {
			h.notice(Fault, "the connection to the agent broke: %s", err)
		}
	}()
}

// Initialize greets the agent. It must come first.
func (h *Host) Initialize(ctx context.Context) (AgentInfo, error) {
	var result initializeResult
	err := h.conn.Call(ctx, "initialize", initializeParams{
		ProtocolVersion: protocolVersion,
		ClientInfo:      implementation{Name: "blitz-approve", Title: "Blitz Approve", Version: orElse(h.options.Version, "dev")},
	}, &result)
	if err != nil {
		return AgentInfo{}, h.lost(err)
	}
	if result.ProtocolVersion != protocolVersion {
		return AgentInfo{}, fmt.Errorf("%w: %d instead of %d", ErrVersion, result.ProtocolVersion, protocolVersion)
	}
	info := AgentInfo{Name: result.AgentInfo.Name, Title: result.AgentInfo.Title, Version: result.AgentInfo.Version}
	for _, m := range result.AuthMethods {
		info.Logins = append(info.Logins, Login(m))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.logins = info.Logins
	if h.agent == "" {
		h.agent = orElse(info.Title, info.Name)
	}
	return info, nil
}

// NewSession opens the session and puts the agent into the mode in which its
// preset makes it ask. An agent that can't be put into it is an error, unless
// it has no such mode.
func (h *Host) NewSession(ctx context.Context) error {
	h.mu.Lock()
	h.opening = true
	h.mu.Unlock()
	params := newSessionParams{Cwd: h.options.Workspace, MCPServers: h.servers()}
	_, err := h.peer.call(ctx, "session/new", params, h.opened)
	h.mu.Lock()
	h.opening = false
	session := h.session
	h.mu.Unlock()
	switch {
	case err != nil:
		return h.lost(h.loginFault(err))
	case session == "":
		return errors.New("session/new: the agent gave no session id")
	}
	return h.applyPreset(ctx)
}

// opened takes the answer to session/new.
func (h *Host) opened(raw json.RawMessage) {
	var result newSessionResult
	if err := json.Unmarshal(raw, &result); err != nil {
		h.fault(fmt.Errorf("session/new: %w", err))
	}
	h.mu.Lock()
	h.opening = false
	h.session = result.SessionID
	h.mu.Unlock()
	h.openModes(result)
}

// servers never is nil: the protocol wants a list.
func (h *Host) servers() []mcpServer {
	list := make([]mcpServer, 0, len(h.options.MCPServers))
	for _, s := range h.options.MCPServers {
		entry := mcpServer{Name: s.Name, Command: s.Command, Args: append([]string{}, s.Args...), Env: []envVariable{}}
		for _, e := range s.Env {
			name, value, _ := strings.Cut(e, "=")
			entry.Env = append(entry.Env, envVariable{name, value})
		}
		list = append(list, entry)
	}
	return list
}

// ProcessID is that of the program which [Launch] started; 0 for [NewHost].
func (h *Host) ProcessID() int {
	if h.process == nil {
		return 0
	}
	return h.process.ID()
}

// Done is closed when the connection to the agent has ended.
func (h *Host) Done() <-chan struct{} { return h.conn.Done() }

// Close withdraws what waits for a person, ends the connection and, for
// [Launch], the agent with everything that it started.
func (h *Host) Close() error {
	h.withdraw(errHostClosed)
	var err error
	if h.process != nil {
		err = h.process.Close()
	}
	h.end(errHostClosed)
	<-h.served
	h.leaving.Wait()
	return err
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
