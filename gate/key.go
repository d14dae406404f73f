package gate

// Keys name what a remembered approval covers. They are built only here, so
// that an adapter can't misspell one (APR-02).

// WriteKey covers file edits in a workspace.
func WriteKey(workspace string) (key, label string) {
	return "write:" + workspace, "file edits in the workspace"
}

// DeleteKey covers file deletions in a workspace.
func DeleteKey(workspace string) (key, label string) {
	return "delete:" + workspace, "file deletions in the workspace"
}

// CommandKey covers one exact command line in one workspace.
func CommandKey(workspace, command string) (key, label string) {
	return "cmd:" + workspace + "\x00" + command, "this exact command in this workspace"
}

// WebKey covers fetches from one host.
func WebKey(host string) (key, label string) { return "web:" + host, "fetches from " + host }

// SearchKey covers searches with one provider.
func SearchKey(provider string) (key, label string) {
	return "search:" + provider, "searches with " + provider
}

// MCPKey covers one tool of one MCP server.
func MCPKey(server, tool string) (key, label string) {
	return "mcp:" + server + ":" + tool, tool + " of the MCP server " + server
}

// ForgedToolKey covers runs of one tool that an agent made itself.
func ForgedToolKey(name string) (key, label string) {
	return "uc-run:" + name, "runs of the made tool " + name
}
