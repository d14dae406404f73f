package cases

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/blitz-approve/blitz-approve/gate"
)

var (
	// withKind is what means to be kind(target), rightly written or not.
	withKind = regexp.MustCompile(`^\s*[A-Za-z_]+\(`)
	// kindWord is what may have lost its parentheses.
	kindWord = regexp.MustCompile(`^\s*(shell|write|delete|read|web|mcp|skill|agent)\b`)
)

// AsRequest is kind(target) for a command line that is written alone, and else
// text as it is.
func AsRequest(text string) string {
	if strings.TrimSpace(text) == "" || withKind.MatchString(text) || kindWord.MatchString(text) {
		return text
	}
	return "shell(" + text + ")"
}

// ParseRequest reads kind(target) as the request that a rule of that form would
// match exactly.
func ParseRequest(arg, workspace string) (gate.Request, error) {
	kind, target, ok := strings.Cut(strings.TrimSuffix(arg, ")"), "(")
	if !ok || !strings.HasSuffix(arg, ")") || target == "" {
		return gate.Request{}, fmt.Errorf("%q is not a request: write kind(target), such as shell(git push), write(src/a.go), web(example.com) or mcp(server:tool)", arg)
	}
	switch kind {
	case "shell", "Bash", "run_command":
		return gate.CommandRequest(workspace, "bash", target), nil
	case "write", "Edit", "Write", "write_file":
		return gate.WriteRequest(workspace, "edit", gate.Change{Path: target}), nil
	case "delete", "delete_file":
		return gate.DeleteRequest(workspace, "delete", target), nil
	case "web", "WebFetch", "network":
		return gate.FetchRequest("web_fetch", strings.TrimPrefix(target, "domain:")), nil
	case "read", "Read":
		return gate.ReadRequest("read", target), nil
	case "mcp", "mcp_tool":
		server, tool, ok := strings.Cut(target, ":")
		if !ok {
			return gate.Request{}, fmt.Errorf("%q: name the server and the tool, such as mcp(github:create_issue)", arg)
		}
		return gate.MCPRequest(server, tool), nil
	case "skill", "Skill":
		return gate.Request{Tool: "skill", Targets: []string{target}}, nil
	case "agent", "Agent", "Task":
		return gate.Request{Tool: "agent", Targets: []string{target}}, nil
	}
	return gate.Request{}, fmt.Errorf("%q: unknown kind %q; the kinds are shell, write, delete, read, web, mcp, skill and agent", arg, kind)
}
