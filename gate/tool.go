package gate

import (
	"encoding/json"
	"strings"
)

// A Tool is how an agent written in Go declares a tool whose arguments are an
// A, so that each call of it becomes a [Request] (TAM-26). Only Name is
// needed: a tool that says no more is tier exec and asks accordingly. Where
// a function of it panics, it might have refused, so that a person is asked in
// every mode.
type Tool[A any] struct {
	// Name is the one that rules and user policies know.
	Name string
	// Kind is that of its calls; NoKind is decided by tier alone.
	Kind Kind
	// Server is the MCP server behind it, for [MCPTool].
	Server string
	// Approval is the tool's word on every call (TAM-01); the zero value is
	// tier exec.
	Approval Declaration
	// ApprovalFor is its word on one call, and stands instead of Approval.
	ApprovalFor func(A) Declaration
	// Targets are what rules match, as in [Request]. A tool of a kind needs
	// them, but for an MCP tool, whose target is itself.
	Targets func(A) []string
	// Details are shown to the person who is asked (TAM-19); without it, and
	// beside it, the arguments are shown as JSON.
	Details func(A) []Field
	// GrantTargets are what ask-and-remember looks up and records (TAM-07).
	GrantTargets func(A) []GrantTarget
}

// Request is the call of the tool with args in a workspace. What the call
// does must be what args say at this moment: build the request again when
// something has changed them (TAM-02).
func (t *Tool[A]) Request(workspace string, args A) Request {
	r := Request{Tool: t.Name, Kind: t.Kind, Server: t.Server, Declared: t.Approval, Origin: Origin{Protocol: "embedded", Workspace: workspace}}
	detail, err := json.Marshal(args)
	r.Detail = ReadableJSON(detail)
	said, whole := err == nil, true
	if t.ApprovalFor != nil {
		r.Declared, whole = called(t.ApprovalFor, args)
	}
	if t.Targets != nil {
		var ok bool
		r.Targets, ok = called(t.Targets, args)
		whole = whole && ok
	}
	if r.Kind == MCPTool && len(r.Targets) == 0 {
		r.Targets = []string{t.Server + ":" + t.Name}
	}
	if t.Details != nil {
		var ok bool
		r.Fields, ok = called(t.Details, args)
		said = said && ok
	}
	if t.GrantTargets != nil {
		var ok bool
		r.GrantTargets, ok = called(t.GrantTargets, args)
		whole = whole && ok
	} else if r.Kind == Network {
		r.GrantTargets = reached(r.Targets)
	}
	if !whole {
		r.Declared = Declaration{Policy: PolicyPrompt, PolicyKey: t.Approval.PolicyKey, Reason: "the tool failed to say what this call does"}
	}
	// What can't be told in full is approved once or not at all.
	r.Unrevealed = !said || !whole || r.Kind != NoKind && len(r.Targets) == 0
	r.Key, r.KeyLabel = r.usualKey()
	return r
}

// reached are the addresses of a network request for ask-and-remember, which
// looks at those that are not public (TAM-09).
func reached(targets []string) (list []GrantTarget) {
	for _, t := range targets {
		if !strings.Contains(t, "://") {
			t = "http://" + t + "/"
		}
		list = append(list, GrantTarget{Kind: GrantURL, Path: t})
	}
	return list
}

// called shields the gate from a tool's function that panics.
func called[A, T any](f func(A) T, args A) (value T, ok bool) {
	defer func() {
		if fault := recover(); fault != nil {
			var none T
			value, ok = none, false
		}
	}()
	return f(args), true
}
