// Package trust is what of a project's settings waits for the person's trust,
// and how it is shown and given (APR-15a).
package trust

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/blitz-approve/blitz-approve/cmd/blitz-approve/internal/settingsfile"
	"github.com/blitz-approve/blitz-approve/settings"
)

// Waiting is what one of a project's files would loosen, compared with
// what the person trusted last (APR-15a).
type Waiting struct {
	File  string `json:"file"`
	Known bool   `json:"known"` // something of it was trusted before
	// New and Gone are lines such as permissions.allow = shell(make); Same are
	// those that were trusted already.
	New  []string `json:"new"`
	Same []string `json:"same"`
	Gone []string `json:"gone"`
}

// WaitingOf compares a file with what was trusted of it before.
func WaitingOf(trust *settings.TrustStore, f *settings.File) Waiting {
	w := Waiting{File: f.Name, New: settings.Loosening(f), Same: []string{}, Gone: []string{}}
	before, known := trust.Before(f.Name)
	if !known {
		return w
	}
	w.Known = true
	w.New, w.Same, w.Gone = settings.LooseningSince(f, before)
	for _, list := range []*[]string{&w.New, &w.Same, &w.Gone} {
		if *list == nil {
			*list = []string{} // a list in JSON, never null
		}
	}
	return w
}

// Lines are what is shown: what is new, what stays, what is gone.
func (w Waiting) Lines() (lines []string) {
	for _, part := range []struct {
		sign string
		list []string
	}{{"+ ", w.New}, {"  ", w.Same}, {"- ", w.Gone}} {
		for _, line := range part.list {
			lines = append(lines, part.sign+line)
		}
	}
	return lines
}

// A Desk holds what waits for trust while a session runs, for a screen
// that shows one quiet line and, when asked, the rest. It may be used from any
// number of goroutines.
type Desk struct {
	Store *settings.TrustStore

	mu    sync.Mutex
	files []*settings.File
}

// Set is what waits from now on.
func (d *Desk) Set(files []*settings.File) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files = files
}

// An Offer of trust is what was shown, and only that is accepted.
type Offer struct {
	Files []*settings.File
	Store *settings.TrustStore
}

// Offer is what waits now.
func (d *Desk) Offer() Offer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Offer{d.files, d.Store}
}

// Count is how many settings wait.
func (o Offer) Count() (n int) {
	for _, f := range o.Files {
		n += len(settings.Loosening(f))
	}
	return n
}

// Accept trusts exactly what was shown. A file that has changed since is not
// trusted, and the error is [settings.ErrChanged] for it; nor is one with a
// mistake, and the error is its first [settings.Problem]. The others are.
func (o Offer) Accept() error {
	var errs []error
	for _, f := range o.Files {
		if mistakes := Unfit(f); len(mistakes) > 0 {
			errs = append(errs, fmt.Errorf("not trusted before it is mended: %w", mistakes[0]))
			continue
		}
		errs = append(errs, o.Store.TrustShown(f))
	}
	return errors.Join(errs...)
}

// Unfit are the mistakes because of which a file is not trusted: what they were
// meant to be is nowhere to be read.
func Unfit(f *settings.File) []settings.Problem {
	return slices.DeleteFunc(settingsfile.Problems(settings.Path{Name: f.Name, Layer: f.Layer}, f.Content), func(p settings.Problem) bool {
		return p.Severity != settings.Error
	})
}
