package gate

import "strings"

// Keys name what a remembered approval covers. They are built only here, so
// that an adapter can't misspell one (APR-02). Those that name a workspace name
// the main checkout of a git worktree, which shares its approvals.

// WriteKey covers file edits in a workspace.
func WriteKey(workspace string) (key, label string) {
	return "write:" + mainCheckout(workspace), "file edits in the workspace"
}

// DeleteKey covers file deletions in a workspace.
func DeleteKey(workspace string) (key, label string) {
	return "delete:" + mainCheckout(workspace), "file deletions in the workspace"
}

// CommandKey covers one exact command line in one workspace.
func CommandKey(workspace, command string) (key, label string) {
	return "cmd:" + mainCheckout(workspace) + "\x00" + command, "this exact command in this workspace"
}

// WebKey covers fetches from one host.
func WebKey(host string) (key, label string) { return "web:" + host, "fetches from " + host }

// SearchKey covers searches with one provider.
func SearchKey(provider string) (key, label string) {
	return "search:" + provider, "searches with " + provider
}

// MCPKey covers one tool of one MCP server. It is empty for a server with a
// colon in its name, which would read as another server's tool.
func MCPKey(server, tool string) (key, label string) {
	if strings.Contains(server, ":") {
		return "", ""
	}
	return "mcp:" + server + ":" + tool, tool + " of the MCP server " + server
}

// ForgedToolKey covers runs of one tool that an agent made itself.
func ForgedToolKey(name string) (key, label string) {
	return "uc-run:" + name, "runs of the made tool " + name
}

// keyFits reports whether the request's key is one that the constructors make
// for a request like it. Another key covers nothing, so that what was approved
// for one action never passes another.
func (r *Request) keyFits() bool {
	switch r.Kind {
	case WriteFile:
		return strings.HasPrefix(r.Key, "write:")
	case DeleteFile:
		return strings.HasPrefix(r.Key, "delete:")
	case RunCommand:
		rest, ok := strings.CutPrefix(r.Key, "cmd:")
		return ok && len(r.Targets) == 1 && strings.HasSuffix(rest, "\x00"+r.Targets[0])
	case Network:
		if provider, ok := strings.CutPrefix(r.Key, "search:"); ok {
			return len(r.Targets) == 1 && r.Targets[0] == provider
		}
		host, ok := strings.CutPrefix(r.Key, "web:")
		return ok && len(r.Targets) == 1 && host != "" && HostOf(r.Targets[0]) == host
	case MCPTool:
		server, tool, _ := r.member()
		key, _ := MCPKey(server, tool)
		return key != "" && r.Key == key
	}
	for _, other := range []string{"write:", "delete:", "cmd:", "web:", "search:", "mcp:"} {
		if strings.HasPrefix(r.Key, other) {
			return false
		}
	}
	return r.Key != ""
}
