package stream

import (
	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/prompts"
)

// An Event is something that a screen shows. Texts in events come from the
// program and are not escaped.
type Event interface{ event() }

type (
	// Decided is the gate's verdict on a request.
	Decided struct {
		ID      string
		Verdict gate.Verdict
	}
	// Said is what the agent says.
	Said struct{ Text string }
	// TurnStarted begins a turn on what the person wanted.
	TurnStarted struct{ Text string }
	// TurnEnded ends the turn of a session.
	TurnEnded struct{ Session, Reason string }
	// Todos is the whole checklist.
	Todos struct{ List prompts.TodoList }
	// PlanReviewed is the outcome of a plan review.
	PlanReviewed struct{ Result prompts.PlanResult }
)

func (Decided) event()      {}
func (Said) event()         {}
func (TurnStarted) event()  {}
func (TurnEnded) event()    {}
func (Todos) event()        {}
func (PlanReviewed) event() {}

// tell handles a message that isn't answered.
func (s *Server) tell(m message) bool {
	switch {
	case m.Type == "said":
		s.event(Said{m.Text})
	case m.Type == "turn" && m.State == "started":
		s.event(TurnStarted{m.Text})
	case m.Type == "turn" && m.State == "ended":
		s.event(TurnEnded{m.Session, m.Text})
	case m.Type == "withdraw":
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel, ok := s.waiting[m.ID]; ok {
			cancel(gate.ErrWithdrawn)
		}
	default:
		return false
	}
	return true
}

func (s *Server) event(e Event) {
	if s.o.Events == nil {
		return
	}
	s.events.Lock()
	defer s.events.Unlock()
	s.o.Events(e)
}
