package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// An Agent is one whose hooks are known: what they are told, what its tools do,
// and in which form it takes an answer.
type Agent struct {
	Name  string // as in "hook NAME"
	Title string
	// Limit is how long the agent lets a hook run whose settings say nothing.
	Limit time.Duration
	// Project is the environment variable in which hooks find the folder that the
	// agent works on; empty where there is none.
	Project string

	// read takes an event from its fields.
	read func(object) (Event, error)
	// answer is what is printed; nil is nothing. It holds exactly the fields that
	// the agent knows.
	answer func(Event, Answer) any
	// before is the event that came before with the call of one that asks, and was
	// asked about in full; nil where none did.
	before func(Event) Event
	// explicit says that an answer is wanted also to an event that is left to the
	// agent.
	explicit bool
	// editsAsked says that an answer to an event that asks may carry other
	// arguments.
	editsAsked bool
	tools      map[string]tool
	search     string // the provider that its search of the web asks
	settings   settings
}

// The known agents.
var agents = []*Agent{Claude, Codex, Gemini, Copilot, OpenCode, Cursor}

// Names are those of the known agents.
func Names() (names []string) {
	for _, a := range agents {
		names = append(names, a.Name)
	}
	return names
}

// For is the agent of that name.
func For(name string) (*Agent, bool) {
	i := slices.IndexFunc(agents, func(a *Agent) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return agents[i], true
}

// maxEvent is the longest event that is read, in bytes.
const maxEvent = 64 << 20

// ErrEvent is returned for input that is not one event.
var ErrEvent = errors.New("this is not an event of the agent's")

// object is a JSON object; a map, since package json takes "Tool_Name" for a
// field tool_name too.
type object = map[string]json.RawMessage

// ReadEvent reads the one event of a hook.
func (a *Agent) ReadEvent(r io.Reader) (Event, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err != nil {
		return Event{}, err
	}
	if len(raw) > maxEvent {
		return Event{}, fmt.Errorf("%w: it is larger than %d MiB", ErrEvent, maxEvent>>20)
	}
	var o object
	if err := json.Unmarshal(raw, &o); err != nil || o == nil {
		return Event{}, fmt.Errorf("%w: not one JSON object", ErrEvent)
	}
	e, err := a.read(o)
	if err != nil {
		return Event{}, err
	}
	e.Agent = a
	switch {
	case e.Name == "":
		return Event{}, fmt.Errorf("%w: it doesn't say which one", ErrEvent)
	case e.Answered() && (e.Tool == "" || e.Dir == ""):
		return Event{}, fmt.Errorf("%w: it doesn't say which tool runs where", ErrEvent)
	}
	return e, nil
}

// texts takes fields of an event; those that are missing stay empty.
func texts(o object, fields map[string]*string) error {
	for name, field := range fields {
		if raw, ok := o[name]; ok && json.Unmarshal(raw, field) != nil {
			return fmt.Errorf("%w: %s is not a text", ErrEvent, name)
		}
	}
	return nil
}

// claudeLike reads the fields that several agents have from Claude Code.
func claudeLike(o object) (Event, error) {
	e := Event{Input: bytes.TrimSpace(o["tool_input"])}
	return e, texts(o, map[string]*string{
		"hook_event_name": &e.Name, "session_id": &e.Session, "cwd": &e.Dir, "tool_name": &e.Tool, "tool_use_id": &e.CallID,
	})
}
