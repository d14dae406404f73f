//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// hooked has a hook look at a command before it asks for it.
func (a *scripted) hooked(ctx context.Context, how, command string) error {
	id := fmt.Sprint("call-", a.calls+1)
	input := fields{"command": command}
	if how != "unsaid" {
		a.update(fields{"sessionUpdate": "tool_call", "toolCallId": id, "title": "Terminal", "kind": "execute", "status": "pending", "rawInput": input})
	}
	event, err := json.Marshal(fields{
		"session_id": a.name, "cwd": a.cwd, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": input, "tool_use_id": id,
	})
	if err != nil {
		return err
	}
	run := runHook
	if how == "nested" {
		run = nestHook
	}
	said, err := run(a.cwd, string(event))
	if err != nil {
		return err
	}
	a.say("The hook said %q.", said)
	if said == "deny" {
		return nil
	}
	return a.step(ctx, "run:"+command)
}

// runHook runs Claude Code's hook by a shell, as Claude Code does, and reads its
// decision.
func runHook(dir, event string) (string, error) {
	cmd := exec.Command("sh", "-c", "'blitz-approve' hook claude --limit 1h || exit 2")
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(event), os.Stderr
	out, err := cmd.Output()
	if err != nil || len(out) == 0 {
		return "", err
	}
	var answer struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	err = json.Unmarshal(out, &answer)
	return answer.Specific.Decision, err
}

// nestHook is runHook by an agent that is run as a tool.
func nestHook(dir, event string) (string, error) {
	cmd := exec.Command("sh", "-c", `fake-agent nest "$1" "$2"; :`, "sh", dir, event)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return string(bytes.TrimSpace(out)), err
}

func nestedAgent(dir, event string) int {
	said, err := runHook(dir, event)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(said)
	return 0
}
