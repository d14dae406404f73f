package gate

import (
	"context"
	"slices"
	"sync"
)

// A showing is what a person was shown, or will be, of one request: the prompt
// that it was first asked with, and each that took the place of the one before
// when a change of mode, rules or grants had it judged otherwise. The prompts
// belong to the goroutine that waits.
type showing struct {
	prompts []Prompt
	newest  chan Prompt // at most one, which the approver hasn't taken yet
	renewed func(context.Context) (Prompt, bool)

	mu   sync.Mutex
	last *look // it may be what is shown
}

// A look is one at an edit, which the person makes of what is shown.
type look struct {
	edit    Edit
	over    bool // what follows is known
	outcome Prompt
	refusal error
}

func newShowing(g *Gate) *showing {
	s := &showing{newest: make(chan Prompt, 1)}
	s.renewed = func(ctx context.Context) (Prompt, bool) {
		select {
		case p := <-s.newest:
			return g.completed(p), true
		case <-ctx.Done():
			return Prompt{}, false
		}
	}
	return s
}

func (s *showing) begin(p Prompt) {
	p.Renewed = s.renewed
	s.prompts = []Prompt{p}
}

func (s *showing) first() Prompt { return s.prompts[0] }

// at is the prompt with that number.
func (s *showing) at(renewal int) (p Prompt, ok bool) {
	if renewal < 0 || renewal >= len(s.prompts) {
		return Prompt{}, false
	}
	return s.prompts[renewal], true
}

// renew has p shown in place of what is shown, if it says anything else, or if
// the edit that may be shown has to be looked at again. It waits since the same
// moment, and in the same turn.
func (s *showing) renew(p Prompt, anyway bool) {
	now := &s.prompts[len(s.prompts)-1]
	if p.says(now) && !anyway {
		return
	}
	p.Renewal = len(s.prompts)
	p.Verdict.Trail = consulted(p.Verdict.Trail, now.Verdict.Trail)
	p.Since, p.Revise, p.Renewed, p.turn = now.Since, now.Revise, now.Renewed, now.turn
	s.prompts = append(s.prompts, p)
	select {
	case <-s.newest: // nobody needs to see it any more
	default:
	}
	s.newest <- p
}

// revised looks at an edit, and notes it as what the person may see from now on.
func (s *showing) revised(e Edit, revise func(Edit) (Prompt, error)) (Prompt, error) {
	begun := &look{edit: e}
	s.mu.Lock()
	s.last = begun
	s.mu.Unlock()
	p, err := revise(e)
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
	theirs := func(n Note) bool { return n.Step == "hooks" || n.Step == "review" }
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
