package agenthook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
	"github.com/blitz-approve/blitz-approve/gate/acp"
)

// Requests are the actions of the call, of which each has to be allowed. An agent
// that has its hook asked goes by rules of its own when that says nothing.
func (e Event) Requests(workspace string) []gate.Request {
	requests := e.requests(workspace)
	for i := range requests {
		requests[i].OwnRules = e.Protocol == ""
	}
	return requests
}

func (e Event) requests(workspace string) []gate.Request {
	origin := gate.Origin{Agent: e.Agent.Title, Session: e.Session, Protocol: cmp.Or(e.Protocol, "hook"), Workspace: workspace}
	t, known := e.tool()
	switch {
	case t.own:
		r := gate.Request{Tool: e.Tool, Targets: acp.Started(e.Tool, e.Input), Detail: gate.ReadableJSON(e.Input), Declared: gate.Declaration{Tier: gate.Read}, Origin: origin}
		if t.starts { // which is exec, but asks for nothing that isn't asked for again
			r.Declared.Tier, r.Gated = gate.Exec, true
		}
		return []gate.Request{r}
	case t.searches:
		return []gate.Request{e.webSearch(origin)}
	case t.kind == kindPatch:
		return e.patchRequests(origin)
	}
	name, kind, input := e.Tool, t.kind, e.spelled(t)
	switch {
	case known && kind != "fetch":
		input = located(input, e.dir(t), kind)
	case !known:
		kind = "other"
	}
	// In such a name nobody could tell where the server's ends.
	if e.server != "" && !strings.Contains(e.server+"_", "__") {
		name = "mcp__" + e.server + "__" + e.member
	}
	call, err := json.Marshal(map[string]any{"toolCallId": e.CallID, "name": name, "kind": kind, "rawInput": input})
	if err != nil { // the input was read as JSON
		call = nil
	}
	requests := acp.Requests(origin, call)
	for i := range requests {
		r := &requests[i]
		r.Editable = e.canEdit(t, r, len(requests))
		if kind == "search" {
			r.Search.Ignores, r.Search.LeaveOut = t.ignores, t.leaves
		}
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

// dir is where the call runs.
func (e Event) dir(t tool) string {
	var dir string
	if json.Unmarshal(e.fields()[t.dir], &dir) != nil || dir == "" {
		return e.Dir
	}
	return e.absolute(dir)
}

// spelled are the arguments in the usual words. The rest stays as it came, also
// what comes twice: it has a person asked.
func (e Event) spelled(t tool) json.RawMessage {
	if t.dir == "" && len(t.spelled) == 0 {
		return e.Input
	}
	list, err := parts(e.Input, part{to: len(e.Input)}, '{')
	if err != nil {
		return e.Input
	}
	taken := false // the directory
	var out []byte
	for _, p := range list {
		name, other := t.spelled[p.name]
		text := new(string)
		switch {
		case p.name == t.dir && t.dir != "" && !taken && json.Unmarshal(e.Input[p.from:p.to], text) == nil:
			taken = true
			continue
		case other && name == "":
			continue
		case !other:
			name = p.name
		}
		quoted, _ := json.Marshal(name)
		out = append(append(append(append(out, ','), quoted...), ':'), e.Input[p.from:p.to]...)
	}
	return append(append([]byte{'{'}, bytes.TrimPrefix(out, []byte{','})...), '}')
}

// located says where a call runs, which agents tell beside its arguments. An
// argument of that name in the call itself is then a second one, which has a
// person asked.
func located(input json.RawMessage, dir, kind string) json.RawMessage {
	var o object
	if json.Unmarshal(input, &o) != nil || o == nil {
		return input
	}
	located := append(bytes.TrimSuffix(bytes.Clone(input), []byte("}")), ' ')
	add := func(name string) {
		if len(o) > 0 {
			located = append(located, ',')
		}
		o[name] = nil
		value, _ := json.Marshal(dir)
		located = append(append(append(located, '"'), name...), `":`...)
		located = append(located, value...)
	}
	add("cwd")
	_, named := o["path"]
	if _, other := o["dir_path"]; kind == "search" && !named && !other {
		add("path") // a search without a folder is one of where it stands
	}
	return append(located, '}')
}

// webSearch is a search of the web, at the model's provider.
func (e Event) webSearch(origin gate.Origin) gate.Request {
	provider := e.Agent.search
	r := gate.Request{Tool: e.Tool, Kind: gate.Network, Targets: []string{provider}, Detail: gate.ReadableJSON(e.Input), Origin: origin}
	r.Declared.Tier = gate.Read
	r.Key, r.KeyLabel = gate.SearchKey(provider)
	return r
}
