package agenthook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// maxEvent is the longest event that is read, in bytes.
const maxEvent = 64 << 20

// ErrEvent is returned for input that is not one event.
var ErrEvent = errors.New("this is not an event of Claude Code")

// The events that the gate answers.
const (
	PreToolUse        = "PreToolUse"
	PermissionRequest = "PermissionRequest"
)

// An Event is what Claude Code tells its hook.
type Event struct {
	Name    string // PreToolUse, PermissionRequest, or one that isn't answered
	Session string
	Dir     string // where the session stands now, as it gave it
	Tool    string
	Input   json.RawMessage // the tool's arguments
	CallID  string
	// Protocol is how it came; empty is by a hook.
	Protocol string
}

// ReadEvent reads the one event of a hook.
func ReadEvent(r io.Reader) (Event, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err != nil {
		return Event{}, err
	}
	if len(raw) > maxEvent {
		return Event{}, fmt.Errorf("%w: it is larger than %d MiB", ErrEvent, maxEvent>>20)
	}
	// A map, since package json takes "Tool_Name" for a field tool_name too.
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil || o == nil {
		return Event{}, fmt.Errorf("%w: not one JSON object", ErrEvent)
	}
	e := Event{Input: bytes.TrimSpace(o["tool_input"])}
	for name, field := range map[string]*string{
		"hook_event_name": &e.Name, "session_id": &e.Session, "cwd": &e.Dir, "tool_name": &e.Tool, "tool_use_id": &e.CallID,
	} {
		if raw, ok := o[name]; ok && json.Unmarshal(raw, field) != nil {
			return Event{}, fmt.Errorf("%w: %s is not a text", ErrEvent, name)
		}
	}
	switch {
	case e.Name == "":
		return Event{}, fmt.Errorf("%w: it has no hook_event_name", ErrEvent)
	case e.Answered() && (e.Tool == "" || e.Dir == ""):
		return Event{}, fmt.Errorf("%w: it doesn't say which tool runs where", ErrEvent)
	}
	return e, nil
}

// Answered reports whether the gate has something to say to the event.
func (e Event) Answered() bool { return e.Name == PreToolUse || e.Name == PermissionRequest }

// kinds are what Claude Code's tools do, in the words of the Agent Client
// Protocol. A tool that isn't here may do anything.
var kinds = map[string]string{
	"Bash": "execute", "Write": "edit", "Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit",
	"Read": "read", "NotebookRead": "read", "Glob": "search", "Grep": "search", "LS": "search", "WebFetch": "fetch",
}

// own are tools that act on nothing but the session, and tools whose calls come
// to the hook one by one. Rules may deny them; else they are left to Claude
// Code, which asks the person where that is their purpose.
var own = map[string]bool{
	AskUserQuestion: true, EnterPlanMode: true, ExitPlanMode: true, "TodoWrite": true, "TodoRead": true,
	"TaskCreate": true, "TaskUpdate": true, "TaskList": true, "TaskGet": true, "TaskOutput": true, "TaskStop": true,
	"Task": true, "Agent": true, "BashOutput": true, "KillShell": true, "KillBash": true, "ToolSearch": true,
}

// The tools by which the model asks the person something.
const (
	AskUserQuestion = "AskUserQuestion"
	EnterPlanMode   = "EnterPlanMode"
	ExitPlanMode    = "ExitPlanMode"
)

// Own reports a tool that Claude Code answers for, unless a rule denies it.
func (e Event) Own() bool { return own[e.Tool] }

// Requests are the actions of the call, of which each has to be allowed.
func (e Event) Requests(workspace string) []gate.Request {
	origin := gate.Origin{Agent: "Claude Code", Session: e.Session, Protocol: cmp.Or(e.Protocol, "hook"), Workspace: workspace}
	switch {
	case e.Own():
		r := gate.Request{Tool: e.Tool, Detail: string(e.Input), Declared: gate.Declaration{Tier: gate.Read}, Origin: origin}
		return []gate.Request{r}
	case e.Tool == "WebSearch":
		return []gate.Request{e.webSearch(origin)}
	}
	kind, known := kinds[e.Tool]
	input := e.Input
	if known && kind != "fetch" {
		input = e.located(kind)
	}
	if !known {
		kind = "other"
	}
	call, err := json.Marshal(map[string]any{"toolCallId": e.CallID, "name": e.Tool, "kind": kind, "rawInput": input})
	if err != nil { // the input was read as JSON
		call = nil
	}
	requests := acp.Requests(origin, call)
	for i := range requests {
		r := &requests[i]
		r.Editable = e.canEdit(r, len(requests))
		if !known && r.Kind != gate.NoKind && r.Kind != gate.MCPTool {
			guessed(r)
		}
	}
	return requests
}

// guessed has a person asked about a tool that isn't known and whose arguments
// only look like those of one that is: its "command" may be for another shell,
// or for no shell. Rules that deny hold for what it looks like.
func guessed(r *gate.Request) {
	r.Declared = gate.Declaration{Tier: gate.Exec, Policy: gate.PolicyPrompt, Reason: "what this tool does is only guessed from its arguments"}
	r.Key, r.KeyLabel, r.GrantTargets = "", "", nil
}

// located says where the call runs, which Claude Code tells beside its
// arguments. An argument of that name in the call itself is then a second one,
// which has a person asked.
func (e Event) located(kind string) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(e.Input, &o) != nil || o == nil {
		return e.Input
	}
	input := append(bytes.TrimSuffix(bytes.Clone(e.Input), []byte("}")), ' ')
	add := func(name string) {
		if len(o) > 0 {
			input = append(input, ',')
		}
		o[name] = nil
		value, _ := json.Marshal(e.Dir)
		input = append(append(append(input, '"'), name...), `":`...)
		input = append(input, value...)
	}
	add("cwd")
	if _, named := o["path"]; kind == "search" && !named {
		add("path") // a search without a folder is one of where it stands
	}
	return append(input, '}')
}

// webSearch is a search of the web, at the model's provider.
func (e Event) webSearch(origin gate.Origin) gate.Request {
	r := gate.Request{Tool: e.Tool, Kind: gate.Network, Targets: []string{"anthropic"}, Detail: string(e.Input), Origin: origin}
	r.Declared.Tier = gate.Read
	r.Key, r.KeyLabel = gate.SearchKey("anthropic")
	return r
}
