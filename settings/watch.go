package settings

import (
	"context"
	"sync"
	"time"
)

// A pace says when files are looked at.
type pace struct {
	// settle is how long files must be left alone before they are read: an
	// editor may empty a file first and fill it then.
	settle time.Duration
	// patience is how long a file that changes all the time is waited for.
	patience time.Duration
	// safety is how often all is looked at even without an event.
	safety time.Duration
	// polling is how often, when there are no events.
	polling time.Duration
}

// usual misses nothing for longer than two seconds, settling included.
var usual = pace{settle: 75 * time.Millisecond, patience: time.Second, safety: 1900 * time.Millisecond, polling: 500 * time.Millisecond}

// A Change is the settings as they are now, and what made them so.
type Change struct {
	*Settings
	// Problems are all that there are now, as from [Load].
	Problems []Problem
	// Files are those whose content changed, that came or that went, with
	// those of extra. In the first report there are none.
	Files []string
}

// A Watcher follows the files of its sources, whoever changes them, and calls
// changed, one call at a time, with each change (APR-15a).
//
// A file that becomes broken is a change with a problem, and what it said
// before goes on to hold. One that is removed says nothing any more, except
// an overlay, which someone asked for.
type Watcher struct {
	changed func(Change)
	mu      sync.Mutex // held while changed runs
	files   *follower
}

// NewWatcher makes one for the files of s, which it doesn't look at yet.
//
// extra are other files, such as the saved approvals or trust.json; the
// settings are looked at anew with them, as [Sources.Trusted] may say
// something else. An error means that there is nothing to watch.
func NewWatcher(s Sources, extra []string, changed func(Change)) (*Watcher, error) {
	if _, err := s.Paths(); err != nil {
		return nil, err
	}
	return &Watcher{changed: changed, files: newFollower(s, extra)}, nil
}

// Run follows the files until the context ends. It begins with a call of
// changed that tells how things are, so that nothing is lost since an earlier
// [Load].
func (w *Watcher) Run(ctx context.Context) {
	folders := newFolders()
	defer folders.close()
	w.follow(ctx, usual, folders)
}

// Look takes the files as they are now, and has told of every change when it
// returns: for who has just changed one. It must not be called by changed.
func (w *Watcher) Look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.files.read()
	if files := w.files.differing(now); len(files) > 0 {
		first := w.files.now == nil
		w.files.accept(now)
		if first {
			files = nil
		}
		w.changed(w.files.change(files))
	}
}

// begin tells how things are.
func (w *Watcher) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files.accept(w.files.read())
	w.changed(w.files.change(nil))
}

// stale reports whether a file is not as it was told.
func (w *Watcher) stale() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.files.differing(w.files.read())) > 0
}

// A notifier tells when something may have changed.
type notifier interface {
	// events receives a value after something happened where a file is or
	// would be; it may be nil.
	events() <-chan struct{}
	// watch names the files of interest, and reports whether events will
	// tell of them all. What happened before may have been missed. It starts
	// afresh when an event has been missed.
	watch(names []string, afresh bool) bool
}

// follow is the clock of [Watcher.Run].
func (w *Watcher) follow(ctx context.Context, p pace, n notifier) {
	interval := func(afresh bool) time.Duration {
		if n.watch(w.files.names(), afresh) {
			return p.safety
		}
		return p.polling
	}
	look := time.NewTimer(interval(false))
	defer look.Stop()
	w.begin()

	settled := time.NewTimer(p.settle)
	defer settled.Stop()
	settled.Stop()
	var since time.Time // when the first event came that is not settled yet
	touched := func() {
		if since.IsZero() {
			since = time.Now()
		}
		settled.Reset(min(p.settle, max(0, p.patience-time.Since(since))))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.events():
			touched()
		case <-look.C:
			missed := since.IsZero() && w.stale()
			if missed {
				touched()
			}
			look.Reset(interval(missed))
		case <-settled.C:
			since = time.Time{}
			look.Reset(interval(false)) // folders may have come or gone
			w.Look()
		}
	}
}
