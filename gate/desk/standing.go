package desk

import (
	"slices"
	"sync"
	"time"

	"github.com/blitz-approve/blitz-approve/gate"
)

// A board holds what people approved at this desk for the session of an agent
// that asks from a new process each time. The gate of such a process ends with its
// request, so that the desk keeps it: until it is taken back, or the desk closes.
type board struct {
	mu     sync.Mutex
	shown  func([]gate.Approved) // told of all that stands
	stands []stand               // in the order in which it was approved
	visits map[*visit]struct{}
}

// A stand is one thing that stands for an agent's session.
type stand struct {
	agent    Agent
	approved gate.Approved
}

func (b *board) shownIn(room Room) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown, b.visits = room.Standing, map[*visit]struct{}{}
}

// welcome greets a visit with what stands for its session, and has it told of
// each change from now on.
func (b *board) welcome(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v.tell(answering{Welcome: &welcome{version, b.holding(v.agent)}})
	b.visits[v] = struct{}{}
}

func (b *board) leave(v *visit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.visits, v)
}

// keep adds what a person approved for an agent's session, in the place of what
// it covers.
func (b *board) keep(agent Agent, a gate.Approved) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.Standing = true
	now := time.Now()
	b.stands = slices.DeleteFunc(b.stands, func(s stand) bool {
		old := &s.approved
		covered := s.agent == agent && old.Scope == a.Scope && (a.Until.IsZero() || !old.Until.IsZero())
		return covered || !old.Until.IsZero() && !now.Before(old.Until)
	})
	b.stands = append(b.stands, stand{agent, a})
	b.tell()
}

// forget takes everything back.
func (b *board) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stands = nil
	b.tell()
}

// tell says what stands now: to each agent for its session, and on the screen
// for all.
func (b *board) tell() {
	for v := range b.visits {
		if v.agent.Session != "" {
			standing := b.holding(v.agent)
			v.tell(answering{Standing: &standing})
		}
	}
	all := make([]gate.Approved, len(b.stands))
	for i, s := range b.stands {
		all[i] = s.approved
	}
	if b.shown != nil {
		b.shown(gate.SoonestFirst(all))
	}
}

// holding is what stands for an agent's session. Its gate knows when that is over.
func (b *board) holding(agent Agent) []gate.Approved {
	list := []gate.Approved{}
	for _, s := range b.stands {
		if s.agent == agent {
			list = append(list, s.approved)
		}
	}
	return list
}

// A standing is what a client was told that stands for its session.
type standing struct {
	mu   sync.Mutex
	list []gate.Approved
	told func([]gate.Approved)
}

func (s *standing) set(list []gate.Approved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = list
	if s.told != nil {
		s.told(list)
	}
}

// Standing has stand called with what stands at the desk for the agent's session,
// now and at each change; [gate.Gate.Stand] is one. It ends with the connection.
// One call comes at a time.
func (c *Client) Standing(stand func([]gate.Approved)) {
	s := &c.standing
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = stand
	stand(s.list)
}
