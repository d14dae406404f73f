package gate

import (
	"encoding/json"
	"fmt"
)

// A Description is a request as programs and files write it down: what is done,
// by its kind, from which targets, key and grant targets follow. It is the one
// way from such words to a [Request], so that all that is written alike is
// decided on alike (BEY-01).
type Description struct {
	Tool    string
	Kind    Kind
	Command *string
	Paths   []string
	URL     string
	Server  *string // with Tool, of an MCP server
	// Targets are what rules look at instead of what the fields above say. Of
	// edits and deletions the key is for the workspace; else there is none then,
	// since it may cover something else.
	Targets []string
	// Tier, Reason and Declared are the tool's own word (TAM-01, TAM-13); Tier and
	// Reason go before what Declared says.
	Tier, Reason string
	Declared     json.RawMessage
	// GrantTargets, when they are given, stand instead of what follows from Paths
	// and URL (TAM-07).
	GrantTargets []GrantTarget
	SafetyChecks []SafetyCheck
	Search       Search
}

// Request builds the request. What a kind needs and isn't there is left out,
// which is never looser.
func (d *Description) Request(workspace string) Request {
	r := d.byKind(workspace)
	if d.Targets != nil {
		if r.Targets = d.Targets; d.Kind != WriteFile && d.Kind != DeleteFile {
			r.Key, r.KeyLabel = "", ""
		}
	}
	if len(d.Declared) > 0 {
		r.Declared = ParseDeclaration(d.Declared)
	}
	if d.Tier != "" {
		r.Declared.Tier, _ = ParseTier(d.Tier) // an unknown one is exec (TAM-01)
	}
	if d.Reason != "" {
		r.Declared.Reason = d.Reason
	}
	if d.GrantTargets != nil {
		r.GrantTargets = d.GrantTargets
	}
	r.SafetyChecks, r.Search = d.SafetyChecks, d.Search
	return r
}

func (d *Description) byKind(workspace string) Request {
	switch {
	case d.Kind == RunCommand && d.Command != nil:
		return CommandRequest(workspace, d.Tool, *d.Command)
	case d.Kind == Network && d.URL != "":
		return FetchRequest(d.Tool, d.URL)
	case d.Kind == Network:
		return Request{Tool: d.Tool, Kind: Network, Declared: Declaration{Tier: Read}}
	case d.Kind == MCPTool && d.Server != nil:
		return MCPRequest(*d.Server, d.Tool)
	case d.Kind == MCPTool:
		return Request{Tool: d.Tool, Kind: MCPTool, Declared: Declaration{Tier: Write}}
	case d.Kind == WriteFile:
		r := WriteRequest(workspace, d.Tool)
		r.Targets = d.Paths
		return r
	case d.Kind == DeleteFile:
		return DeleteRequest(workspace, d.Tool, d.Paths...)
	}
	// The grants have the tier that the request turns out to have.
	r := Request{Tool: d.Tool, Kind: d.Kind, Targets: d.Paths}
	for _, p := range d.Paths {
		r.GrantTargets = append(r.GrantTargets, GrantTarget{Kind: GrantFile, Path: p})
	}
	if d.URL != "" {
		r.GrantTargets = append(r.GrantTargets, GrantTarget{Kind: GrantURL, Path: d.URL})
	}
	return r
}

// ParseGrantKind reads the kind of a grant target.
func ParseGrantKind(s string) (GrantKind, error) {
	switch k := GrantKind(s); k {
	case GrantFile, GrantFolder, GrantTree, GrantURL:
		return k, nil
	}
	return "", fmt.Errorf("unknown kind of grant target %q: use file, folder, tree or url", s)
}
