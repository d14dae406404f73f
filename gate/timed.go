package gate

import (
	"slices"
	"time"
)

// An Approved is what a person approved for a turn or until a time (BEY-07).
// It covers what a session approval of the same request would cover, for the
// same agent session when it is for a turn, and ends exactly then.
type Approved struct {
	// Label says in words what is covered.
	Label string
	// Until is when it ends; zero is the end of the turn of Session, or of
	// Session itself for what is Standing.
	Until time.Time
	// Session is that of Agent. Two agents may give theirs the same name.
	Session, Agent string
	Scope          Scope
	// Standing says that it is kept for Session outside of its gates, until it is
	// taken back: see [Gate.Stand].
	Standing bool
}

// holds reports whether a is still in force at now for a request of an agent's
// session.
func (a *Approved) holds(now time.Time, from *Origin) bool {
	if a.Until.IsZero() {
		return a.Session == from.Session && a.Agent == from.Agent
	}
	return !over(now, a.Until)
}

// over reports whether the time has come, by the clock that a person was shown
// or by the time that went by: while a machine sleeps only the first goes on,
// and a clock that is set back doesn't make an approval last.
func over(now, until time.Time) bool {
	return !now.Before(until) || overByClock(now, until)
}

func overByClock(now, until time.Time) bool { return !now.Round(0).Before(until.Round(0)) }

// ended drops what is over from a copy.
func (s *session) ended(now time.Time) []Approved {
	return slices.DeleteFunc(slices.Clone(s.timed), func(a Approved) bool {
		return !a.Until.IsZero() && over(now, a.Until)
	})
}

// Approved lists what is approved for a turn or until a time and still holds;
// what ends first comes first, turns last.
func (g *Gate) Approved() []Approved {
	return SoonestFirst(g.state.Load().session.ended(g.now()))
}

// SoonestFirst sorts what was approved: what ends first comes first, what ends by
// no time last, in the order in which it was.
func SoonestFirst(list []Approved) []Approved {
	slices.SortStableFunc(list, func(a, b Approved) int {
		switch {
		case a.Until.IsZero() == b.Until.IsZero():
			return a.Until.Compare(b.Until)
		case a.Until.IsZero():
			return 1
		}
		return -1
	})
	return list
}

// EndTurn ends what was approved for the turn of an agent's session. An answer
// for that turn which comes later approves once.
func (g *Gate) EndTurn(agentSession string) {
	g.change(func(s *state) {
		turns := make(map[string]int, len(s.session.turns)+1)
		for name, n := range s.session.turns {
			turns[name] = n
		}
		turns[agentSession]++
		s.session.turns = turns
		s.session.timed = slices.DeleteFunc(s.session.ended(g.now()), func(a Approved) bool {
			return a.Until.IsZero() && a.Session == agentSession
		})
	})
}

// RevokeApproved ends everything that is approved for a turn or until a time.
func (g *Gate) RevokeApproved() { g.change(func(s *state) { s.session.timed = nil }) }

// Changed closes at the next change of the mode, the policy or what is
// approved. It doesn't close when an approval ends by its time.
func (g *Gate) Changed() <-chan struct{} { return *g.changed.Load() }

// approveTimed approves until the turn ends or for a while, which is remembered
// once it is recorded (BEY-07).
func (g *Gate) approveTimed(v Verdict, shown Prompt, a Answer) Verdict {
	d := a.Decision
	if !shown.Offers(d) || !(Prompt{Verdict: v}).Offers(d) || sessionScope(&v) != shown.Session || d == Until && a.For <= 0 {
		return approvedOnly(v)
	}
	kept := v.kept(shown.Session)
	cause, reason := CauseUserTurn, "a person approved it for this turn"
	if d == Until {
		kept.Until = g.now().Add(a.For)
		cause, reason = CauseUserUntil, "a person approved it until "+kept.Until.Format(time.TimeOnly)
	}
	if d == Turn && g.state.Load().session.turns[kept.Session] != shown.turn {
		v = approvedOnly(v)
		v.Warning = turnEnded
		return v
	}
	v = approved(v, cause, reason)
	v.Until = kept.Until
	v.remember = func(v *Verdict) {
		if over := g.keep(kept, shown.turn); over {
			v.Until, v.Warning = time.Time{}, turnEnded
			return
		}
		v.Kept = &kept
	}
	return v
}

const turnEnded = "its turn has ended, so that it was approved once"

// keep remembers what was approved, unless it was for a turn that has ended.
func (g *Gate) keep(a Approved, turn int) (over bool) {
	g.change(func(s *state) {
		if over = a.Until.IsZero() && s.session.turns[a.Session] != turn; !over {
			s.session.timed = append(s.session.ended(g.now()), a)
		}
	})
	return over
}

// timed finds what was approved for a turn or a time and covers the request.
func (e *evaluation) timed() *Approved {
	if len(e.session.timed) == 0 {
		return nil
	}
	req := &e.verdict.Request
	keyed, mayTool := e.keyCovers(), !req.Unrevealed && !e.anyProtected()
	for i := range e.session.timed {
		a := &e.session.timed[i]
		switch {
		case !a.holds(e.now, &req.Origin):
		case a.Scope.Key != "" && keyed && e.keyIn(func(key string) bool { return key == a.Scope.Key }):
			return a
		case a.Scope.Key == "" && mayTool && a.Scope == req.toolScope():
			return a
		}
	}
	return nil
}

func (e *evaluation) passTimed(a *Approved) {
	if a.Until.IsZero() {
		e.allow(CauseTurnRule, "approved for this turn: "+a.Label)
		return
	}
	e.verdict.Until = a.Until
	e.allow(CauseTimedRule, "approved until "+a.Until.Format(time.TimeOnly)+": "+a.Label)
}
