package gate

import "encoding/json"

// A Tool is how an agent written in Go declares a tool whose arguments are an
// A, so that each call of it becomes a [Request] (TAM-26). Only Name is
// needed: a tool that says no more is tier exec and asks accordingly. A
// function of it that panics has said nothing, which is never looser than what
// it could have said.
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
	said := err == nil
	if t.ApprovalFor != nil {
		r.Declared, _ = called(t.ApprovalFor, args)
	}
	if t.Targets != nil {
		var ok bool
		r.Targets, ok = called(t.Targets, args)
		said = said && ok
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
		r.GrantTargets, _ = called(t.GrantTargets, args)
	}
	// What can't be told in full is approved once or not at all.
	r.Unrevealed = !said || r.Kind != NoKind && len(r.Targets) == 0
	r.Key, r.KeyLabel = r.usualKey()
	return r
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
