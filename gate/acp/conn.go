package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// maxServing bounds the requests of a peer that are handled at the same time.
const maxServing = 1024

// A Handler says what a [Conn] does with what its peer sends. Every field may
// be nil.
type Handler struct {
	// Request answers one request. It runs in its own goroutine and must
	// return when ctx ends. Under ctx, [gate.InLine] keeps the order of the
	// wire. Nil answers "method not found".
	Request func(ctx context.Context, method string, params json.RawMessage) (any, error)
	// Notify takes one notification. Notifications are delivered one after
	// another, in the order of the wire, and before any request or answer
	// that follows them: so it must not wait for a [Conn.Call].
	Notify func(method string, params json.RawMessage)
	// Fault is told of lines that are no message and of answers to nothing.
	// It is called like Notify.
	Fault func(error)
}

// A Conn is one end of a JSON-RPC 2.0 connection with one message a line. It
// serves both ends: the host uses one, and so can an agent. Its methods may
// be called from any goroutine.
type Conn struct {
	r       io.Reader
	w       io.Writer
	handler Handler
	out     *outbox
	longest int // line that is read
	// spoken is closed by the first call of an end that speaks first. What its
	// peer says before that can only be an answer to that call, and is read as
	// one. Nil reads at once.
	spoken  chan struct{}
	closing sync.Once
	done    chan struct{}
	line    gate.Line // of the requests

	mu      sync.Mutex
	err     error // why the connection ended
	lastID  uint64
	calls   map[string]pending  // ours that wait, by id
	given   map[string]bool     // ours that nobody waits for any more
	serving map[string]*inbound // the peer's, by id
}

// An inbound is a request of the peer that is being handled.
type inbound struct {
	cancel context.CancelCauseFunc
	twice  bool // the peer used its id again meanwhile
}

var (
	// errPeerCancelled is the cause when the peer took its request back.
	errPeerCancelled = gate.ErrWithdrawn
	errPeerGone      = gate.Withdrawn(errors.New("the connection with the agent ended"))
)

// NewConn makes a connection that reads from r and writes to w. Nothing is
// read before [Conn.Serve]. Closing the connection closes r and w if they are
// io.Closers; otherwise whoever owns them has to end a Read or Write that is
// under way.
func NewConn(r io.Reader, w io.Writer, h Handler) *Conn {
	return &Conn{
		r: r, w: w, handler: h, out: newOutbox(), longest: MaxLine, done: make(chan struct{}),
		calls: map[string]pending{}, given: map[string]bool{}, serving: map[string]*inbound{},
	}
}

// Serve reads and handles messages until the peer closes its end, ctx ends or
// [Conn.Close] is called; then it closes the connection and waits for the
// request handlers. The error is nil when the peer closed in good order.
func (c *Conn) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ctx, func() { c.fail(context.Cause(ctx)) })
	defer stop()
	var running sync.WaitGroup
	running.Go(func() {
		if err := c.out.run(c.w); err != nil {
			c.unheard(fmt.Errorf("write: %w", err))
		}
	})
	c.fail(c.read(ctx, &running))
	err := c.Err()
	if errors.Is(err, ErrClosed) {
		cancel(err)
	} else {
		cancel(errPeerGone)
	}
	running.Wait()
	if errors.Is(err, ErrClosed) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// unheard ends a connection whose peer doesn't read any more. It may have said
// why, so that what it wrote is read first.
func (c *Conn) unheard(err error) {
	select {
	case <-c.done:
	case <-time.After(leaveGrace):
		c.fail(err)
	}
}

// Close ends the connection; calls that wait fail with [ErrClosed].
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	return nil
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection ended; nil while it is open.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *Conn) fail(err error) {
	c.closing.Do(func() {
		c.mu.Lock()
		c.err = err
		c.mu.Unlock()
		close(c.done)
		c.out.close()
		for _, end := range []any{c.w, c.r} {
			if closer, ok := end.(io.Closer); ok {
				_ = closer.Close()
			}
		}
	})
}

// Call sends a request and waits for its answer, which it decodes into result
// unless that is nil. An error answer is a *[RPCError]. When ctx ends first,
// the peer is told by "$/cancel_request" and a later answer is dropped.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	raw, err := c.call(ctx, method, params, nil)
	if err != nil || result == nil {
		return err
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return fmt.Errorf("%s: the answer can't be read: %w", method, err)
	}
	return nil
}

// A pending call waits for its answer. If then is set, it gets the result
// before anything that the peer sent later is handled.
type pending struct {
	answer chan message
	then   func(result json.RawMessage)
}

