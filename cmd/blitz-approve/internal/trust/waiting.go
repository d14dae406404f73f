// Package trust is what of a project's settings waits for the person's trust,
// and how it is shown and given (APR-15a).
package trust

import "github.com/blitz-approve/blitz-approve/settings"

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
