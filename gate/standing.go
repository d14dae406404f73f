package gate

import (
	"slices"
	"time"
)

// Stand takes over what a person approved for an agent's session where that is
// kept outside of its gates, as a desk does for an agent that asks from a process
// of its own each time. It replaces what stood before, also for requests that
// wait.
//
// What stands counts less than what was approved in this process: it passes a
// request only where a person could answer just that again, with the same scope.
// So it reaches nothing that must be asked each time, and a change of rules or of
// the mode comes first.
func (g *Gate) Stand(list []Approved) {
	list = slices.Clone(list)
	g.change(func(s *state) { s.session.standing = list })
}

// standing finds what stands and covers the request.
func (e *evaluation) standing() *Approved {
	if len(e.session.standing) == 0 || !slices.Contains(e.offers(), Session) {
		return nil
	}
	scope, from := e.verdict.scope(), &e.verdict.Request.Origin
	for i := range e.session.standing {
		a := &e.session.standing[i]
		if a.Scope == scope && a.Session != "" && a.Session == from.Session && a.Agent == from.Agent &&
			(a.Until.IsZero() || !over(e.now, a.Until)) {
			return a
		}
	}
	return nil
}

func (e *evaluation) passStanding(a *Approved) {
	if a.Until.IsZero() {
		e.allow(CauseSessionRule, "approved at the desk for this session: "+a.Label)
		return
	}
	e.verdict.Until = a.Until
	e.allow(CauseTimedRule, "approved at the desk until "+a.Until.Local().Format(time.TimeOnly)+": "+a.Label)
}
