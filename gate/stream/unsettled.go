package stream

import "sync"

// unsettled counts the messages that are being handled. A read that hung may
// bring one more when nobody waits for its answer any longer.
type unsettled struct {
	mu    sync.Mutex
	ended bool
	group sync.WaitGroup
}

// handle begins f and reports that; after the end it doesn't.
func (u *unsettled) handle(f func()) (begun bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.ended {
		u.group.Go(f)
	}
	return !u.ended
}

// end lets nothing more begin; what it returns closes once all that has begun
// is over.
func (u *unsettled) end() <-chan struct{} {
	u.mu.Lock()
	u.ended = true
	u.mu.Unlock()
	over := make(chan struct{})
	go func() {
		u.group.Wait()
		close(over)
	}()
	return over
}
