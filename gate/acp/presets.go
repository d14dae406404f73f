package acp

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A Preset says how one agent is started so that it asks, and what is odd
// about it. The zero Preset is for an agent that nothing is known about.
type Preset struct {
	Name  string // as in "run NAME"
	Title string
	// Program is looked for on PATH; Args follow it.
	Program string
	Args    []string
	// Install says how to get the program, for the error when it is missing.
	Install string
	// Login is the command with which a person logs in, for the error when the
	// agent wants that.
	Login string
	// Aliases are other names of the program, and Packages those that run the
	// same agent, as with npx or uvx.
	Aliases, Packages []string
	// Env returns what is added to the environment, given a look-up of what
	// is there.
	Env func(get func(string) string) []string

	// Mode is the agent's own mode in which it asks.
	Mode string
	// Loose are its modes in which it acts without asking. Nil makes the host
	// go by the modes' names.
	Loose []string
	// ModeByConfig says that its mode is set as one of its settings.
	ModeByConfig bool
	// LooseConfig are settings by which it stops asking, with the value that
	// does it, and StrictConfig the values that make it ask again.
	LooseConfig, StrictConfig map[string]string

	// CommandInTitle says that commands are told in the title alone.
	CommandInTitle bool
	// ToolInCallID says that a call's id begins with the tool's name and "__".
	ToolInCallID bool
	// ToolInFirstTitle says that the first title of a call is the tool's name.
	ToolInFirstTitle bool
	// InputAsText says that a call's arguments are JSON inside a text.
	InputAsText bool
	// ModeInText says that mode changes come as a text "[MODE_UPDATE] mode".
	ModeInText bool
	// PlanFileTool is the tool whose title ends in ": " and the plan's file.
	PlanFileTool string
	// EnterPlanTool is the tool with which the agent begins to plan.
	EnterPlanTool string
	// Harmless are tools that touch nothing but what is shown.
	Harmless []string
	// Lacks is what it has no tools for, or none that work over this protocol.
	Lacks Lacks
	// RunsOn says that a command can go on after its turn was cancelled.
	RunsOn bool
}

// Lacks is what an agent can't do by itself.
type Lacks struct {
	Questions bool // ask the person
	Plans     bool // begin to plan, and hand in a plan
	Todos     bool // tell its task list
}

var presets = []Preset{
	{
		Name: "gemini", Title: "Gemini CLI", Program: "gemini", Args: []string{"--acp"},
		Install: "npm install -g @google/gemini-cli", Login: "gemini",
		Packages: []string{"@google/gemini-cli"},
		Mode:     "default", Loose: []string{"yolo", "autoEdit"},
		CommandInTitle: true, ToolInCallID: true, ModeInText: true,
		PlanFileTool: "exit_plan_mode", EnterPlanTool: "enter_plan_mode", Harmless: []string{"write_todos"},
		Lacks: Lacks{Questions: true, Todos: true}, // of its own list only the length is told
	},
	{
		Name: "copilot", Title: "Copilot CLI", Program: "copilot", Args: []string{"--acp"},
		Install: "npm install -g @github/copilot", Login: "copilot login",
		Packages: []string{"@github/copilot"},
		Mode:     copilotModes + "agent", Loose: []string{copilotModes + "autopilot"}, ModeByConfig: true,
		LooseConfig: map[string]string{"allow_all": "on"}, StrictConfig: map[string]string{"allow_all": "off"},
		Lacks: Lacks{Questions: true, Plans: true, Todos: true},
	},
	{
		Name: "opencode", Title: "opencode", Program: "opencode", Args: []string{"acp"},
		Install: "npm install -g opencode-ai", Login: "opencode auth login",
		Packages: []string{"opencode-ai"},
		Env:      opencodeEnv, Loose: []string{}, ModeByConfig: true, ToolInFirstTitle: true,
		Lacks: Lacks{Questions: true, Plans: true},
	},
	{
		Name: "claude", Title: "Claude Code", Program: "claude-agent-acp",
		Install:  "npm install -g @agentclientprotocol/claude-agent-acp",
		Login:    "claude auth login",
		Aliases:  []string{"claude-code-acp"},
		Packages: []string{"@agentclientprotocol/claude-agent-acp", "@zed-industries/claude-agent-acp", "@zed-industries/claude-code-acp"},
		Mode:     "default", Loose: []string{"acceptEdits", "bypassPermissions", "auto"},
		EnterPlanTool: "EnterPlanMode",
		Lacks:         Lacks{Todos: true}, // newer models are given none
	},
	{
		Name: "codex", Title: "Codex", Program: "codex-acp",
		Install:  "npm install -g @agentclientprotocol/codex-acp",
		Login:    "codex login",
		Packages: []string{"@agentclientprotocol/codex-acp", "@zed-industries/codex-acp"},
		// Its usual mode asks a model, not the person.
		Mode: "read-only", Loose: []string{"agent", "agent-full-access", "workspace-write"}, RunsOn: true,
		Lacks: Lacks{Questions: true, Plans: true, Todos: true}, // it asks in one of its modes only
	},
	// What follows is set up by what their makers say, and was not run with a
	// model. Which of their modes don't ask is told by the modes' names.
	{
		Name: "cursor", Title: "Cursor", Program: "cursor-agent", Args: []string{"acp"},
		Install: "https://cursor.com/docs/cli", Login: "cursor-agent login",
	},
	{
		Name: "qwen", Title: "Qwen Code", Program: "qwen", Args: []string{"--acp"},
		Install: "npm install -g @qwen-code/qwen-code", Login: "qwen", Packages: []string{"@qwen-code/qwen-code"},
		Mode: "default", EnterPlanTool: "enter_plan_mode",
	},
	{
		Name: "goose", Title: "Goose", Program: "goose", Args: []string{"acp"},
		Install: "https://github.com/aaif-goose/goose", Login: "goose configure",
		Env:   func(func(string) string) []string { return []string{"GOOSE_MODE=approve"} },
		Loose: []string{"auto", "smart_approve"}, // by itself it asks for nothing
		Lacks: Lacks{Questions: true, Plans: true, Todos: true},
	},
	{
		Name: "kimi", Title: "Kimi Code", Program: "kimi", Args: []string{"acp"},
		Install: "npm install -g @moonshot-ai/kimi-code", Login: "kimi login", Packages: []string{"@moonshot-ai/kimi-code"},
		Mode: "default",
	},
	{
		Name: "vibe", Title: "Mistral Vibe", Program: "vibe-acp",
		Install: "uv tool install mistral-vibe", Login: "vibe --setup", Packages: []string{"mistral-vibe"},
		Mode: "default", Loose: []string{"accept-edits", "auto-approve"}, InputAsText: true,
	},
}

