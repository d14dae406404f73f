package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// HumanPace is a pace at which a person can follow.
const HumanPace = 600 * time.Millisecond

// sessionID is the only session's: the demo has one.
const sessionID = "demo"

// An object is a JSON object to be sent.
type object = map[string]any

// An agent is the other end of one connection.
type agent struct {
	dir  string
	pace time.Duration
	conn *acp.Conn

	mu      sync.Mutex
	cancel  context.CancelFunc // ends the turn; nil between turns
	cwd     string             // the workspace, as the host named it
	greeted bool               // the script has been shown
	calls   int
	denied  []string // what the last turn was not allowed to do
	// planRefused says that the plan was among it.
	planRefused bool
}

// Serve speaks as the agent until the host closes its end or ctx ends. It
// works in dir, which [Prepare] filled, and takes sessions for no other
// folder. Before each thing that it says or does it waits for pace; zero
// never waits. It closes r and w if they are io.Closers.
func Serve(ctx context.Context, r io.Reader, w io.Writer, dir string, pace time.Duration) error {
	a := &agent{dir: dir, pace: pace}
	a.conn = acp.NewConn(r, w, acp.Handler{Request: a.request, Notify: a.notify})
	return a.conn.Serve(ctx)
}

func (a *agent) request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "initialize":
		return object{
			"protocolVersion":   1,
			"agentCapabilities": object{"loadSession": false},
			"agentInfo":         object{"name": "demo", "title": "Demo agent", "version": "1"},
			"authMethods":       []object{},
		}, nil
	case "session/new":
		return a.newSession(params)
	case "session/prompt":
		return a.prompt(ctx, params)
	}
	return nil, acp.Errorf(acp.CodeMethodNotFound, "the demo has no %s", method)
}

func (a *agent) newSession(params json.RawMessage) (any, error) {
	var p struct{ Cwd string }
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, acp.Errorf(acp.CodeInvalidParams, "session/new: %s", err)
	}
	asked, err1 := os.Stat(p.Cwd)
	own, err2 := os.Stat(a.dir)
	if err1 != nil || err2 != nil || !os.SameFile(asked, own) {
		return nil, acp.Errorf(acp.CodeInvalidParams, "the demo only works in %s", a.dir)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cwd = p.Cwd
	return object{"sessionId": sessionID}, nil
}

func (a *agent) notify(method string, _ json.RawMessage) {
	if method != "session/cancel" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancel != nil {
		a.cancel()
	}
}

// prompt runs one turn.
func (a *agent) prompt(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct {
		SessionID string
		Prompt    []struct{ Text string }
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, acp.Errorf(acp.CodeInvalidParams, "session/prompt: %s", err)
	}
	var texts []string
	for _, block := range p.Prompt {
		texts = append(texts, block.Text)
	}
	t, err := a.newTurn(ctx, p.SessionID)
	if err != nil {
		return nil, err
	}
	defer t.end()
	t.answer(strings.TrimSpace(strings.Join(texts, "\n")))
	if t.ctx.Err() != nil {
		return object{"stopReason": acp.Cancelled}, nil
	}
	return object{"stopReason": acp.EndTurn}, nil
}

func (a *agent) newTurn(ctx context.Context, session string) (*turn, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.cwd == "" || session != sessionID:
		return nil, acp.Errorf(acp.CodeInvalidParams, "no session %q", session)
	case a.cancel != nil:
		return nil, acp.Errorf(acp.CodeInvalidRequest, "a turn is under way")
	}
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return nil, fmt.Errorf("open the scratch folder: %w", err)
	}
	t := &turn{agent: a, root: root, first: !a.greeted, before: a.denied, planless: a.planRefused}
	t.ctx, t.cancel = context.WithCancel(ctx)
	a.cancel, a.greeted, a.denied = t.cancel, true, nil
	a.planRefused = false
	return t, nil
}
