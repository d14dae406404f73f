package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/desk"
	"github.com/blitz-approve/blitz-approve/prompts"
	"github.com/blitz-approve/blitz-approve/tui"
)

// deskFolder is where the desk's socket is.
func (m *machine) deskFolder() string { return filepath.Join(m.home, "run") }

// openDesk is the program without a command: the inbox of all agents on this
// machine (BEY-01). Without a terminal it says what there is instead: a script
// that starts it by mistake must not take that for an answer.
func openDesk(cmd *cobra.Command, f *flags) error {
	m, err := f.load()
	if err != nil {
		return err
	}
	term, err := m.terminal()
	if errors.Is(err, tui.ErrNoTerminal) {
		return &codedError{exitNoTerminal, fmt.Errorf(withoutDesk, err)}
	}
	if err != nil {
		return &codedError{exitNoTerminal, err}
	}
	return closing(term, m.desk(cmd.Context(), term))
}

const withoutDesk = `the desk is a screen, and there is %w
start blitz-approve in a terminal; without one, blitz-approve check says what
would happen to a request, and blitz-approve run --unattended runs an agent by
rules alone
blitz-approve --help lists all commands`

// desk runs the inbox on a terminal until the person leaves.
func (m *machine) desk(ctx context.Context, term *tui.Terminal) error {
	d, err := desk.Open(m.deskFolder())
	if errors.Is(err, desk.ErrTaken) {
		return fmt.Errorf("%w: look for it in another window", err)
	}
	if err != nil {
		return fmt.Errorf("open the desk: %w", err)
	}
	defer d.Close()
	o := m.look()
	o.Agent, o.Several, o.Welcome = "desk", true, howToConnect()
	o.Revoke = d.Forget
	face := m.face(o, term)
	term.QuitOnSignal(face.Quit)
	ctx, leave := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, &room{face: face}) }()
	for _, n := range m.notices() {
		face.Show(n)
	}
	err = face.Run(ctx)
	leave()
	return ended(term, errors.Join(err, <-served))
}

func howToConnect() []string {
	return []string{
		"This is the desk. What agents on this machine want to do is asked here, oldest first.",
		"",
		"Claude Code, Codex, Gemini CLI, Copilot CLI, opencode and Cursor come to it by their own hooks, once they know it:",
		"    blitz-approve install claude",
		"",
		"Any other agent comes by a run in another terminal:",
		"    blitz-approve run --desk --prompt \"…\" AGENT",
		"where AGENT is one of " + strings.Join(presetNames(), ", ") + ", or a command behind --.",
		"",
		"Ctrl+D leaves; what waits then is refused.",
	}
}

// A room is the screen as the desk knows it.
type room struct {
	face display

	mu     sync.Mutex
	here   map[desk.Agent]int // how many of each are at the desk
	places []string           // where agents work, or did
	lines  int                // of the list of decisions
	tasks  *seat              // whose list of tasks is shown; nil for none
}

// Seat makes room for an agent.
func (r *room) Seat(a desk.Agent, cancel func()) desk.Seat {
	r.come(a, 1)
	r.mu.Lock()
	if !slices.Contains(r.places, a.Workspace) {
		r.places = append(r.places, a.Workspace)
	}
	r.mu.Unlock()
	if !a.Brief {
		r.face.Show(tui.Notice{Text: a.Name + " has come, in " + shortPath(a.Workspace)})
	}
	client := &tui.Client{Agent: a.Name, Workspace: shortPath(a.Workspace), Cancel: cancel}
	return &seat{r.face.Seat(client), r, a}
}

// Dropped shows who was sent away.
func (r *room) Dropped(why error) {
	r.face.Show(tui.Notice{Severity: tui.Warning, Text: why.Error()})
}

// Standing shows what is kept here for agents' sessions.
func (r *room) Standing(list []gate.Approved) { r.face.Show(tui.TimedApprovals{List: list}) }

// come counts agents in and out. Those of one session are one agent: its hooks
// come in a process each.
func (r *room) come(a desk.Agent, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.here == nil {
		r.here = map[desk.Agent]int{}
	}
	if r.here[a] += n; r.here[a] == 0 {
		delete(r.here, a)
	}
	agents := 0
	for a, n := range r.here {
		if a.Session != "" {
			n = 1
		}
		agents += n
	}
	r.face.Show(tui.Connected{Agents: agents})
}

// A seat is one agent's place.
type seat struct {
	*tui.Seat
	room  *room
	agent desk.Agent
}

// Settled lists what the agent's gate decided.
func (s *seat) Settled(v gate.Verdict) {
	s.room.mu.Lock()
	s.room.lines++
	call := settledCall(fmt.Sprint(s.room.lines), s.agent.Name, v)
	call.Place = tui.TellApart(s.agent.Workspace, s.room.places)
	s.room.mu.Unlock()
	s.room.face.Show(call)
}

// SetTodos shows the agent's tasks: those of the agent that told of some last.
func (s *seat) SetTodos(list prompts.TodoList) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.room.tasks = s
	s.room.face.Show(tui.Tasks{List: list, Agent: s.agent.Name})
}

// forget takes the agent's tasks off the screen.
func (s *seat) forget() {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.room.tasks == s {
		s.room.tasks = nil
		s.room.face.Show(tui.Tasks{})
	}
}

// Leave tells that the agent has gone.
func (s *seat) Leave() {
	s.forget()
	s.room.come(s.agent, -1)
	if !s.agent.Brief {
		s.room.face.Show(tui.Notice{Text: s.agent.Name + " has gone"})
	}
}

// atDesk connects the session with the desk. Without one it is nil; that is an
// error where the person asked for the desk.
func (s *session) atDesk(ctx context.Context) error {
	client, err := desk.Dial(ctx, s.machine.deskFolder(), desk.Agent{Name: s.name, Workspace: s.machine.workspace, Session: s.agentSession, Brief: s.brief}, s.cancelTurn)
	switch {
	case err == nil:
		s.desk = client
		return nil
	case s.needsDesk && errors.Is(err, desk.ErrNoDesk):
		return &codedError{exitNoTerminal, errors.New("no desk is open: run blitz-approve in another terminal first")}
	case s.needsDesk:
		return err
	case !errors.Is(err, desk.ErrNoDesk):
		s.deskNote = "the desk can't be used, so that nobody can be asked: " + err.Error()
	}
	return nil
}

// people says who can answer questions now.
func (s *session) people(ctx context.Context) prompts.Host {
	h := prompts.Host{Agent: s.name, Unattended: s.permits != nil, DontAsk: s.gate.Mode() == gate.DontAsk}
	if s.desk != nil && s.desk.Connect(ctx) == nil {
		h.Prompter = s.desk
	}
	return h
}

// cancelTurn is what Ctrl+C at the desk does.
func (s *session) cancelTurn() {
	if stop := s.stop.Load(); stop != nil {
		(*stop)()
	}
}

// stops says how the turn is ended from now on.
func (s *session) stops(stop func()) { s.stop.Store(&stop) }
