package desk

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// A link is one connection of a client.
type link struct {
	*wire
	mu    sync.Mutex
	last  uint64
	waits map[uint64]chan answering
}

// A dialed is what came of looking for the desk, once done is closed.
type dialed struct {
	done chan struct{}
	link *link
	err  error
}

// up is the connection, if there is one.
func (d *dialed) up() *link {
	select {
	case <-d.done:
	default:
		return nil
	}
	if d.err != nil {
		return nil
	}
	select {
	case <-d.link.done:
		return nil
	default:
		return d.link
	}
}

// connected is the connection, made anew when it was lost. All who wait for
// it share one look for the desk, which none of them holds up.
func (c *Client) connected(ctx context.Context) (*link, error) {
	if c.open.Err() != nil {
		return nil, ErrClosed
	}
	d := c.dial()
	select {
	case <-d.done:
		return d.link, d.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// dial is the look for the desk that is going on, or the last one when it
// found one that is still there, or else a new one.
func (c *Client) dial() *dialed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.latest; d != nil {
		select {
		case <-d.done:
			if d.up() != nil {
				return d
			}
		default:
			return d
		}
	}
	d := &dialed{done: make(chan struct{})}
	c.latest = d
	go func() {
		l, err := c.connect(c.open)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open.Err() != nil {
			if l != nil {
				l.end(ErrClosed)
			}
			l, err = nil, ErrClosed
		}
		d.link, d.err = l, err
		close(d.done)
	}()
	return d
}

// up is the connection, if there is one; it doesn't look for the desk.
func (c *Client) up() *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.latest == nil {
		return nil
	}
	return c.latest.up()
}

// shut keeps the client from connecting any more, and returns the connection.
func (c *Client) shut() *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close()
	if c.latest == nil {
		return nil
	}
	return c.latest.up()
}

// connect greets the desk. One that says nothing is taken for none.
func (c *Client) connect(ctx context.Context) (*link, error) {
	ctx, stop := context.WithTimeout(ctx, helloTime)
	defer stop()
	conn, err := reach(ctx, c.folder)
	if err != nil {
		return nil, err
	}
	l := &link{wire: newWire(conn), waits: map[uint64]chan answering{}}
	defer context.AfterFunc(ctx, func() { l.end(ErrNoDesk) })()
	if err := l.send(ctx, asking{Hello: &hello{version, c.agent}}); err != nil {
		l.end(err)
		return nil, err
	}
	var first answering
	err = l.read(&first)
	switch {
	case err != nil:
		err = fmt.Errorf("%w: it doesn't answer: %w", ErrNoDesk, err)
	case first.Error != "":
		err = fmt.Errorf("the desk says: %s", first.Error)
	case first.Welcome == nil || first.Welcome.Version != version:
		err = fmt.Errorf("%w: %w", ErrNoDesk, errGarbage)
	}
	if err != nil {
		l.end(err)
		return nil, err
	}
	c.standing.set(first.Welcome.Standing)
	go func() {
		defer c.standing.set(nil) // it ends with the desk
		l.serve(c.cancel, &c.standing)
	}()
	return l, nil
}

// serve hands what the desk says to who waits for it, until the connection
// ends.
func (l *link) serve(cancel func(), standing *standing) {
	for {
		var m answering
		if err := l.read(&m); err != nil {
			if !errors.Is(err, errGarbage) {
				err = ErrLost
			}
			l.end(err)
			return
		}
		switch {
		case m.Cancel:
			if cancel != nil {
				go cancel()
			}
		case m.Standing != nil:
			standing.set(*m.Standing)
		case m.ID == 0:
			l.end(fmt.Errorf("the desk says: %s", m.Error))
			return
		case !l.hand(m):
			l.end(errGarbage)
			return
		}
	}
}

// hand gives a message to who waits for it. What nobody waits for any more is
// dropped; a peer that sends more than was asked for is broken.
func (l *link) hand(m answering) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	replies, waits := l.waits[m.ID]
	if !waits {
		return true
	}
	select {
	case replies <- m:
		return true
	default:
		return false
	}
}

func (l *link) open() (uint64, <-chan answering) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	replies := make(chan answering, 2) // what the desk asks back, and the answer
	l.waits[l.last] = replies
	return l.last, replies
}

func (l *link) forget(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waits, id)
}
