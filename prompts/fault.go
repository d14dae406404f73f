package prompts

import (
	"slices"
	"strings"
)

// TakesWords reports whether an answer in the person's own words can be taken.
// A closed question without options would have no answer at all.
func (q Question) TakesWords() bool { return !q.Closed || len(q.Options) == 0 }

// MayBeLeft reports whether a choice needs an entry beside its options for no
// answer at all. Where several may be chosen, choosing none says the same.
func (q Question) MayBeLeft() bool { return q.Optional && !q.MultiSelect && !q.TakesWords() }

// Fault says why an answer doesn't do; it is empty when it does. A screen calls
// it before it takes the answer.
func (q Question) Fault(a Answer) string {
	if !q.TakesWords() && !q.offered(a) {
		return "Please choose from the list."
	}
	if q.Check == nil {
		return ""
	}
	return q.Check(a)
}

// offered reports whether nothing but options was chosen.
func (q Question) offered(a Answer) bool {
	for _, label := range a.Selected {
		if !slices.ContainsFunc(q.Options, func(o Option) bool { return o.Label == label }) {
			return false
		}
	}
	return a.Text == "" || a.Text == strings.Join(a.Selected, ", ") || q.labelled(a.Text) >= 0
}
