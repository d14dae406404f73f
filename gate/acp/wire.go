package acp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A wire is one of the two ends between which a [Proxy] stands: what goes out
// to it, in order, and the proxy's own requests among that. They have ids that
// nobody else uses, beside those that the other end's requests bring along.
type wire struct {
	w      io.Writer
	fail   func(error) // ends the proxy
	out    *outbox
	prefix string // of our ids
	lastID atomic.Uint64

	mu    sync.Mutex
	calls map[string]func(envelope) // ours that wait, by id
	done  chan struct{}             // closed when nothing goes out any more
}

func newWire(w io.Writer, fail func(error)) *wire {
	return &wire{
		w: w, fail: fail, out: newOutbox(), prefix: `"blitz-approve-` + rand.Text()[:8] + "-",
		calls: map[string]func(envelope){}, done: make(chan struct{}),
	}
}

// pass sends a line on as it came.
func (w *wire) pass(line []byte) error {
	if len(line) == 0 || line[len(line)-1] != '\n' {
		line = append(line, '\n')
	}
	return w.put(line)
}

// put fails the wire where the other end doesn't read: no message is lost
// without anybody hearing of it.
func (w *wire) put(line []byte) error {
	err := w.out.put(line)
	if errors.Is(err, ErrPeerStalled) {
		w.fail(err)
	}
	return err
}

func (w *wire) send(m message) error {
	m.Version = "2.0"
	line, err := encode(m)
	if err != nil {
		return err
	}
	return w.put(append(line, '\n'))
}

// answer answers a request of the other end.
func (w *wire) answer(id json.RawMessage, result any, err error) {
	raw, encodeErr := encode(result)
	var rpc *RPCError
	switch {
	case err == nil && encodeErr == nil:
		_ = w.send(message{ID: id, Result: raw})
		return
	case err == nil:
		err = encodeErr
	}
	if !errors.As(err, &rpc) {
		rpc = Errorf(CodeInternal, "%s", err)
	}
	_ = w.send(message{ID: id, Error: rpc})
}

// Notify sends a notification of our own.
func (w *wire) Notify(method string, params any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return w.send(message{Method: method, Params: raw})
}

// call sends a request of our own and waits for its answer, as [Conn.Call]
// does. then, if it is set, gets the result before anything that the other end
// sent later is handled.
func (w *wire) call(ctx context.Context, method string, params any, then func(json.RawMessage)) (json.RawMessage, error) {
	wait, err := w.ask(method, params, then)
	if err != nil {
		return nil, err
	}
	return wait(ctx)
}

// ask is call in two steps. wait has to be called, once.
func (w *wire) ask(method string, params any, then func(json.RawMessage)) (wait func(context.Context) (json.RawMessage, error), err error) {
	raw, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	id := w.prefix + strconv.FormatUint(w.lastID.Add(1), 10) + `"`
	answers := make(chan envelope, 1)
	w.mu.Lock()
	w.calls[id] = func(e envelope) {
		if then != nil && e.failed == nil {
			then(e.result)
		}
		answers <- e
	}
	w.mu.Unlock()
	if err := w.send(message{ID: json.RawMessage(id), Method: method, Params: raw}); err != nil {
		w.forget(id)
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return func(ctx context.Context) (json.RawMessage, error) {
		defer w.forget(id)
		select {
		case e := <-answers:
			if e.failed != nil {
				return nil, fmt.Errorf("%s: %w", method, e.failed)
			}
			return e.result, nil
		case <-ctx.Done():
			_ = w.Notify("$/cancel_request", cancelRequest{json.RawMessage(id)})
			return nil, fmt.Errorf("%s: %w", method, ctx.Err())
		case <-w.done:
			return nil, fmt.Errorf("%s: %w", method, ErrClosed)
		}
	}, nil
}

func (w *wire) forget(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.calls, id)
}

// settle takes an answer to a request of our own, also one that comes too
// late; false for any other.
func (w *wire) settle(e envelope) bool {
	id := string(e.id)
	if !strings.HasPrefix(id, w.prefix) {
		return false
	}
	w.mu.Lock()
	answered := w.calls[id]
	delete(w.calls, id)
	w.mu.Unlock()
	if answered != nil {
		answered(e)
	}
	return true
}

// run writes what goes out, until the wire is closed or the other end is gone.
// What that one wrote before it went is read first; ended closes when it was.
func (w *wire) run(ended <-chan struct{}, gone error) {
	if w.out.run(w.w) == nil {
		return
	}
	select {
	case <-ended:
	case <-time.After(leaveGrace):
		w.fail(gone)
	}
}

// close ends the wire. What waits to be written is lost.
func (w *wire) close() {
	w.out.close()
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.done:
	default:
		close(w.done)
	}
}
