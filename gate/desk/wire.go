package desk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

const (
	// helloTime is how long a peer may take to say who it is.
	helloTime = 5 * time.Second
	// writeTime is how long one message may take to be taken.
	writeTime = 30 * time.Second
	// backlog is how many messages may wait for a peer that doesn't read.
	backlog = 256
	// leaveTime is how long the last messages may take of one who leaves.
	leaveTime = time.Second
)

// ErrLost is returned for what waits when the other end is gone.
var ErrLost = fmt.Errorf("%w: the desk was closed, or its connection lost", gate.ErrUnanswered)

// An outgoing is a line to write, or one who waits for all before it.
type outgoing struct {
	line    []byte
	written chan<- struct{}
}

// A wire is one connection: messages in lines, written by one goroutine.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
	out  chan outgoing

	ending sync.Once
	done   chan struct{} // closed when the connection has ended
	err    error         // why, once done is closed
}

func newWire(conn net.Conn) *wire {
	w := &wire{conn: conn, in: bufio.NewReader(conn), out: make(chan outgoing, backlog), done: make(chan struct{})}
	go w.write()
	return w
}

// write writes what is in line. To a peer that has gone it writes no more, and
// leaves the end to the reader: what the peer said last may not be read yet.
func (w *wire) write() {
	gone := false
	for {
		select {
		case o := <-w.out:
			switch {
			case o.written != nil:
				close(o.written)
				continue
			case gone:
				continue
			}
			_ = w.conn.SetWriteDeadline(time.Now().Add(writeTime))
			_, err := w.conn.Write(o.line)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				w.end(ErrLost)
				return
			}
			gone = err != nil
		case <-w.done:
			return
		}
	}
}

// end ends the connection; only the first reason counts.
func (w *wire) end(why error) {
	w.ending.Do(func() {
		w.err = why
		close(w.done)
		_ = w.conn.Close()
	})
}

// finish ends the connection once what is in line has been written, or after a
// moment.
func (w *wire) finish(why error) {
	defer w.end(why)
	written := make(chan struct{})
	late := time.After(leaveTime)
	select {
	case w.out <- outgoing{written: written}:
	case <-w.done:
		return
	case <-late:
		return
	}
	select {
	case <-written:
	case <-w.done:
	case <-late:
	}
}

// read waits for the next message.
func (w *wire) read(into any) error {
	line, err := readLine(w.in, maxFrame)
	if err != nil {
		return err
	}
	return decode(line, into)
}

// send puts a message in line. It waits for room until ctx or the connection
// ends.
func (w *wire) send(ctx context.Context, message any) error {
	line, err := encode(message, maxFrame)
	if err != nil {
		return err
	}
	select {
	case w.out <- outgoing{line: line}:
		return nil
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// offer puts a message in line if there is room.
func (w *wire) offer(message any) bool {
	line, err := encode(message, maxFrame)
	if err != nil {
		return false
	}
	select {
	case w.out <- outgoing{line: line}:
		return true
	default:
		return false
	}
}
