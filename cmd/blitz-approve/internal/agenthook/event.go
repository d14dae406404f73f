package agenthook

import "encoding/json"

// The events that the gate answers, as most agents call them.
const (
	PreToolUse        = "PreToolUse"
	PermissionRequest = "PermissionRequest"
)

// An Event is what an agent tells its hook.
type Event struct {
	Agent   *Agent
	Name    string // one that the gate answers, or another
	Session string
	Dir     string // where the session stands now, as it gave it
	Tool    string
	Input   json.RawMessage // the tool's arguments
	CallID  string
	// Protocol is how it came; empty is by a hook.
	Protocol string

	asks  bool // comes when the agent would ask the person itself
	calls bool // comes before every call
	// later says that an event that asks comes for the same call too.
	later bool
	host  hostAsked
	// server and member name the tool of an MCP server, where the agent says so.
	server, member string
}

// Answered reports whether the gate has something to say to the event.
func (e Event) Answered() bool { return e.asks || e.calls }

// AskedLater reports that the agent comes once more with the same call, by an
// event for which the person is to be asked; now it is only refused, or not.
func (e Event) AskedLater() bool { return e.later }

// Before is the event that came before with the same call, for which the person
// was asked already. There is one where the agent asks by itself about a call
// that its hook has let pass.
func (e Event) Before() (Event, bool) {
	if !e.asks || e.Agent.before == nil {
		return Event{}, false
	}
	return e.Agent.before(e), true
}

// hostAsked says how a program that hosts the agent gets to be asked about the
// call of an event. The zero value is for what it isn't sure to be.
type hostAsked uint8

const (
	bySilence  hostAsked = iota + 1 // when nothing is said to the event
	byAsk                           // when the agent is told to ask
	byItsRules                      // when nothing is said, unless the agent's own rules let it pass
)

// AskedByHost reports that a program which hosts the agent is asked about the
// call, if the event gets the answer [Event.PassedOn]. allows says whether the
// agent's own settings let anything pass before that.
func (e Event) AskedByHost(allows func() bool) bool {
	return e.host == bySilence || e.host == byAsk || e.host == byItsRules && !allows()
}

// PassedOn is the answer to an event that leaves the question to the program
// which hosts the agent. ask says that there is one; else it is up to the agent.
func (e Event) PassedOn(ask bool, reason string) Answer {
	if ask && e.host == byAsk {
		return Answer{Decision: Ask, Reason: reason}
	}
	return Answer{Decision: Silent}
}

// A tool is what is known of one of an agent's tools. The zero tool may do
// anything.
type tool struct {
	// kind is what it does, in the words of the Agent Client Protocol.
	kind string
	// own tools act on nothing but the session, or their calls come to the hook
	// one by one. Rules may deny them; else they are left to the agent, which
	// asks the person where that is their purpose.
	own bool
	// starts says that an own tool starts an agent, whose calls come to the hook.
	starts bool
	// searches says that it is the search of the web.
	searches bool
	// dir is the argument that says where it runs, relative to the session.
	dir string
	// spelled are arguments in other words than those that are read: the usual
	// word, or nothing for one that changes nothing of what is done.
	spelled map[string]string
	// ignores says that its search passes over what git ignores, and leaves is
	// what stands before a name that the search is to leave out.
	ignores bool
	leaves  string
	// edits are the arguments in which a person's edit goes back; none where it
	// can't.
	edits edits
}

// edits are the arguments of a command, of a whole text, or of a piece that is
// replaced, where all says that each occurrence is.
type edits struct{ command, whole, old, new, all string }

// tool is what is known of the tool. One of an MCP server may have any name, and
// so that of the agent's own.
func (e Event) tool() (tool, bool) {
	if e.server != "" {
		return tool{}, false
	}
	t, known := e.Agent.tools[e.Tool]
	return t, known
}

// Own reports a tool that the agent answers for, unless a rule denies it.
func (e Event) Own() bool {
	t, _ := e.tool()
	return t.own
}
