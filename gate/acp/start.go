package acp

import (
	"encoding/json"
	"strings"
)

// starters are the tools, in small letters, that start an agent or a skill, and
// the arguments that may name it.
var starters = map[string][]string{
	"agent": {"subagent_type", "agent_type"}, "task": {"subagent_type", "agent_type"},
	"invoke_agent": {"agent_name"},
	"skill":        {"skill", "name"}, "activate_skill": {"name"},
}

// ordinaryAgent is the agent that Claude Code starts where the call names none.
const ordinaryAgent = "general-purpose"

// Started is the agent or skill that a call of a tool starts by its name, for
// rules such as skill(deploy) (APR-15): all that the arguments name. It is empty
// for another tool.
func Started(tool string, raw json.RawMessage) (names []string) {
	list, err := members(raw)
	if err != nil {
		return nil
	}
	input, tool := byName(list), strings.ToLower(tool)
	for _, argument := range starters[tool] {
		if name := input.text(argument); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 && (tool == "agent" || tool == "task") && input.text("prompt") != "" {
		names = []string{ordinaryAgent}
	}
	return names
}