func (c *Conn) call(ctx context.Context, method string, params any, then func(json.RawMessage)) (json.RawMessage, error) {
	raw, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	p := pending{answer: make(chan message, 1), then: then}
	c.mu.Lock()
	c.lastID++
	id := strconv.FormatUint(c.lastID, 10)
	c.calls[id] = p
	c.mu.Unlock()
	if err := c.send(message{ID: json.RawMessage(id), Method: method, Params: raw}); err != nil {
		c.giveUp(id)
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	if c.spoken != nil && id == "1" {
		close(c.spoken)
	}
	var m message
	select {
	case m = <-p.answer:
	case <-ctx.Done():
		c.giveUp(id)
		_ = c.Notify("$/cancel_request", cancelRequest{json.RawMessage(id)})
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	case <-c.done:
		select { // an answer that came just before the end counts
		case m = <-p.answer:
		default:
			return nil, fmt.Errorf("%s: %w", method, c.endError())
		}
	}
	if m.Error != nil {
		return nil, fmt.Errorf("%s: %w", method, m.Error)
	}
	return m.Result, nil
}

type cancelRequest struct {
	RequestID json.RawMessage `json:"requestId"`
}

// endError is [ErrClosed] together with the reason, if it is another.
func (c *Conn) endError() error {
	if err := c.Err(); err != nil && !errors.Is(err, ErrClosed) && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return ErrClosed
}

func (c *Conn) giveUp(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, waits := c.calls[id]; waits {
		delete(c.calls, id)
		c.given[id] = true
	}
}

// Notify sends a notification. It returns before the peer has read it.
func (c *Conn) Notify(method string, params any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return c.send(message{Method: method, Params: raw})
}

func (c *Conn) send(m message) error {
	m.Version = "2.0"
	line, err := encode(m)
	if err != nil {
		return err
	}
	err = c.out.put(append(line, '\n'))
	switch {
	case errors.Is(err, ErrPeerStalled):
		c.fail(err)
	case errors.Is(err, ErrClosed):
		return c.endError()
	}
	return err
}

func (c *Conn) read(ctx context.Context, running *sync.WaitGroup) error {
	if c.spoken != nil {
		select {
		case <-c.spoken:
		case <-c.done:
			return ErrClosed
		}
	}
	lines := bufio.NewReaderSize(c.r, 64<<10)
	for {
		line, err := readLine(lines, c.longest)
		if err != nil {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			c.receive(ctx, running, line)
		}
	}
}

// readLine returns the next line, or the unfinished rest at the end, with at
// most longest bytes before the newline.
func readLine(r *bufio.Reader, longest int) ([]byte, error) {
	var line bytes.Buffer // doubles, where append would copy a long line often
	for {
		part, err := r.ReadSlice('\n')
		if line.Len()+len(part) > longest+1 {
			return nil, ErrLineTooLong
		}
		line.Write(part)
		if err == nil || errors.Is(err, io.EOF) && line.Len() > 0 {
			return line.Bytes(), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

func (c *Conn) receive(ctx context.Context, running *sync.WaitGroup, line []byte) {
	m, fault := parseMessage(line)
	switch {
	case fault != nil:
		c.report(fmt.Errorf("a line is no message: %w: %.200q", fault, line))
		if m.Method == "" && (m.Result != nil || m.Error != nil) {
			return // never answer an answer
		}
		_ = c.send(message{ID: nullID, Error: fault})
	case m.Method == "":
		c.settle(m)
	case m.ID != nil:
		c.serve(ctx, running, m)
	case m.Method == "$/cancel_request":
		c.cancelInbound(m.Params)
	case c.handler.Notify != nil:
		c.handler.Notify(m.Method, m.Params)
	}
}

var nullID = json.RawMessage("null")

func (c *Conn) report(err error) {
	if c.handler.Fault != nil {
		c.handler.Fault(err)
	}
}

func (c *Conn) settle(m message) {
	id := string(m.ID)
	c.mu.Lock()
	p, waits := c.calls[id]
	known := waits || c.given[id]
	delete(c.calls, id)
	delete(c.given, id)
	c.mu.Unlock()
	if waits {
		if p.then != nil && m.Error == nil {
			p.then(m.Result)
		}
		p.answer <- m
	}
	if !known {
		c.report(fmt.Errorf("an answer to no request: id %.40s", id))
	}
}

// serve starts the handler of one request. An id that is used twice at the
// same time makes it impossible to say which request an answer is for, so
// both get an error: an approval must not reach the wrong one.
func (c *Conn) serve(ctx context.Context, running *sync.WaitGroup, m message) {
	id := string(m.ID)
	ctx, cancel := context.WithCancelCause(ctx)
	in := &inbound{cancel: cancel}
	c.mu.Lock()
	first, twice := c.serving[id]
	full := len(c.serving) >= maxServing
	switch {
	case twice:
		first.twice = true
		first.cancel(errPeerCancelled)
	case !full:
		c.serving[id] = in
	}
	c.mu.Unlock()
	switch {
	case twice:
		cancel(nil)
		c.report(fmt.Errorf("request id %.40s is used twice at the same time", id))
		_ = c.send(message{ID: m.ID, Error: errTwice})
	case full:
		cancel(nil)
		_ = c.send(message{ID: m.ID, Error: Errorf(CodeInternal, "too many requests at the same time")})
	default:
		ctx, leave := c.line.Join(ctx)
		running.Go(func() {
			defer cancel(nil)
			defer leave()
			c.answer(ctx, in, m)
		})
	}
}

var errTwice = Errorf(CodeInvalidRequest, "the id is already in use")

func (c *Conn) answer(ctx context.Context, in *inbound, m message) {
	var result any
	var err error = Errorf(CodeMethodNotFound, "no method %s", m.Method)
	if c.handler.Request != nil {
		result, err = c.handler.Request(ctx, m.Method, m.Params)
	}
	raw, encodeErr := encode(result)
	if encodeErr != nil && err == nil {
		err = encodeErr
	}
	if raw == nil {
		raw = nullID
	}
	c.mu.Lock()
	delete(c.serving, string(m.ID))
	twice := in.twice
	c.mu.Unlock()
	var rpc *RPCError
	switch {
	case twice:
		rpc = errTwice
	case err == nil:
		_ = c.send(message{ID: m.ID, Result: raw})
		return
	case errors.As(err, &rpc):
	case errors.Is(context.Cause(ctx), errPeerCancelled):
		rpc = Errorf(CodeCancelled, "cancelled")
	default:
		rpc = Errorf(CodeInternal, "%s", err)
	}
	_ = c.send(message{ID: m.ID, Error: rpc})
}

func (c *Conn) cancelInbound(params json.RawMessage) {
	var p cancelRequest
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if in := c.serving[string(p.RequestID)]; in != nil {
		in.cancel(errPeerCancelled)
	}
}
