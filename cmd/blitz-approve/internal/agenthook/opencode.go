package agenthook

import (
	"bytes"
	"path/filepath"
	"time"
)

// OpenCode is opencode. It has no hooks that run a command: a plugin of ours has
// this program look at every call of a tool, before opencode's own rules do, and
// stops the call unless it is told to go on. It waits as long as that takes. It
// can't have opencode ask: permission.ask, which plugins may name, is never
// called.
var OpenCode = &Agent{
	Name: "opencode", Title: "opencode", Limit: 24 * time.Hour,
	read: readOpenCode, answer: answerOpenCode, explicit: true, tools: openCodeTools, search: "exa.ai",
	settings: settings{
		path: func(home string, get func(string) string) string {
			config := filepath.Join(home, ".config")
			if dir := get("XDG_CONFIG_HOME"); dir != "" {
				config = dir
			}
			return filepath.Join(config, "opencode", "plugin", "blitz-approve.js")
		},
		file:      openCodePlugin,
		onFailure: "exit 2",
	},
}

// openCodePlugin is the plugin. What it hands over is made here, so that an event
// has the fields of Claude Code's.
const openCodePlugin = `// Has blitz-approve decide on each call of a tool: it runs
//   blitz-approve hook opencode --limit 24h
// Written by "blitz-approve install opencode", which "uninstall" takes back.
import { spawn } from "node:child_process"

const program = %[2]s

function decide(event) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["hook", "opencode", "--limit", "24h"], { stdio: ["pipe", "pipe", "pipe"] })
    let said = ""
    let fault = ""
    child.stdout.on("data", (data) => (said += data))
    child.stderr.on("data", (data) => (fault += data))
    child.stdin.on("error", () => {})
    child.on("error", reject)
    child.on("close", (code) => (code === 0 ? resolve(said) : reject(new Error(fault.trim() || "it ended with " + code))))
    child.stdin.end(JSON.stringify(event))
  })
}

export const BlitzApprove = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    let answer
    try {
      answer = JSON.parse(
        await decide({
          hook_event_name: "tool.execute.before",
          session_id: input.sessionID,
          tool_use_id: input.callID,
          tool_name: input.tool,
          tool_input: output.args,
          cwd: directory,
        }),
      )
    } catch (fault) {
      throw new Error("blitz-approve failed, so that the call is stopped: " + fault.message)
    }
    if (answer.decision !== "allow") throw new Error(answer.reason || "blitz-approve refused it")
    if (answer.input) {
      for (const name of Object.keys(output.args)) delete output.args[name]
      Object.assign(output.args, answer.input)
    }
  },
})
`

var (
	openCodePath  = map[string]string{"filePath": "file_path"}
	openCodeTools = map[string]tool{
		"bash":  {kind: "execute", dir: "workdir", edits: edits{command: "command"}},
		"write": {kind: "edit", spelled: openCodePath, edits: edits{whole: "content"}},
		"edit": {
			kind: "edit", spelled: map[string]string{"filePath": "file_path", "replaceAll": "replace_all"},
			edits: edits{old: "oldString", new: "newString", all: "replaceAll"},
		},
		"read": {kind: "read", spelled: openCodePath},
		"grep": {kind: "search", ignores: true, leaves: "include !"}, "glob": {kind: "search"}, "list": {kind: "search"},
		"webfetch": {kind: "fetch"}, "websearch": {searches: true},
		"todowrite": {own: true}, "todoread": {own: true}, "task": {own: true, starts: true}, "question": {own: true}, "skill": {own: true}, "invalid": {own: true},
		"plan_enter": {own: true}, "plan_exit": {own: true},
	}
)

func readOpenCode(o object) (Event, error) {
	e, err := claudeLike(o)
	e.calls = e.Name == "tool.execute.before"
	e.Input = bytes.TrimSpace(e.Input)
	e.host = byItsRules // run has it ask for all that these leave open
	return e, err
}

type openCodeOutput struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
	Input    any    `json:"input,omitempty"`
}

func answerOpenCode(_ Event, a Answer) any {
	switch {
	case a.Decision == Silent, a.Decision == Allow && a.Input == nil:
		return openCodeOutput{Decision: "allow"}
	case a.Decision == Allow:
		return openCodeOutput{Decision: "allow", Input: a.Input}
	case a.Decision == Ask:
		a.Reason = unasked(a)
	}
	return openCodeOutput{Decision: "deny", Reason: a.Reason}
}
