package gate

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A showing is what a person was shown, or will be, of one request: the prompt
// that it was first asked with, and those that took the place of the one before
// when a change of mode, rules or grants had it judged otherwise. Of these it
// keeps the last few that somebody saw: nothing else can be answered.
type showing struct {
	gate   *Gate
	signal chan struct{} // newest isn't what was shown last

	mu     sync.Mutex
	shown  []Prompt // the first, and the last few that the approver took
	newest Prompt
	anyway bool // newest is to be shown although it says nothing else
	taken  time.Time
	last   *look // it may be what is shown
}

// keptShown is how many prompts are kept that were shown after the first. An
// answer is on its way while others take the place of what it is to.
const keptShown = 8

// renewalPause is the least time between two prompts that take the place of
// another: what changes faster could be neither read nor answered. An answer is
// judged by what holds when it is given, so that what is shown may lag behind.
const renewalPause = 3 * time.Second

// A look is one at an edit, which the person makes of what is shown.
type look struct {
	edit    Edit
	over    bool // what follows is known
	outcome Prompt
	refusal error
}

// newShowing is of a request that is first asked with p.
func newShowing(g *Gate, p Prompt) *showing {
	s := &showing{gate: g, signal: make(chan struct{}, 1), newest: p}
	s.newest.Renewed = s.renewed
	s.shown = []Prompt{s.newest}
	return s
}

// first is the prompt that the request is first asked with, to be shown.
func (s *showing) first() Prompt {
	s.mu.Lock()
	p := s.shown[0]
	s.mu.Unlock()
	p = s.gate.completed(p)
	s.mu.Lock()
	s.shown[0] = p
	s.mu.Unlock()
	return p
}

// at is the prompt with that number, if it was shown of late or would be next.
func (s *showing) at(renewal int) (p Prompt, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range append(s.shown[:len(s.shown):len(s.shown)], s.newest) {
		if p.Renewal == renewal {
			return p, true
		}
	}
	return Prompt{}, false
}

// renew has p shown in place of what is shown, if it says anything else, or if
// the edit that may be shown has to be looked at again. It waits since the same
// moment, and in the same turn.
func (s *showing) renew(p Prompt, anyway bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := &s.newest
	if p.says(now) && !anyway {
		return
	}
	p.Renewal = now.Renewal + 1
	p.Verdict.Trail = consulted(p.Verdict.Trail, now.Verdict.Trail)
	p.Since, p.Revise, p.Renewed, p.turn = now.Since, now.Revise, now.Renewed, now.turn
	s.newest, s.anyway = p, s.anyway || anyway
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// renewed waits for a prompt that says something else than what was shown last,
// and until that has been there to be read.
func (s *showing) renewed(ctx context.Context) (Prompt, bool) {
	for {
		select {
		case <-s.signal:
		case <-ctx.Done():
			return Prompt{}, false
		}
		s.mu.Lock()
		wait := time.Until(s.taken.Add(renewalPause))
		s.mu.Unlock()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return Prompt{}, false
		}
		if p, ok := s.take(); ok {
			return p, true
		}
	}
}

// take is what takes the place of what was shown last; ok is false when that
// holds again.
func (s *showing) take() (p Prompt, ok bool) {
	s.mu.Lock()
	p, anyway := s.newest, s.anyway
	last := &s.shown[len(s.shown)-1]
	ok = anyway || !p.says(last)
	s.anyway = false
	s.mu.Unlock()
	if !ok {
		return p, false
	}
	p = s.gate.completed(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown = append(s.shown, p); len(s.shown) > 1+keptShown {
		s.shown = append(s.shown[:1], s.shown[2:]...)
	}
	s.taken = time.Now()
	return p, true
}

// revised looks at an edit, and notes it as what the person may see from now on.
func (s *showing) revised(e Edit, revise func(Edit) (Prompt, error)) (Prompt, error) {
	e = e.clone()
	begun := &look{edit: e}
	s.mu.Lock()
	s.last = begun
	renewal := s.shown[len(s.shown)-1].Renewal
	s.mu.Unlock()
	p, err := revise(e)
	p.Renewal = renewal
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == begun {
		s.last = &look{e, true, p, err}
	}
	return p, err
}

// editStale reports whether the last edit is judged otherwise now, also where
// the request as it came isn't.
func (s *showing) editStale(revise func(Edit) (Prompt, error)) bool {
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	switch {
	case last == nil:
		return false
	case !last.over: // perhaps at rules that hold no longer
		return true
	}
	p, err := revise(last.edit)
	if err != nil || last.refusal != nil {
		return err == nil || last.refusal == nil || err.Error() != last.refusal.Error()
	}
	return !p.says(&last.outcome)
}

// consulted is a trail with what hooks and the reviewer said in the one before:
// they aren't asked again.
func consulted(trail, before []Note) []Note {
	theirs := func(n Note) bool { return n.Step == StepHooks || n.Step == StepReview }
	ours := func(n Note) bool { return !theirs(n) }
	return append(slices.DeleteFunc(slices.Clone(trail), theirs), slices.DeleteFunc(slices.Clone(before), ours)...)
}

// says reports whether a person reads the same in p as in o: why it is asked,
// the verdict on each part, and what each answer would cover. The trail isn't
// compared, since it also tells what was asked of others on the way.
func (p *Prompt) says(o *Prompt) bool {
	v, w := &p.Verdict, &o.Verdict
	return v.Reason == w.Reason && v.Forced == w.Forced && v.Mode == w.Mode && v.Rule.says(w.Rule) &&
		p.Request.Declared == o.Request.Declared && slices.Equal(p.Request.GrantTargets, o.Request.GrantTargets) &&
		p.Session == o.Session && p.Saves == o.Saves && slices.Equal(v.Offers, w.Offers) &&
		slices.EqualFunc(v.Parts, w.Parts, Part.says) && slices.EqualFunc(p.Grants, o.Grants, GrantOffer.says)
}

func (p Part) says(o Part) bool {
	return p.Command == o.Command && p.Effect == o.Effect && p.Reason == o.Reason && p.Rule.says(o.Rule)
}

// says compares rules by what is shown of them: a new policy has new ones.
func (r *Rule) says(o *Rule) bool {
	if r == nil || o == nil {
		return r == o
	}
	return r.Effect == o.Effect && r.Text == o.Text && r.Source == o.Source
}

func (o GrantOffer) says(other GrantOffer) bool {
	return o.Scope == other.Scope && slices.Equal(o.Targets, other.Targets)
}
