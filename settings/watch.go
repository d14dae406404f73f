package settings

import (
	"context"
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

// Watch follows the files of s, whoever changes them, and calls changed, one
// call at a time, with each change (APR-15a). It begins with a call that
// tells how things are, so that nothing is lost since an earlier [Load], and
// returns when the context ends; an error means that there is nothing to
// watch.
//
// extra are other files, such as the saved approvals or trust.json; the
// settings are looked at anew with them, as [Sources.Trusted] may say
// something else.
//
// A file that becomes broken is a change with a problem, and what it said
// before goes on to hold. One that is removed says nothing any more, except
// an overlay, which someone asked for.
func Watch(ctx context.Context, s Sources, extra []string, changed func(Change)) error {
	if _, err := s.Paths(); err != nil {
		return err
	}
	folders := newFolders()
	defer folders.close()
	usual.follow(ctx, newFollower(s, extra), folders, changed)
	return nil
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

// follow is the clock of [Watch].
func (p pace) follow(ctx context.Context, f *follower, n notifier, changed func(Change)) {
	interval := func(afresh bool) time.Duration {
		if n.watch(f.names(), afresh) {
			return p.safety
		}
		return p.polling
	}
	look := time.NewTimer(interval(false))
	defer look.Stop()
	f.accept(f.read())
	changed(f.change(nil))

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
			missed := since.IsZero() && len(f.differing(f.read())) > 0
			if missed {
				touched()
			}
			look.Reset(interval(missed))
		case <-settled.C:
			since = time.Time{}
			look.Reset(interval(false)) // folders may have come or gone
			now := f.read()
			if files := f.differing(now); len(files) > 0 {
				f.accept(now)
				changed(f.change(files))
			}
		}
	}
}
