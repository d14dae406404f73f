package acp

import (
	"io"
	"sync"
)

// maxUnsent bounds what waits for a peer that does not read.
const maxUnsent = 2 * MaxLine

// An outbox writes lines in order from one goroutine, so that nobody who
// sends ever waits for the peer.
type outbox struct {
	mu     sync.Mutex
	lines  [][]byte
	size   int
	limit  int
	closed bool
	ending bool          // nothing more is taken, and what waits is still written
	wake   chan struct{} // holds one token while there may be work
}

func newOutbox() *outbox { return &outbox{limit: maxUnsent, wake: make(chan struct{}, 1)} }

// put queues one line, or says why it can't.
func (o *outbox) put(line []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.ending {
		return ErrClosed
	}
	if o.size+len(line) > o.limit {
		return ErrPeerStalled
	}
	o.lines = append(o.lines, line)
	o.size += len(line)
	o.signal()
	return nil
}

func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.signal()
}

// finish has what waits written, and then ends run.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ending = true
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run writes until the outbox is closed or w fails.
func (o *outbox) run(w io.Writer) error {
	for range o.wake {
		for {
			line, closed := o.take()
			if closed {
				return nil
			}
			if line == nil {
				break
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *outbox) take() (line []byte, closed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, true
	}
	if len(o.lines) == 0 {
		return nil, o.ending
	}
	line, o.lines = o.lines[0], o.lines[1:]
	o.size -= len(line)
	return line, false
}
