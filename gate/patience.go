package gate

import (
	"errors"
	"sync/atomic"
	"time"
)

// maxSilence is for how long the file system may keep a decision waiting. A
// folder of a network, or of a program, that has gone answers nothing at all:
// what needs it is then judged in the dark. It is longer than any search of
// folders takes, which have bounds of their own.
const maxSilence = 3 * time.Second

// maxSilent is how many lookups may go on that nobody waits for any more. They
// end when the file system answers, perhaps never, so there must not be ever
// more of them.
const maxSilent = 32

// silent counts the lookups that nobody waits for any more.
var silent atomic.Int32

// A patience is how long somebody waits for what is looked up in files.
type patience struct {
	timer *time.Timer
	given chan struct{} // closed when it has ended
}

// within runs look, for no longer than limit unless it is [patience.paused]. It
// reports whether look came to its end; where it didn't, look goes on alone.
func within(limit time.Duration, look func(*patience)) (ended bool) {
	if silent.Load() >= maxSilent {
		return false
	}
	p := &patience{given: make(chan struct{})}
	p.timer = time.AfterFunc(limit, func() { close(p.given) })
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		look(p)
	}()
	select {
	case fault := <-done:
		p.timer.Stop()
		if fault != nil {
			panic(fault) // as if it had run here
		}
		return true
	case <-p.given:
		silent.Add(1)
		go func() {
			<-done
			silent.Add(-1)
		}()
		return false
	}
}

// paused runs f, which waits for somebody else than the file system, however long
// that takes. It doesn't where nobody waits for the answer any more.
func (p *patience) paused(f func()) {
	if p == nil {
		f()
		return
	}
	if p.timer.Stop() {
		f()
		p.timer.Reset(maxSilence)
	}
}

// errDark is why a person is asked where nothing could be looked up.
var errDark = errors.New("the file system doesn't answer")
