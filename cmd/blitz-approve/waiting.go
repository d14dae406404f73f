package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/blitz-approve/blitz-approve/settings"
)

// A waitingFile is what one of a project's files would loosen, compared with
// what the person trusted last (APR-15a).
type waitingFile struct {
	File  string `json:"file"`
	Known bool   `json:"known"` // something of it was trusted before
	// New and Gone are lines such as permissions.allow = shell(make); Same are
	// those that were trusted already.
	New  []string `json:"new"`
	Same []string `json:"same"`
	Gone []string `json:"gone"`
}

func waitingOf(trust *settings.TrustStore, f *settings.File) waitingFile {
	w := waitingFile{File: f.Name, New: settings.Loosening(f), Same: []string{}, Gone: []string{}}
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

// lines are what is shown: what is new, what stays, what is gone.
func (w waitingFile) lines() (lines []string) {
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

func (m *machine) waiting() (list []waitingFile) {
	for _, f := range m.settings.Untrusted {
		list = append(list, waitingOf(m.trust, f))
	}
	return list
}

// A trustDesk holds what waits for trust while a session runs, for a screen
// that shows one quiet line and, when asked, the rest. It may be used from any
// number of goroutines.
type trustDesk struct {
	store *settings.TrustStore

	mu    sync.Mutex
	files []*settings.File
}

func (d *trustDesk) set(files []*settings.File) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files = files
}

// An offer of trust is what was shown, and only that is accepted.
type trustOffer struct {
	files []*settings.File
	store *settings.TrustStore
}

// offer is what waits now.
func (d *trustDesk) offer() trustOffer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return trustOffer{d.files, d.store}
}

// count is how many settings wait.
func (o trustOffer) count() (n int) {
	for _, f := range o.files {
		n += len(settings.Loosening(f))
	}
	return n
}

// accept trusts exactly what was shown. A file that has changed since is not
// trusted, and the error is [settings.ErrChanged] for it; nor is one with a
// mistake, and the error is its first [settings.Problem]. The others are.
func (o trustOffer) accept() error {
	var errs []error
	for _, f := range o.files {
		if mistakes := unfit(f); len(mistakes) > 0 {
			errs = append(errs, fmt.Errorf("not trusted before it is mended: %w", mistakes[0]))
			continue
		}
		errs = append(errs, o.store.TrustShown(f))
	}
	return errors.Join(errs...)
}

// unfit are the mistakes because of which a file is not trusted: what they were
// meant to be is nowhere to be read.
func unfit(f *settings.File) []settings.Problem {
	return slices.DeleteFunc(problemsIn(settings.Path{Name: f.Name, Layer: f.Layer}, f.Content), func(p settings.Problem) bool {
		return p.Severity != settings.Error
	})
}
