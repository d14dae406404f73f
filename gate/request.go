package gate

import (
	"encoding/json"
	"strings"
)

// A Kind says what sort of sensitive action a request is (APR-01). The empty
// kind is any other tool call.
type Kind string

const (
	// NoKind is a tool call that is none of the five below.
	NoKind     Kind = ""
	RunCommand Kind = "run_command"
	WriteFile  Kind = "write_file"
	DeleteFile Kind = "delete_file"
	Network    Kind = "network"
	MCPTool    Kind = "mcp_tool"
)

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool {
	switch k {
	case NoKind, RunCommand, WriteFile, DeleteFile, Network, MCPTool:
		return true
	}
	return false
}

// A Request is one action that a tool wants to take. The gate decides on
// Kind, Tool, Targets and Declared; the other fields are for the person who
// is asked and for the audit log.
type Request struct {
	// ID names the request in the audit log. [Gate.Decide] fills it in when
	// it is empty.
	ID string
	// Tool is the name under which the agent calls the tool.
	Tool string
	Kind Kind
	// Server is the MCP server that offers the tool, for [MCPTool].
	Server string
	// Title is what the agent says about the action. It is shown second and
	// labelled as the agent's words; nothing is decided on it.
	Title string
	// Detail is what will run, in full, when the targets don't say it all:
	// arguments of an MCP call, code, a URL with its query.
	Detail string
	// Fields are further labelled facts for the prompt (TAM-19).
	Fields []Field
	// Diff is what the action does to files. The old path of a rename is a
	// target too, unless its deletion is a request of its own.
	Diff []Change
	// Key names what a remembered approval covers (APR-02); empty means that
	// the action can only be approved once. Use the constructors in key.go.
	Key string
	// KeyLabel says in words what Key covers.
	KeyLabel string
	// Targets are what rules match: paths, command lines, a host or search
	// provider, server:tool. No permission rule but a bare tool name matches
	// a request without targets.
	Targets []string
	// GrantTargets are what ask-and-remember looks up and records (TAM-07).
	GrantTargets []GrantTarget
	// Search narrows down what is read of the folders among GrantTargets.
	Search Search
	// Declared is what the tool says about itself for this input (TAM-01, 02).
	Declared Declaration
	// Gated says that all it does comes to this gate in requests of its own, such
	// as the calls of an agent that it starts. The modes that look at kinds then
	// let it pass as they do a read; those that look at tiers, whatever its tier
	// says (TAM-01).
	Gated bool
	// OwnRules says that the agent has rules of its own for what it asks, which an
	// allow would overrule. What only the mode lets pass is then left to them,
	// with [CauseLeft], unless it reads in the workspace and nowhere else.
	OwnRules bool
	// SafetyChecks are the provider's pending checks; any one forces a
	// prompt (TAM-18).
	SafetyChecks []SafetyCheck
	Origin       Origin
	// Dir is the directory in which the action runs and against which
	// relative targets are read; empty means the workspace.
	Dir string
	// Unrevealed says that the agent did not tell what will happen (an edit
	// without its content, say). Such a request offers once and deny only.
	Unrevealed bool
	// Editable says that the connection can do something else than what was
	// asked for: who asked runs what [Verdict.Request] holds, and not what it
	// sent (BEY-05).
	Editable bool
}

// A Field is one labelled fact of a request.
type Field struct{ Label, Value string }

// Origin says where a request comes from.
type Origin struct {
	Agent     string // its name, as it gave it
	Session   string // its session's id
	Protocol  string // "acp", "hook", "mcp", "stream", "embedded"
	Workspace string // filled in by the gate
}

// A Change is what a request does to one file. Before and After are its exact
// bytes; nil means that the file doesn't exist, empty that it is empty.
type Change struct {
	Path   string
	From   string // the old path of a rename, else empty
	Before []byte
	After  []byte
}

// A Tier is how much a tool can do (TAM-01). The zero tier is the strictest.
type Tier uint8

const (
	// Exec runs code or is as broad as that.
	Exec Tier = iota
	// Write changes workspace or session state but runs no code.
	Write
	// Read only reads, or updates what is shown.
	Read
)

// Covers reports whether a grant at tier t allows an action at tier u: exec
// covers write covers read (TAM-08).
func (t Tier) Covers(u Tier) bool { return t <= u }

func (t Tier) String() string {
	switch t {
	case Read:
		return "read"
	case Write:
		return "write"
	}
	return "exec"
}

// ParseTier reads a tier exactly as spelt; anything else is [Exec] and false
// (TAM-01).
func ParseTier(s string) (Tier, bool) {
	switch s {
	case "read":
		return Read, true
	case "write":
		return Write, true
	case "exec":
		return Exec, true
	}
	return Exec, false
}

// A Declaration is what a tool says about one call (TAM-01, TAM-02). The zero
// Declaration is tier exec with no policy.
type Declaration struct {
	Tier   Tier
	Policy ToolPolicy
	// Override forces a prompt in every mode but yolo, unless Policy is allow.
	Override bool
	// Reason is shown in the prompt.
	Reason string
	// PolicyKey is looked up in the user's tool policies before the tool's
	// own name.
	PolicyKey string
}

// A ToolPolicy is a fixed answer that a tool or a user gives for a tool.
type ToolPolicy string

const (
	NoPolicy     ToolPolicy = ""
	PolicyAllow  ToolPolicy = "allow"
	PolicyDeny   ToolPolicy = "deny"
	PolicyPrompt ToolPolicy = "prompt"
)

func (p ToolPolicy) valid() bool { return p == PolicyAllow || p == PolicyDeny || p == PolicyPrompt }

// parseToolPolicy reads a policy's word, trimmed and in any case (TAM-13).
func parseToolPolicy(word string) (ToolPolicy, bool) {
	p := ToolPolicy(strings.ToLower(strings.TrimSpace(word)))
	return p, p.valid()
}

// ParseDeclaration reads what a tool returned: a tier as a string, or an
// object with tier, policy, override, reason and policyKey. What it does not
// understand counts as not said, and a missing or unknown tier is exec
// (TAM-01, TAM-13).
func ParseDeclaration(raw json.RawMessage) Declaration {
	var tier string
	if json.Unmarshal(raw, &tier) == nil {
		t, _ := ParseTier(tier)
		return Declaration{Tier: t}
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return Declaration{}
	}
	text := func(names ...string) (s string) {
		for _, n := range names {
			if json.Unmarshal(object[n], &s) == nil && s != "" {
				return s
			}
		}
		return ""
	}
	d := Declaration{Reason: text("reason"), PolicyKey: text("policyKey", "policy_key")}
	d.Tier, _ = ParseTier(text("tier"))
	if p, ok := parseToolPolicy(text("policy")); ok {
		d.Policy = p
	}
	// Only the JSON value true overrides: a tool that writes "true" has made
	// a mistake that must not change what other calls do.
	_ = json.Unmarshal(object["override"], &d.Override)
	return d
}

// A SafetyCheck is one pending check that a model provider attached to a
// computer-use call (TAM-18).
type SafetyCheck struct {
	Code    string
	Message string
	Data    json.RawMessage
}

// A GrantTarget is one thing that an ask-and-remember grant can cover
// (TAM-07, TAM-08).
type GrantTarget struct {
	Kind GrantKind
	Path string // a path, or a URL for GrantURL
	Tier Tier
}

// A GrantKind says how far a grant reaches.
type GrantKind string

const (
	GrantFile   GrantKind = "file"
	GrantFolder GrantKind = "folder" // files directly inside it
	GrantTree   GrantKind = "tree"   // a recursive search from it
	GrantURL    GrantKind = "url"
)