const copilotModes = "https://agentclientprotocol.com/protocol/session-modes#"

// Presets lists the known agents.
func Presets() []Preset { return slices.Clone(presets) }

// PresetFor is the preset of that name.
func PresetFor(name string) (Preset, bool) {
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, false
	}
	return presets[i], true
}

// Argv is the command that starts the agent.
func (p Preset) Argv() []string { return append([]string{p.Program}, p.Args...) }

// Recognize finds the preset for a command line that a person gave, such as
// "gemini --acp" or "npx @google/gemini-cli --acp". It only looks at names:
// the command stays as it is.
func Recognize(argv []string) (Preset, bool) {
	if len(argv) == 0 {
		return Preset{}, false
	}
	for i, word := range argv {
		if i > 0 && (strings.HasPrefix(word, "-") || !isRunner(argv[0])) {
			continue
		}
		for _, p := range presets {
			if name := programName(word); name == p.Program || slices.Contains(p.Aliases, name) || slices.Contains(p.Packages, packageName(word)) {
				return p, true
			}
		}
	}
	return Preset{}, false
}

func isRunner(word string) bool {
	switch programName(word) {
	case "npx", "bunx", "pnpx", "node", "bun", "deno", "env", "npm", "pnpm", "yarn", "uvx", "uv", "pipx":
		return true
	}
	return false
}

func programName(word string) string {
	name := filepath.Base(filepath.FromSlash(strings.ReplaceAll(word, `\`, "/")))
	for _, suffix := range []string{".exe", ".cmd", ".bat", ".ps1", ".js", ".mjs"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// packageName is a package without the version after it.
func packageName(word string) string {
	if i := strings.LastIndex(word, "@"); i > 0 {
		return word[:i]
	}
	return word
}

// opencodeEnv makes opencode ask: by itself it asks for nothing. Its question
// tool is switched off, since nobody can answer it over this protocol and it
// waits for ever. What the person configured otherwise is kept.
func opencodeEnv(get func(string) string) []string {
	config := object{}
	if raw := json.RawMessage(get("OPENCODE_CONFIG_CONTENT")); json.Valid(raw) {
		maps.Copy(config, parseObject(raw))
	}
	config["permission"] = json.RawMessage(`{"*":"ask","edit":"ask","bash":"ask","webfetch":"ask",` +
		`"websearch":"ask","codesearch":"ask","external_directory":"ask","doom_loop":"ask","task":"ask",` +
		`"todowrite":"allow","todoread":"allow","question":"deny"}`)
	raw, err := json.Marshal(config)
	if err != nil {
		return nil
	}
	return []string{"OPENCODE_CONFIG_CONTENT=" + string(raw)}
}
