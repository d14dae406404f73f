package gate

import (
	"context"
	"sync"
)

// A Line keeps what one program asks in the order in which it came, although
// some of it takes longer to decide on than what came later. Those that rules
// settle don't wait. The zero Line is ready to use, by any number of
// goroutines.
type Line struct {
	mu   sync.Mutex
	last <-chan struct{} // closed when nobody is before the next who joins
}

type positionKey struct{}

// A position is one in the line.
type position struct {
	before <-chan struct{} // closed when all before it have been asked, or left
	passed chan struct{}   // closed when it has been asked, or left
	once   sync.Once
}

// Join takes the next place. What is asked under the context that it returns is
// put before the person by [InLine]. leave has to be called once it is settled.
func (l *Line) Join(ctx context.Context) (joined context.Context, leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &position{before: l.last, passed: make(chan struct{})}
	if p.before == nil {
		p.before = noneBefore
	}
	after := make(chan struct{})
	l.last = after
	go func() {
		<-p.before
		<-p.passed
		close(after)
	}()
	return context.WithValue(ctx, positionKey{}, p), p.pass
}

var noneBefore = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (p *position) pass() { p.once.Do(func() { close(p.passed) }) }

// InLine has put, which puts something into a person's queue, run when it is
// the turn of ctx: at once where ctx has no place in a [Line], else when all
// before it have been asked or settled. It returns without it when ctx ends
// before that.
func InLine(ctx context.Context, put func()) {
	p, ok := ctx.Value(positionKey{}).(*position)
	if !ok {
		put()
		return
	}
	select {
	case <-p.before:
	case <-ctx.Done():
		return
	}
	put()
	p.pass()
}
