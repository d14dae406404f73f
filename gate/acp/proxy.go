package acp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// ProxyOptions say how a [Proxy] treats its agent.
type ProxyOptions struct {
	// Agent is its name, for display and for the audit log; empty takes the
	// preset's.
	Agent  string
	Preset Preset
	// Open makes the gate of a session that the editor opens in dir, which is
	// the editor's word for the workspace; editor is the person at it. The
	// Options say what decides and who answers plans; end, if it isn't nil, is
	// called when the session is over. An error keeps the session from being
	// opened.
	Open func(dir string, editor *Editor) (o Options, end func(), err error)
	// Questions says that the Prompter of those Options answers questions too,
	// so that agents may ask them whatever the editor can show.
	Questions bool
	// Tell takes what is odd about the two ends, for a log; nil drops it.
	Tell func(text string)
}

// A Proxy stands between an editor and an agent (TAM-24). What they send each
// other passes byte for byte and in order, but for what an agent may only do
// with leave: requests for permission, and for files and terminals of the
// editor, go before the gate of their session. What the gate has to ask is put
// before the person by the editor's own dialog, as the gate sees it; the
// answer is the gate's to keep, and the agent only ever gets a yes for once.
type Proxy struct {
	options       ProxyOptions
	fromE, fromA  io.Reader
	editor, agent *wire
	ctx           context.Context
	end           context.CancelCauseFunc
	running       sync.WaitGroup
	line          gate.Line // of what the agent asks

	mu       sync.Mutex
	name     string // of the agent
	sessions map[string]*guarded
	opening  map[*guarded]bool // without a name yet
	deciding map[string]*inbound
	passed   map[string]bool // requests of the agent that the editor answers
	// awaited are requests of the editor whose answers are looked at; they
	// report whether they answered the editor themselves.
	awaited map[string]func(envelope) bool
	notices bool                  // the editor shows notices
	over    bool                  // nothing more is decided
	shown   map[string]*shownCard // by the id of the call
	cards   int                   // that were made up for files and terminals
}

// ErrAgentGone is returned by [Proxy.Serve] when the agent ended first.
var ErrAgentGone = gate.Withdrawn(errors.New("the agent has closed the connection"))

var errEditorGone = fmt.Errorf("%w: the editor has closed the connection", gate.ErrUnanswered)

// NewProxy makes a proxy between an editor and an agent. Nothing is read
// before [Proxy.Serve], which doesn't close the four ends: whoever owns them
// does, after it has returned.
func NewProxy(fromEditor io.Reader, toEditor io.Writer, fromAgent io.Reader, toAgent io.Writer, o ProxyOptions) *Proxy {
	p := &Proxy{
		options: o, fromE: fromEditor, fromA: fromAgent,
		name: cmp.Or(o.Agent, o.Preset.Name), sessions: map[string]*guarded{}, opening: map[*guarded]bool{},
		deciding: map[string]*inbound{}, passed: map[string]bool{}, awaited: map[string]func(envelope) bool{},
		shown: map[string]*shownCard{},
	}
	p.ctx, p.end = context.WithCancelCause(context.Background())
	p.editor, p.agent = newWire(toEditor, p.end), newWire(toAgent, p.end)
	return p
}

// flushTime is how long the two ends may take to read what they were sent last.
const flushTime = 2 * time.Second

// flush has what waits written, as far as somebody reads it.
func (p *Proxy) flush(writing *sync.WaitGroup) {
	defer p.editor.close()
	defer p.agent.close()
	if errors.Is(context.Cause(p.ctx), ErrPeerStalled) {
		return
	}
	p.editor.out.finish()
	p.agent.out.finish()
	written := make(chan struct{})
	go func() {
		writing.Wait()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(flushTime):
	}
}

// Serve passes messages on until the editor or the agent ends or ctx does.
// Then everything that waits is refused. The error is nil when it was the
// editor, and [ErrAgentGone] when it was the agent.
func (p *Proxy) Serve(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { p.end(context.Cause(ctx)) })
	defer stop()
	var writing sync.WaitGroup
	writing.Go(func() { p.editor.run(p.ctx.Done(), errEditorGone) })
	writing.Go(func() { p.agent.run(p.ctx.Done(), ErrAgentGone) })
	go p.read(p.fromE, p.fromEditor, errEditorGone)
	go p.read(p.fromA, p.fromAgent, ErrAgentGone)
	<-p.ctx.Done()
	p.closeSessions()
	p.running.Wait()
	p.flush(&writing)
	if err := context.Cause(p.ctx); !errors.Is(err, errEditorGone) {
		return err
	}
	return nil
}

// read handles lines one after another, in their order.
func (p *Proxy) read(r io.Reader, handle func([]byte), ended error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	for p.ctx.Err() == nil {
		line, err := readLine(lines, MaxLine)
		switch {
		case err == nil && len(bytes.TrimSpace(line)) > 0:
			handle(line)
		case errors.Is(err, ErrLineTooLong):
			p.end(fmt.Errorf("%w: %w", ended, err))
		case err != nil:
			p.end(ended)
		}
	}
}

func (p *Proxy) closeSessions() {
	p.mu.Lock()
	all := make([]*guarded, 0, len(p.sessions)+len(p.opening))
	for _, g := range p.sessions {
		all = append(all, g)
	}
	for g := range p.opening {
		all = append(all, g)
	}
	clear(p.sessions)
	clear(p.opening)
	p.over = true
	p.mu.Unlock()
	why := context.Cause(p.ctx)
	if !errors.Is(why, gate.ErrWithdrawn) && !errors.Is(why, gate.ErrUnanswered) {
		why = errHostClosed
	}
	for _, g := range all {
		g.close(why)
	}
}

// session is the one that a message names; nil for one that the editor didn't
// open.
func (p *Proxy) session(params json.RawMessage) *guarded {
	id := parseObject(params).text("sessionId")
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[id]
}

func (p *Proxy) tell(format string, args ...any) {
	if p.options.Tell != nil {
		p.options.Tell(fmt.Sprintf(format, args...))
	}
}

// idKey is an id by what it means: a peer may spell a string in another way.
func idKey(id json.RawMessage) string {
	var s string
	if json.Unmarshal(id, &s) != nil || len(id) > 0 && id[0] != '"' {
		return string(id)
	}
	return `"` + s
}
