package acp

import "encoding/json"

// protocolVersion is the version of the Agent Client Protocol that is spoken.
const protocolVersion = 1

// A StopReason says why a turn ended.
type StopReason string

const (
	EndTurn         StopReason = "end_turn"
	MaxTokens       StopReason = "max_tokens"
	MaxTurnRequests StopReason = "max_turn_requests"
	Refusal         StopReason = "refusal"
	Cancelled       StopReason = "cancelled"
)

// An MCPServer is a server that the agent is told to start.
type MCPServer struct {
	// Name is what the agent knows it by.
	Name    string
	Command string
	Args    []string
	Env     []string // NAME=VALUE
	// Own marks the gate's own server, which only asks the person: calls of its
	// tools are reads by the tool's own name. Set it for no other server, and
	// only with a Name that nobody could know before the session began: requests
	// name the server and nothing else, and a project's own settings for the
	// agent may bring one of any name that can be guessed. A request of which
	// only the model's words name the server is asked about as any other.
	Own bool
}

// AgentInfo is what an agent says about itself.
type AgentInfo struct {
	Name, Title, Version string
	// Logins are the ways to log in that it offers.
	Logins []Login
}

// A SessionMode is one of the agent's own modes.
type SessionMode struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// A Location is a file that a call is about; Line counts from 1, 0 is none.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// A Command is a slash command that the agent understands.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

type initializeParams struct {
	ProtocolVersion int            `json:"protocolVersion"`
	Capabilities    capabilities   `json:"clientCapabilities"`
	ClientInfo      implementation `json:"clientInfo"`
}

// capabilities leaves out fs and terminal on purpose: agents that get them
// still edit and run by themselves, and some break.
type capabilities struct {
	Elicitation struct {
		Form struct{} `json:"form"`
		URL  struct{} `json:"url"`
	} `json:"elicitation"`
}

type initializeResult struct {
	ProtocolVersion int            `json:"protocolVersion"`
	AgentInfo       implementation `json:"agentInfo"`
	AuthMethods     []struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"authMethods"`
}

type mcpServer struct {
	Name    string        `json:"name"`
	Command string        `json:"command"`
	Args    []string      `json:"args"`
	Env     []envVariable `json:"env"`
}

type envVariable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type newSessionParams struct {
	Cwd        string      `json:"cwd"`
	MCPServers []mcpServer `json:"mcpServers"`
}

type newSessionResult struct {
	SessionID     string          `json:"sessionId"`
	Modes         *modeState      `json:"modes"`
	ConfigOptions json.RawMessage `json:"configOptions"`
}

type modeState struct {
	Current   string        `json:"currentModeId"`
	Available []SessionMode `json:"availableModes"`
}

type configOption struct {
	ID       string          `json:"id"`
	Category string          `json:"category"`
	Current  json.RawMessage `json:"currentValue"`
	Options  []struct {      // values, or groups of them
		configValue
		Options []configValue `json:"options"`
	} `json:"options"`
}

type configValue struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

type promptParams struct {
	SessionID string      `json:"sessionId"`
	Prompt    []textBlock `json:"prompt"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type promptResult struct {
	StopReason StopReason `json:"stopReason"`
}

type sessionParams struct {
	SessionID string `json:"sessionId"`
}

type setModeParams struct {
	SessionID string `json:"sessionId"`
	ModeID    string `json:"modeId"`
}

type setConfigParams struct {
	SessionID string `json:"sessionId"`
	ConfigID  string `json:"configId"`
	Value     string `json:"value"`
}

type updateParams struct {
	SessionID string          `json:"sessionId"`
	Update    json.RawMessage `json:"update"`
}

// permissionOptions are the answers that the agent offers.
type permissionOptions []permissionOption

type permissionOption struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type permissionResult struct {
	Outcome permissionOutcome `json:"outcome"`
}

type permissionOutcome struct {
	Outcome  string `json:"outcome"`
	OptionID string `json:"optionId,omitempty"`
}

// permissionCancelled is the answer that never allows anything.
var permissionCancelled = permissionResult{permissionOutcome{Outcome: "cancelled"}}

func selected(o permissionOption) permissionResult {
	return permissionResult{permissionOutcome{Outcome: "selected", OptionID: o.ID}}
}
